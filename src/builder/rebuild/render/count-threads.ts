/** Counts the worker threads that a run starts. */
import { availableParallelism } from 'node:os'

// More threads would exceed the memory budget and wait for the main thread, which places and records pages.
const MOST = 4

export function countThreads(): number {
  return Math.min(MOST, availableParallelism())
}
