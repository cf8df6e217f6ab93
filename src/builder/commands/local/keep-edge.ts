/**
 * Keeps the local edge running. Its runtime lists the site's files after each change, and ends when one of them is gone before
 * it was looked at.
 */
import { once } from 'node:events'
import type { Edge } from './local-edge.ts'
import { EdgeError } from './local-edge.ts'

export interface EdgeKeeping {
  /** Throws an `EdgeError`. */
  readonly start: () => Promise<Edge>
  readonly warn: (line: string) => void
  readonly end: AbortSignal
  /** In milliseconds. */
  readonly now?: () => number
}

const MOST = 5
const SPAN = 60_000

/** Resolves when `end` aborts and the runtime is closed. Throws an `EdgeError` when it ends too often. */
export async function keepEdge(
  first: Edge,
  { start, warn, end, now = () => performance.now() }: EdgeKeeping,
): Promise<void> {
  let edge: Edge | EdgeError = first
  let times: readonly number[] = []
  for (;;) {
    if (!(edge instanceof EdgeError)) await waitFor(edge, end)
    if (end.aborted) return
    times = [...times, now()].filter((time) => now() - time < SPAN)
    if (times.length >= MOST)
      throw new EdgeError(`The edge runtime ended ${MOST} times in a minute:\n${describe(edge)}`)
    warn('The edge runtime ended, as it does when many files vanish at once: it is started again.')
    edge = await start().catch(keepEdgeError)
  }
}

/** Resolves when the processes of the edge have ended and its port is free. */
async function waitFor(edge: Edge, end: AbortSignal): Promise<void> {
  if (!end.aborted) await Promise.race([edge.ended, once(end, 'abort')])
  await edge.close()
}

function describe(edge: Edge | EdgeError): string {
  return edge instanceof EdgeError ? edge.message : edge.readOutput().trim().slice(-2000)
}

function keepEdgeError(error: unknown): EdgeError {
  if (error instanceof EdgeError) return error
  throw error
}
