/** Builds the rows of the report: median, memory, budget, and ratio to another row. Pure. */
import { formatNumber } from '../../../src/builder/format-numbers.ts'
import { formatMemory, formatRatio, formatMeasured } from '../../measure/format-figures.ts'
import { findMedian } from '../../measure/times.ts'
import type { BenchSettings, Size } from './bench-settings.ts'
import { BENCH_SIZES } from './bench-settings.ts'
import type { Likeness } from './compare-pages.ts'
import type { Figures, SubjectId } from './meter.ts'

export interface BenchMachine {
  readonly processor: string
  readonly cores: number
  readonly memory: number
  readonly node: string
}

export interface Measured {
  readonly settings: BenchSettings
  readonly machine: BenchMachine
  readonly figures: Readonly<Partial<Record<SubjectId, Figures>>>
  readonly likeness: Readonly<Record<'astro' | 'eleventy', Likeness>>
}

interface Budget {
  /** For example `≤ 6.5 × bare node`. */
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
  /** Ratio to another row, such as `6.91 × bare node`; empty without one. */
  readonly compared: string
  /** Peak memory in bytes; `null` if it was not measured. */
  readonly peak: number | null
  readonly budget: Budget | null
}

export interface BenchReport extends Omit<Measured, 'figures'> {
  readonly rows: readonly BenchRow[]
}

/** Median in milliseconds, peak in bytes. */
interface MeasuredRow {
  readonly ms: number
  readonly peak: number | null
}

type Times = (id: SubjectId) => number

/** Id of another row, and its name in the report. */
type Other = readonly [id: SubjectId, words: string]

interface Limit {
  readonly text: string
  readonly isKept: (row: MeasuredRow, times: Times) => boolean
}

interface PlannedRow {
  readonly section: string
  readonly label: string
  /** The report shows this row's time divided by the time of row `to`. */
  readonly to?: Other
  readonly limits?: readonly Limit[]
}

const BARE: Other = ['bare', 'bare node']
const ASTRO: Other = ['astro', 'astro build']
const ELEVENTY: Other = ['eleventy', 'Eleventy']

const atMost = (most: number, [id, words]: Other): Limit => ({
  text: `≤ ${most} × ${words}`.trim(),
  isKept: ({ ms }, times) => ms <= most * times(id),
})
const atLeast = (least: number, [id, words]: Other): Limit => ({
  text: `≥ ${least} × ${words}`,
  isKept: ({ ms }, times) => ms >= least * times(id),
})
const within = (most: number): Limit => ({
  text: `≤ ${formatMeasured(most)}`,
  isKept: ({ ms }) => ms <= most,
})
const inMemory = (megabytes: number): Limit => {
  const most = megabytes * 2 ** 20
  return { text: `≤ ${formatMemory(most)}`, isKept: ({ peak }) => (peak ?? Infinity) <= most }
}

/** Source of the budgets: CONTRIBUTING.md, Bench. */
function planRows({ sellers, part, crowded }: BenchSettings): readonly (PlannedRow & { id: SubjectId })[] {
  const [small, middle, large] = BENCH_SIZES.map((size) => formatNumber(sellers[size]))
  const among = (size: Size): string => `among ${formatNumber(sellers[size])} sellers`
  const [one, none] = ['One seller changed', 'Nothing changed']
  const [all, few] = [`All pages of ${middle} sellers`, `All pages of ${small} sellers`]
  const [whole, parts] = [`All of ${large} sellers`, `${formatNumber(part)} sellers`]
  const crowd = `One price of a seller with ${formatNumber(crowded.products)} products`
  const pages = `${middle} sellers with a page of each product`
  const without = (id: SubjectId): Other => [id, 'without product pages']
  const grow = (id: SubjectId): Omit<PlannedRow, 'label'> => {
    return { section: whole, to: [id, parts], limits: [inMemory(512), atMost(25, [id, ''])] }
  }
  const ours: Other = ['one-middle', 'ours']
  const above: Other = ['one-middle', 'the row above']
  const fewer: Other = ['eleventy-small', 'Eleventy']
  const rows: Readonly<Record<SubjectId, PlannedRow>> = {
    bare: { section: 'A process that does nothing', label: 'bare node -e 0' },
    'one-small': { section: one, label: among('small'), to: BARE },
    'one-middle': { section: one, label: among('middle'), to: BARE, limits: [atMost(6.5, BARE)] },
    'one-large': { section: one, label: among('large'), to: BARE, limits: [atMost(1.3, above)] },
    'astro-incremental': {
      section: one,
      label: `astro build, incremental, ${among('middle')}`,
      to: ours,
      limits: [atLeast(45, ours)],
    },
    'none-small': { section: none, label: among('small'), to: BARE },
    'none-middle': { section: none, label: among('middle'), to: BARE },
    'none-large': { section: none, label: among('large'), to: BARE },
    new: { section: all, label: 'into an empty folder', to: ASTRO, limits: [atMost(1, ELEVENTY)] },
    full: {
      section: all,
      label: '--full, in place',
      to: ASTRO,
      limits: [atMost(0.4, ASTRO), atMost(0.7, ELEVENTY)],
    },
    eleventy: { section: all, label: 'Eleventy', to: ASTRO },
    astro: { section: all, label: 'astro build', to: ASTRO },
    'astro-incremental-new': { section: all, label: 'astro build, incremental, first build', to: ASTRO },
    'full-small': { section: few, label: '--full, in place', to: fewer, limits: [atMost(0.8, fewer)] },
    'eleventy-small': { section: few, label: 'Eleventy' },
    crowded: {
      section: crowd,
      label: `among ${formatNumber(crowded.others + 1)} sellers`,
      limits: [within(2_000), inMemory(256)],
    },
    'products-first': { section: pages, label: 'first build', to: without('new') },
    'products-full': { section: pages, label: '--full, in place', to: without('full') },
    'products-one': { section: pages, label: 'one seller changed', to: without('one-middle') },
    import: { ...grow('import-part'), label: 'import' },
    first: { section: whole, label: 'first build', limits: [inMemory(512)] },
    public: { section: whole, label: 'rebuild after a new public file', limits: [inMemory(512)] },
    verify: { ...grow('verify-part'), label: 'rebuild --verify' },
    export: { ...grow('export-part'), label: 'export' },
    'import-part': { section: parts, label: 'import' },
    'verify-part': { section: parts, label: 'rebuild --verify' },
    'export-part': { section: parts, label: 'export' },
  }
  return Object.entries(rows).map(([id, row]) => ({ id: id as SubjectId, ...row }))
}

export function createBenchReport({ figures, ...measured }: Measured): BenchReport {
  const times: Times = (id) => findMedian(figures[id]?.times ?? [])
  const rows = planRows(measured.settings).map(({ id, section, label, to, limits = [] }): BenchRow => {
    const row = { ms: times(id), peak: figures[id]?.peak ?? null }
    const budget = {
      text: limits.map(({ text }) => text).join(', '),
      isKept: limits.every(({ isKept }) => isKept(row, times)),
    }
    return {
      id,
      section,
      label,
      compared: to === undefined ? '' : `${formatRatio(row.ms / times(to[0]))} ${to[1]}`,
      budget: limits.length === 0 ? null : budget,
      ...row,
      runs: figures[id]?.times.length ?? 0,
    }
  })
  return { ...measured, rows }
}
