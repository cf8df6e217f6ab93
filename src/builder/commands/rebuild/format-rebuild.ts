/** Formats a rebuild's report for people. Cleans text from documents for the terminal. */
import { formatId } from '../../../domain/documents/format-id.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import { MOST_SEARCHED } from '../../../domain/search/search-file.ts'
import { formatCount, formatNumber, formatTime } from '../../format-numbers.ts'
import type { RebuildPreparation } from '../../rebuild/prepare-rebuild.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { formatHeld } from '../../rebuild/read/shrink-guard.ts'
import type { StageTime } from '../../rebuild/timings.ts'
import type { PicturePreparation } from '../../pictures/pictures.ts'
import { findQuotedAdvice } from '../terminal/format-error.ts'
import type { LabelledRow } from '../terminal/format-lines.ts'
import { listFirst, listRows } from '../terminal/format-lines.ts'
import { formatAddresses } from './format-addresses.ts'
import { formatSettings } from './format-cause.ts'
import { formatCheckRows, formatCleanCheck, formatDryCheck } from './format-check.ts'
import type { ChangedPages, RebuildReport } from './rebuild-report.ts'

const SHOWN = 20
/** Max documents named for each kind of oddity. */
const NAMED = 3
/** Width of the labels in the table at the end of the report. */
const WIDTH = 11

export function formatOutcome(outcome: RebuildOutcome, report: RebuildReport): string {
  const parts = [
    ...formatFailures(outcome),
    ...formatHeldRemovals(outcome),
    ...formatSearch(outcome),
    ...formatRejected(report),
    ...formatPictures(outcome.preparation.pictures),
    ...(outcome.isDry ? [...formatDryCheck(outcome), formatPlanned(report)] : [formatDone(outcome, report)]),
  ]
  return parts.join('\n')
}

function formatFailures({ failures }: RebuildOutcome): readonly string[] {
  if (failures.length === 0) return []
  const advice = new Set(failures.flatMap(({ reason }) => findQuotedAdvice(reason) ?? []))
  return [
    `${formatCount(failures.length, 'page')} failed; each keeps its old version, if it has one:`,
    ...list(failures, ({ path, reason }) => `${path}: ${reason}`),
    ...advice,
  ]
}

function formatHeldRemovals({ held }: RebuildOutcome): readonly string[] {
  return list(held, (one) => `${formatId(one.seller)}: ${formatHeld(one)}`, { indent: '' })
}

function formatSearch({
  totals: { products },
  preparation: { planInput },
}: RebuildOutcome): readonly string[] {
  if (!planInput.settings.search || products <= MOST_SEARCHED) return []
  return [
    `The search holds at most ${formatNumber(MOST_SEARCHED)} products, so this site cannot be published with it: set SEARCH=off.`,
  ]
}

/** Sums up the oddities by kind, the most frequent kind first, each with the first documents that have it. */
function formatRejected({ rejected }: RebuildReport): readonly string[] {
  if (rejected.length === 0) return []
  const kinds = Map.groupBy(rejected, ({ field, reason }) => `${field || 'document'}: ${reason}`)
  const sorted = [...kinds].toSorted(([, a], [, b]) => b.length - a.length)
  return [
    `${formatCount(rejected.length, 'oddity', 'oddities')} in documents:`,
    ...list(sorted, ([kind, found]) => `${formatNumber(found.length)} × ${kind} (${formatFirst(found)})`, {
      advice: ' kinds',
    }),
    ...(sorted.length < rejected.length ? ['  --json lists each document'] : []),
  ]
}

function formatFirst(found: RebuildReport['rejected']): string {
  const names = found.slice(0, NAMED).map(({ collection, id }) => `${collection}/${formatId(id)}`)
  return `${names.join(', ')}${found.length > NAMED ? ', …' : ''}`
}

function formatPictures({ troubles, waiting, undrawn }: PicturePreparation): readonly string[] {
  return [
    ...(troubles.length === 0
      ? []
      : [
          `${formatCount(troubles.length, 'photo')} without small pictures, shown from the original address:`,
        ]),
    ...list(
      troubles,
      ({ product, address, reason }) => `cataloge/${formatId(product)}: ${address} ${reason}`,
      { advice: ': npm run photos lists all' },
    ),
    ...(waiting > 0
      ? [`${formatCount(waiting, 'photo')} still without small pictures: run npm run photos`]
      : []),
    ...(undrawn > 0
      ? [`${formatCount(undrawn, 'picture')} for shared links still to be drawn: run npm run photos`]
      : []),
  ]
}

interface ListStyle {
  readonly indent?: string
  readonly advice?: string
}

