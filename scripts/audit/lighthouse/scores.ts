/** The values of a Lighthouse result that have limits, the limits, and a table of the values. */
import { formatMilliseconds } from '../../measure/format-figures.ts'
import type { LighthouseResult } from './open-lighthouse.ts'

interface RunScores {
  readonly performance: number
  readonly accessibility: number
  readonly bestPractices: number
  readonly seo: number
  /** In milliseconds. */
  readonly largestPaint: number
  /** In milliseconds. */
  readonly blocking: number
  readonly shift: number
}

export interface PageScores extends RunScores {
  readonly name: string
  /** Number of runs from which the median run was chosen. */
  readonly runs: number
}

const LIMITS = { largestPaint: 1_500, blocking: 50, shift: 0 } as const

/** Pages that may have less than 100 points for SEO, because they are deliberately closed to search engines. */
const SEO_FREE = ['0 products', 'search']
/** The long page needs only 95 instead of 100 points for performance, and `LIMITS` do not apply to it. */
const LONG = { name: '300 products', performance: 95 }

export function readScores({ categories, audits }: LighthouseResult): RunScores {
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

export function isWithinLimits(page: PageScores): boolean {
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
  const heading = ['', 'performance', 'accessibility', 'practices', 'seo', 'LCP', 'TBT', 'CLS', 'runs', '']
  const rows = pages.map((page) => [
    page.name,
    ...[page.performance, page.accessibility, page.bestPractices, page.seo].map(String),
    formatMilliseconds(page.largestPaint),
    formatMilliseconds(page.blocking),
    page.shift.toFixed(3),
    String(page.runs),
    isWithinLimits(page) ? 'ok' : 'below',
  ])
  return [heading, ...rows].map(formatRow).join('\n')
}

function isFast({ largestPaint, blocking, shift }: PageScores): boolean {
  return largestPaint <= LIMITS.largestPaint && blocking <= LIMITS.blocking && shift <= LIMITS.shift
}

function formatRow([name = '', ...cells]: readonly string[]): string {
  return `${name.padEnd(14)}${cells.map((cell) => cell.padStart(14)).join('')}`.trimEnd()
}
