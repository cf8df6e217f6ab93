/** Runs the bench of sites of objects, and removes what it started and wrote. */
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { EdgeResult } from './format-edge-bench.ts'
import { formatEdgeBench } from './format-edge-bench.ts'
import type { EdgeBenchOptions } from './measure-edge.ts'
import { measureEdge } from './measure-edge.ts'

interface RunOptions extends Omit<EdgeBenchOptions, 'sellers'> {
  readonly isQuick: boolean
  /** Sellers of the larger site. */
  readonly larger: number | undefined
}

const SELLERS = { quick: [200, 2_000], full: [1_000, 50_000] } as const

export async function runEdge({ isQuick, larger, ...options }: RunOptions): Promise<EdgeResult> {
  const { folder, end } = options
  const [small, large] = isQuick ? SELLERS.quick : SELLERS.full
  rmSync(folder, { recursive: true, force: true })
  const closing: (() => Promise<void>)[] = []
  try {
    const sellers = [small, larger ?? large]
    const measured = measureEdge({ ...options, sellers }, (close) => void closing.push(close))
    const [first, last] = await Promise.race([measured, rejectAtEnd(end)])
    if (first === undefined || last === undefined) throw new Error('a site was not measured')
    return formatEdgeBench(first, last)
  } finally {
    for (const close of closing) await close()
    rmSync(folder, { recursive: true, force: true })
  }
}

// The runtime is in its own process group, which does not receive Ctrl-C.
async function rejectAtEnd(end: AbortSignal): Promise<never> {
  if (!end.aborted) await once(end, 'abort')
  throw new Error('stopped before everything was measured')
}