/** Formats the first items. Cleans each line, because names and reasons come from documents. */
function list<Item>(
  items: readonly Item[],
  format: (item: Item) => string,
  { indent = '  ', advice = '' }: ListStyle = {},
): readonly string[] {
  const formatLeft = (left: number): string => `  and ${formatNumber(left)} more${advice}`
  return listFirst(items, (item) => `${indent}${cleanText(format(item))}`, { most: SHOWN, formatLeft })
}

function formatPlanned({ pages, productPages, otherPages }: RebuildReport): string {
  const rendered = [
    formatCount(pages.rendered, 'catalogue'),
    ...(productPages.rendered === 0 ? [] : [formatCount(productPages.rendered, 'product page')]),
    ...(otherPages.rendered === 0 ? [] : [formatCount(otherPages.rendered, 'other page')]),
  ]
  const removed = pages.removed + productPages.removed + otherPages.removed
  return `Planned: ${formatList(rendered)} to render, ${formatNumber(removed)} to remove, ${formatCount(pages.unchanged, 'catalogue')} unchanged. Nothing was changed.`
}

function formatList(items: readonly string[]): string {
  return [...(items.length > 1 ? [items.slice(0, -1).join(', ')] : []), ...items.slice(-1)].join(' and ')
}

function formatDone(outcome: RebuildOutcome, report: RebuildReport): string {
  const { read } = outcome.preparation
  const { pages, reads, ms } = report
  const reading = `${formatCount(reads, 'document')} read${read.wholeReason === null ? '' : ` (${read.wholeReason})`}`
  if (isIdle(outcome)) {
    const done = `Nothing to do: ${formatCount(report.sellers, 'catalogue')} up to date, ${reading}, ${formatTime(ms)}.`
    return [done, ...formatCleanCheck(outcome)].join('\n')
  }
  const rows: readonly LabelledRow[] = [
    [
      'catalogues',
      `${formatNumber(pages.rendered)} rendered, ${formatNumber(pages.unchanged)} unchanged, ${formatNumber(pages.removed)} removed, ${formatNumber(pages.failed)} failed`,
    ],
    ...listChanged('products', report.productPages),
    ...listChanged('others', report.otherPages),
    ['site', `${formatCount(report.sellers, 'seller')}, ${formatCount(report.products, 'product')}`],
    ['source', reading],
    ['code', formatCode(outcome, report)],
    ...listSettings(outcome),
    ...formatAddresses(outcome),
    ...formatCheckRows(outcome),
    ['time', formatTimings(ms, outcome.timings)],
  ]
  return listRows(rows)
    .map(([label, text]) => `  ${label.padEnd(WIDTH)} ${text}`)
    .join('\n')
}

function formatCode({ preparation: { plan } }: RebuildOutcome, { compiled }: RebuildReport): string {
  if (compiled) return 'compiled'
  return plan.render.some(({ reason }) => reason === 'code') ? 'changed, compiled before' : 'unchanged'
}

/** Returns a row with the numbers of rendered, removed and failed pages; no row if all are 0. */
function listChanged(label: string, { rendered, removed, failed }: ChangedPages): readonly LabelledRow[] {
  if (rendered + removed + failed === 0) return []
  const text = `${formatNumber(rendered)} rendered, ${formatNumber(removed)} removed, ${formatNumber(failed)} failed`
  return [[label, text]]
}

/** Returns a row with the settings that changed, if pages are rendered because of them. */
function listSettings({ preparation: { plan, code } }: RebuildOutcome): readonly LabelledRow[] {
  const before = plan.render.find(({ reason }) => reason === 'settings')?.recorded?.generation.settings
  if (before === undefined) return []
  return [['settings', cleanText(formatSettings(before, code.generation.settings))]]
}

/** Returns whether the rebuild had nothing to do or, for a dry run, would have nothing to do. */
export function isIdle({ preparation: { plan, check }, isTouched }: RebuildOutcome): boolean {
  return !isTouched && plan.render.length === 0 && plan.remove.length === 0 && countRepaired(check) === 0
}

function countRepaired(check: RebuildPreparation['check']): number {
  return check === null ? 0 : check.damaged.length + check.unlisted.length
}

/** Returns the message about requested sellers that do not exist; `null` if there are none. */
export function formatUnknownSellers(sellers: readonly string[]): string | null {
  if (sellers.length === 0) return null
  const names = sellers.slice(0, SHOWN).map((seller) => cleanText(formatId(seller)))
  return `Neither the source nor the site knows ${sellers.length === 1 ? 'the seller' : 'the sellers'} ${names.join(', ')}: check the id.`
}

// Skips stages that took less than a hundredth of the total time.
function formatTimings(ms: number, timings: readonly StageTime[]): string {
  const laps = timings
    .filter((lap) => lap.ms > 0 && lap.ms * 100 >= ms)
    .map((lap) => `${lap.stage} ${formatTime(lap.ms)}`)
  return laps.length === 0 ? formatTime(ms) : `${formatTime(ms)} (${laps.join(', ')})`
}
