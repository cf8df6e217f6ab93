/** Turns measurements into rows, each compared with its budget. Pure. */
import type { Likeness } from './compare-pages.ts'
import type { Figures, SubjectId } from './meter.ts'
import type { BenchSettings, Size } from './bench-settings.ts'
import { BENCH_SIZES } from './bench-settings.ts'
import { formatCount, formatMemory, formatRatio, formatMeasured } from '../../measure/format-figures.ts'
import { findMedian } from '../../measure/times.ts'

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
  readonly machine: BenchMachine
  readonly rows: readonly BenchRow[]
  readonly likeness: Readonly<Record<'astro' | 'eleventy', Likeness>>
}

// Source: docs/proofs.md, Bench.
const BARE = 6.5
const LARGER = 1.3
const INCREMENTAL = 45
const ASTRO = 0.4
const ELEVENTY = 0.7
const ELEVENTY_SMALL = 0.8
const ELEVENTY_FIRST = 1
const GROWTH = 25
const MEMORY = 512 * 2 ** 20
const CROWDED = { ms: 2_000, memory: 256 * 2 ** 20 }

type Times = (id: SubjectId) => number

export function createBenchReport({ settings, machine, figures, likeness }: Measured): BenchReport {
  const times: Times = (id) => findMedian(figures[id]?.times ?? [])
  const rows = [
    createRow('bare', 'The least a process takes', 'bare node -e 0'),
    ...listSmall(settings, times),
    ...listWhole(settings, times),
    ...listCrowded(settings, figures),
    ...listProducts(settings, times),
    ...listLarge(settings, figures),
    ...listPart(settings),
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
  const small = `All pages of ${formatCount(sellers.small)} sellers`
  const toEleventy = `${formatRatio(times('full-small') / times('eleventy-small'))} Eleventy`
  return [
    row(
      'new',
      'into an empty folder',
      limit(`≤ ${ELEVENTY_FIRST} × Eleventy`, times('new') <= ELEVENTY_FIRST * times('eleventy')),
    ),
    row(
      'full',
      '--full, in place',
      limit(
        `≤ ${ASTRO} × astro build, ≤ ${ELEVENTY} × Eleventy`,
        times('full') <= ASTRO * times('astro') && times('full') <= ELEVENTY * times('eleventy'),
      ),
    ),
    row('floor-render', 'floor: only rendering'),
    row('floor-write', 'floor: only writing'),
    row('eleventy', 'Eleventy'),
    row('astro', 'astro build'),
    row('astro-incremental-new', 'astro build, incremental, the first'),
    createRow(
      'full-small',
      small,
      '--full, in place',
      toEleventy,
      limit(
        `≤ ${ELEVENTY_SMALL} × Eleventy`,
        times('full-small') <= ELEVENTY_SMALL * times('eleventy-small'),
      ),
    ),
    createRow('eleventy-small', small, 'Eleventy'),
  ]
}

type AllFigures = Readonly<Partial<Record<SubjectId, Figures>>>

function listCrowded({ crowded }: BenchSettings, figures: AllFigures): readonly Draft[] {
  const { times, peak } = figures.crowded ?? { times: [], peak: null }
  const isKept = findMedian(times) <= CROWDED.ms && (peak ?? Infinity) <= CROWDED.memory
  const budget = limit(`≤ ${formatMeasured(CROWDED.ms)}, ≤ ${formatMemory(CROWDED.memory)}`, isKept)
  const section = `One price of a seller with ${formatCount(crowded.products)} products`
  return [createRow('crowded', section, `among ${formatCount(crowded.others + 1)} sellers`, '', budget)]
}

function listProducts({ sellers }: BenchSettings, times: Times): readonly Draft[] {
  const section = `${formatCount(sellers.middle)} sellers with a page of each product`
  const to = (id: SubjectId, other: SubjectId): string =>
    `${formatRatio(times(id) / times(other))} without these pages`
  return [
    createRow('products-first', section, 'first build', to('products-first', 'new')),
    createRow('products-full', section, '--full, in place', to('products-full', 'full')),
    createRow('products-one', section, 'one seller changed', to('products-one', 'one-middle')),
  ]
}

function listLarge({ sellers, part }: BenchSettings, figures: AllFigures): readonly Draft[] {
  const section = `All of ${formatCount(sellers.large)} sellers`
  const row = (id: SubjectId, label: string): Draft => {
    const isSmall = (figures[id]?.peak ?? Infinity) <= MEMORY
    return createRow(id, section, label, '', limit(`≤ ${formatMemory(MEMORY)}`, isSmall))
  }
  const growing = (id: 'import' | 'verify' | 'export', label: string): Draft => {
    const { text, isKept } = row(id, label).budget ?? { text: '', isKept: false }
    const growth = findMedian(figures[id]?.times ?? []) / findMedian(figures[`${id}-part`]?.times ?? [])
    const compared = `${formatRatio(growth)} ${formatCount(part)} sellers`
    return createRow(
      id,
      section,
      label,
      compared,
      limit(`${text}, ≤ ${GROWTH} ×`, isKept && growth <= GROWTH),
    )
  }
  return [
    growing('import', 'import'),
    row('first', 'first build'),
    row('public', 'rebuild, a public file is new'),
    growing('verify', 'rebuild --verify'),
    growing('export', 'export'),
  ]
}

function listPart({ part }: BenchSettings): readonly Draft[] {
  const section = `${formatCount(part)} sellers`
  return [
    createRow('import-part', section, 'import'),
    createRow('verify-part', section, 'rebuild --verify'),
    createRow('export-part', section, 'export'),
  ]
}

function limit(text: string, isKept: boolean): Budget {
  return { text, isKept }
}

function readRuns(figures: Figures | undefined): { runs: number; peak: number | null } {
  return { runs: figures?.times.length ?? 0, peak: figures?.peak ?? null }
}
