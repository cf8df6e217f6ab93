/** Turns measurements into rows, each compared with its budget. Pure. */
import type { Likeness } from './compare-pages.ts'
import type { Figures, SubjectId } from './meter.ts'
import type { Machine, Measured } from './run-bench.ts'
import type { BenchSettings, Size } from './bench-settings.ts'
import { BENCH_SIZES } from './bench-settings.ts'
import { formatCount, formatMemory, formatRatio } from '../measure/format-figures.ts'
import { findMedian } from '../measure/median.ts'

export interface Budget {
  /** For people: `≤ 10 × bare node`. */
  readonly text: string
  readonly isKept: boolean
}

export interface BenchRow {
  readonly id: SubjectId
  readonly section: string
  readonly label: string
  /** Median, in milliseconds. */
  readonly ms: number
  readonly runs: number
  /** For people: the ratio to another row. */
  readonly compared: string
  /** In bytes. */
  readonly peak: number | null
  readonly budget: Budget | null
}

export interface BenchReport {
  readonly settings: BenchSettings
  readonly machine: Machine
  readonly rows: readonly BenchRow[]
  readonly likeness: Readonly<Record<'astro' | 'eleventy', Likeness>>
}

// Source: docs/proofs.md, Bench.
const BARE = 6.5
const LARGER = 1.3
const INCREMENTAL = 45
const ASTRO = 0.6
const ELEVENTY = 1
const MEMORY = 512 * 2 ** 20

type Times = (id: SubjectId) => number

export function createBenchReport({ settings, machine, figures, likeness }: Measured): BenchReport {
  const times: Times = (id) => findMedian(figures[id]?.times ?? [])
  const rows = [
    createRow('bare', 'The least a process takes', 'bare node -e 0'),
    ...listSmall(settings, times),
    ...listWhole(settings, times),
    ...listLarge(settings, figures),
  ].map((row) => ({ ...row, ms: times(row.id), ...readRuns(figures[row.id]) }))
  return { settings, machine, rows, likeness }
}

type Draft = Omit<BenchRow, 'ms' | 'runs' | 'peak'>

function createRow(id: SubjectId, section: string, label: string, compared = '', budget?: Budget): Draft {
  return { id, section, label, compared, budget: budget ?? null }
}

function listSmall({ sellers }: BenchSettings, times: Times): readonly Draft[] {
  const toBare = (id: SubjectId): string => `${formatRatio(times(id) / times('bare'))} bare node`
  const among = (size: Size): string => `among ${formatCount(sellers[size])} sellers`
  const incremental = times('astro-incremental') / times('one-middle')
  return [
    ...BENCH_SIZES.map((size) => {
      const id = `one-${size}` as const
      return createRow(id, 'One seller changed', among(size), toBare(id), findOneBudget(size, times))
    }),
    createRow(
      'astro-incremental',
      'One seller changed',
      `astro build, incremental, ${among('middle')}`,
      `${formatRatio(incremental)} ours`,
      limit(`≥ ${INCREMENTAL} × ours`, incremental >= INCREMENTAL),
    ),
    ...BENCH_SIZES.map((size) => {
      const id = `none-${size}` as const
      return createRow(id, 'Nothing changed', among(size), toBare(id))
    }),
  ]
}

function findOneBudget(size: Size, times: Times): Budget | undefined {
  if (size === 'middle') return limit(`≤ ${BARE} × bare node`, times('one-middle') <= BARE * times('bare'))
  if (size === 'small') return undefined
  return limit(`≤ ${LARGER} × the one above`, times('one-large') <= LARGER * times('one-middle'))
}

function listWhole({ sellers }: BenchSettings, times: Times): readonly Draft[] {
  const section = `All pages of ${formatCount(sellers.middle)} sellers`
  const toAstro = (id: SubjectId): string => `${formatRatio(times(id) / times('astro'))} astro build`
  const row = (id: SubjectId, label: string, budget?: Budget): Draft =>
    createRow(id, section, label, toAstro(id), budget)
  const [astro, eleventy] = [ASTRO * times('astro'), ELEVENTY * times('eleventy')]
  const check = (id: SubjectId): Budget =>
    limit(`≤ ${ASTRO} × astro build, ≤ Eleventy`, times(id) <= astro && times(id) <= eleventy)
  return [
    row('new', 'into an empty folder', check('new')),
    row('full', '--full, in place', check('full')),
    row('floor-render', 'floor: only rendering'),
    row('floor-write', 'floor: only writing'),
    row('eleventy', 'Eleventy'),
    row('astro', 'astro build'),
    row('astro-incremental-new', 'astro build, incremental, the first'),
  ]
}

function listLarge(
  { sellers }: BenchSettings,
  figures: Readonly<Partial<Record<SubjectId, Figures>>>,
): readonly Draft[] {
  const section = `Peak memory, ${formatCount(sellers.large)} sellers`
  const row = (id: SubjectId, label: string): Draft => {
    const peak = figures[id]?.peak ?? null
    const budget = peak === null ? undefined : limit(`≤ ${formatMemory(MEMORY)}`, peak <= MEMORY)
    return createRow(id, section, label, '', budget)
  }
  return [
    row('import', 'import'),
    row('first', 'first build'),
    row('verify', 'rebuild --verify'),
    row('export', 'export'),
  ]
}

function limit(text: string, isKept: boolean): Budget {
  return { text, isKept }
}

function readRuns(figures: Figures | undefined): { runs: number; peak: number | null } {
  return { runs: figures?.times.length ?? 0, peak: figures?.peak ?? null }
}
