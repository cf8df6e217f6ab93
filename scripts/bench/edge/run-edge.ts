/** Runs the bench of sites of objects. At the end, stops every process that it started, and deletes its folder. */
import { rmSync } from 'node:fs'
import { rejectAtEnd } from '../../measure/times.ts'
import type { BenchTools, Verdict } from '../verdict.ts'
import { formatEdgeBench } from './format-edge-bench.ts'
import type { EdgeTools } from './measure-edge.ts'
import { measureEdge } from './measure-edge.ts'
import { judgeLoad } from './measure-load.ts'

interface EdgeBench extends BenchTools, Pick<EdgeTools, 'end'> {
  /** Number of sellers on the larger site; `undefined` for the default. */
  readonly sellers: number | undefined
}

const SELLERS = { quick: [200, 2_000], full: [1_000, 50_000] } as const
/** `sellers` is a number of sellers; all other values are durations in ms. */
const LOADS = {
  quick: { sellers: 200, step: 2_000, half: 3_000, steady: 3_000 },
  full: { sellers: 2_000, step: 3_000, half: 15_000, steady: 30_000 },
} as const

export async function benchEdge({ isQuick, sellers, ...tools }: EdgeBench): Promise<Verdict> {
  const { folder, end } = tools
  const size = isQuick ? 'quick' : 'full'
  const [small, large] = SELLERS[size]
  const larger = sellers ?? large
  const load = { ...LOADS[size], sellers: Math.min(LOADS[size].sellers, larger) }
  rmSync(folder, { recursive: true, force: true })
  const closing: (() => unknown)[] = []
  try {
    const later = (close: () => unknown): void => void closing.push(close)
    const measured = measureEdge({ sellers: [small, larger], load }, { ...tools, later })
    const { sites, load: figures } = await Promise.race([measured, rejectAtEnd(end)])
    const [compared, loaded] = [formatEdgeBench(sites), judgeLoad(figures)]
    return { text: `${compared.text}\n\n${loaded.text}`, isKept: compared.isKept && loaded.isKept }
  } finally {
    for (const close of closing) await close()
    rmSync(folder, { recursive: true, force: true })
  }
}
