/** What counts of a Lighthouse report, and what is wanted of each page. */
import { findMedian } from '../../measure/statistics.ts'

export interface RunScores {
  readonly performance: number
  readonly accessibility: number
  readonly bestPractices: number
  readonly seo: number
  /** In milliseconds. */
  readonly largestPaint: number
  readonly blocking: number
  readonly shift: number
}

export interface PageScores extends RunScores {
  readonly name: string
}

const LIMITS = { largestPaint: 1_500, blocking: 50, shift: 0 } as const

/** Pages that are kept from search engines by purpose lose points there; long ones take their time. */
const SEO_FREE = ['0 products']
const LONG = { name: '300 products', performance: 95 }

export function readScores(json: string): RunScores {
  const { categories, audits }: Report = JSON.parse(json)
  const score = (name: string): number => Math.round((categories[name]?.score ?? 0) * 100)
  const value = (name: string): number => audits[name]?.numericValue ?? Number.NaN
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    seo: score('seo'),
    largestPaint: value('largest-contentful-paint'),
    blocking: value('total-blocking-time'),
    shift: value('cumulative-layout-shift'),
  }
}

export function takeMedians(runs: readonly RunScores[]): RunScores {
  const of = (name: keyof RunScores): number => findMedian(runs.map((run) => run[name]))
  return {
    performance: of('performance'),
    accessibility: of('accessibility'),
    bestPractices: of('bestPractices'),
    seo: of('seo'),
    largestPaint: of('largestPaint'),
    blocking: of('blocking'),
    shift: of('shift'),
  }
}

export function isAsWanted(page: PageScores): boolean {
  const { name, performance, accessibility, bestPractices, seo } = page
  const isLong = name === LONG.name
  return (
    performance >= (isLong ? LONG.performance : 100) &&
    accessibility === 100 &&
    bestPractices === 100 &&
    (seo === 100 || SEO_FREE.includes(name)) &&
    (isLong || isFast(page))
  )
}

export function formatScores(pages: readonly PageScores[]): string {
  const heading = ['', 'performance', 'accessibility', 'practices', 'seo', 'LCP', 'TBT', 'CLS', '']
  const rows = pages.map((page) => [
    page.name,
    ...[page.performance, page.accessibility, page.bestPractices, page.seo].map(String),
    `${Math.round(page.largestPaint)} ms`,
    `${Math.round(page.blocking)} ms`,
    page.shift.toFixed(3),
    isAsWanted(page) ? 'ok' : 'below',
  ])
  return [heading, ...rows].map(formatRow).join('\n')
}

function isFast({ largestPaint, blocking, shift }: PageScores): boolean {
  return largestPaint <= LIMITS.largestPaint && blocking <= LIMITS.blocking && shift <= LIMITS.shift
}

function formatRow([name = '', ...cells]: readonly string[]): string {
  return `${name.padEnd(14)}${cells.map((cell) => cell.padStart(14)).join('')}`.trimEnd()
}

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>
}
