/**
 * Keeps the local edge running: starts the runtime again after it has ended. The runtime lists the site's files after
 * each change, and crashes if a listed file is removed before it is read.
 */
import { once } from 'node:events'
import type { Edge } from './local-edge.ts'
import { EdgeError } from './local-edge.ts'

interface EdgeKeeping {
  /** Throws an `EdgeError` if the runtime does not start. */
  readonly start: () => Promise<Edge>
  readonly warn: (line: string) => void
  readonly end: AbortSignal
  /** Returns milliseconds. */
  readonly now?: () => number
}

/** `keepEdge` gives up when the runtime has ended, or failed to start, `MOST` times within `SPAN` milliseconds. */
const MOST = 5
const SPAN = 60_000

/**
 * Resolves when `end` aborts and the runtime is closed. Throws an `EdgeError` when the runtime ends or fails to start
 * too often.
 */
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
    warn('The edge runtime ended, and is started again. It may end when many files are removed at once.')
    edge = await start().catch(keepEdgeError)
  }
}

/** Waits until the runtime has ended or `end` aborts, then stops the remaining processes of the edge. */
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
