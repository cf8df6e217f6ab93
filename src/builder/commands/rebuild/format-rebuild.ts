/** Formats a rebuild's report for people. Text from documents is cleaned for the terminal. */
import { formatId } from '../../../domain/documents/format-id.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import { formatCount, formatNumber, formatTime } from '../../format-numbers.ts'
import type { RebuildPreparation } from '../../rebuild/prepare-rebuild.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { formatHeld } from '../../rebuild/shrink-guard.ts'
import type { StageTime } from '../../rebuild/timings.ts'
import { findQuotedAdvice } from '../format-error.ts'
import { formatAddresses } from './format-addresses.ts'
import { formatCheckRows, formatCleanCheck, formatDryCheck } from './format-check.ts'
import { formatPictures } from './format-pictures.ts'
import type { Row } from './format-rows.ts'
import { formatRows } from './format-rows.ts'
import type { RebuildReport } from './rebuild-report.ts'

const SHOWN = 20

export function formatOutcome(outcome: RebuildOutcome, report: RebuildReport): string {
  const parts = [
    ...formatFailures(outcome),
    ...formatHeldRemovals(outcome),
    ...formatRejected(report),
    ...formatPictures(outcome.preparation.pictures),
    ...(outcome.isDry ? [...formatDryCheck(outcome), formatPlanned(report)] : [formatDone(outcome, report)]),
  ]
  return parts.join('\n')
}

function formatFailures({ failures }: RebuildOutcome): readonly string[] {
  if (failures.length === 0) return []
  const lines = failures.slice(0, SHOWN).map(({ path, reason }) => `  ${cleanText(`${path}: ${reason}`)}`)
  const advice = new Set(failures.flatMap(({ reason }) => findQuotedAdvice(reason) ?? []))
  return [
    `${formatCount(failures.length, 'page')} failed and keep their old version:`,
    ...lines,
    ...more(failures),
    ...advice,
  ]
}

function formatHeldRemovals({ held }: RebuildOutcome): readonly string[] {
  const lines = held.slice(0, SHOWN).map((one) => cleanText(`${formatId(one.seller)}: ${formatHeld(one)}`))
  return [...lines, ...more(held)]
}

function formatRejected({ rejected }: RebuildReport): readonly string[] {
  if (rejected.length === 0) return []
  const lines = rejected
    .slice(0, SHOWN)
    .map(({ collection, id, field, reason }) =>
      cleanText(`${collection}/${formatId(id)} ${field === '' ? '' : `${field} `}${reason}`),
    )
  return [
    `${formatCount(rejected.length, 'oddity', 'oddities')} in documents:`,
    ...lines.map((line) => `  ${line}`),
    ...more(rejected),
  ]
}

function more(list: readonly unknown[]): readonly string[] {
  return list.length > SHOWN ? [`  and ${formatNumber(list.length - SHOWN)} more`] : []
}

function formatPlanned({ pages }: RebuildReport): string {
  return `Planned: ${formatCount(pages.rendered, 'catalogue')} to render, ${formatNumber(pages.removed)} to remove, ${formatNumber(pages.unchanged)} unchanged. Nothing was changed.`
}

function formatDone(outcome: RebuildOutcome, report: RebuildReport): string {
  const { read } = outcome.preparation
  const { pages, reads, ms } = report
  const reading = `${formatCount(reads, 'document')} read${read.wholeReason === null ? '' : ` (${read.wholeReason})`}`
  if (isIdle(outcome)) {
    const done = `Nothing to do: ${formatCount(report.sellers, 'catalogue')} up to date, ${reading}, ${formatTime(ms)}.`
    return [done, ...formatCleanCheck(outcome)].join('\n')
  }
  const rows: readonly Row[] = [
    outcome.lane === 'objects'
      ? ['objects', formatWaiting(outcome)]
      : [
          'catalogues',
          `${formatNumber(pages.rendered)} rendered, ${formatNumber(pages.unchanged)} unchanged, ${formatNumber(pages.removed)} removed, ${formatNumber(pages.failed)} failed`,
        ],
    ['site', `${formatCount(report.sellers, 'seller')}, ${formatCount(report.products, 'product')}`],
    ['source', reading],
    ['code', report.compiled ? 'compiled' : 'unchanged'],
    ...formatAddresses(outcome),
    ...formatCheckRows(outcome),
    ['time', formatTimings(ms, outcome.timings)],
  ]
  return formatRows(rows)
}

function formatWaiting({ waiting }: RebuildOutcome): string {
  return waiting === 0 ? 'nothing to deliver' : `${formatNumber(waiting)} to deliver`
}

/** Whether there was nothing to do, or nothing would be done. */
export function isIdle({ preparation: { plan, check }, isTouched, waiting }: RebuildOutcome): boolean {
  return (
    waiting === 0 &&
    !isTouched &&
    plan.render.length === 0 &&
    plan.remove.length === 0 &&
    countRepaired(check) === 0
  )
}

function countRepaired(check: RebuildPreparation['check']): number {
  return check === null ? 0 : check.damaged.length + check.unlisted.length
}

/** Returns `null` if every named seller is known. */
export function formatUnknownSellers(sellers: readonly string[]): string | null {
  if (sellers.length === 0) return null
  const names = sellers.slice(0, SHOWN).map((seller) => cleanText(formatId(seller)))
  return `Neither the source nor the site knows ${sellers.length === 1 ? 'the seller' : 'the sellers'} ${names.join(', ')}: check the id.`
}

// A stage that took less than a hundredth of the time is left out.
function formatTimings(ms: number, timings: readonly StageTime[]): string {
  const laps = timings
    .filter((lap) => lap.ms > 0 && lap.ms * 100 >= ms)
    .map((lap) => `${lap.stage} ${formatTime(lap.ms)}`)
  return laps.length === 0 ? formatTime(ms) : `${formatTime(ms)} (${laps.join(', ')})`
}
