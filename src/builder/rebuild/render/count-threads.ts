/** Chooses the number of worker threads that a run starts. */
import { availableParallelism } from 'node:os'

// More threads would exceed the memory budget, and would wait for the main thread, which moves pages to their paths and
// records them.
const MOST = 4

export function countThreads(): number {
  return Math.min(MOST, availableParallelism())
}
