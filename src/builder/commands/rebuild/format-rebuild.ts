/** Formats the outcome of a rebuild for people: first what is wrong, then what was done. */
import { formatId } from '../../../domain/documents/format-id.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import type { Site } from '../../../domain/pages/site.ts'
import { MOST_SEARCHED } from '../../../domain/search/search-file.ts'
import { formatCount, formatNumber } from '../../format-numbers.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { findQuotedAdvice } from '../terminal/format-error.ts'
import type { LabelledRow } from '../terminal/format-lines.ts'
import { listFirst, listRows } from '../terminal/format-lines.ts'
import { formatDifferences } from './format-differences.ts'
import type { RebuildReport } from './rebuild-report.ts'

/** Max lines of a list. */
const SHOWN = 20
/** Max documents named for each kind of oddity. */
const NAMED = 3
/** Max addresses of changed pages. */
const ADDRESSES = 5
/** Where the document is in a file. Lines of a kind differ in it. */
const LINE = / \(line \d+ of [^()]+\)/
/** Width of the labels in the table at the end. */
const WIDTH = 11

// Addresses of a local site are shown without their origin, because the local server may not be running.
const LOCAL = 'http://localhost'

interface FormatOptions {
  readonly site: Pick<Site, 'search' | 'url'>
  readonly isExplained: boolean
}

export function formatOutcome(
  outcome: RebuildOutcome,
  report: RebuildReport,
  { site, isExplained }: FormatOptions,
): string {
  return [
    ...formatFailed(outcome),
    ...formatSearch(report, site),
    ...formatRejected(report),
    ...formatPictures(outcome),
    ...(isExplained ? formatDifferences(outcome) : formatDone(outcome, report, site)),
  ].join('\n')
}

/** Returns one line. */
function formatWork({ written, removed, read }: RebuildOutcome): string {
  const parts = [
    `${formatCount(written.pages, 'page')} written`,
    ...(written.files > 0 ? [`${formatCount(written.files, 'other file')} written`] : []),
    ...(removed > 0 ? [`${formatCount(removed, 'file')} removed`] : []),
    `${formatCount(read.reads, 'document')} read`,
  ]
  return parts.join(', ')
}

/** Lists one failed page of each seller, also of sellers who failed in an earlier run. */
function formatFailed({ failed }: RebuildOutcome): readonly string[] {
  if (failed.length === 0) return []
  const advice = new Set(failed.flatMap(({ reason }) => findQuotedAdvice(reason) ?? []))
  return [
    'These pages failed and stay as they were. They are tried again after a while, or at once with --full:',
    ...list(failed, ({ reason }) => reason),
    ...advice,
  ]
}

function formatSearch({ products }: RebuildReport, site: Pick<Site, 'search'>): readonly string[] {
  if (!site.search || products <= MOST_SEARCHED) return []
  return [
    `The search holds at most ${formatNumber(MOST_SEARCHED)} products, so this site cannot be published with it: set SEARCH=off.`,
  ]
}

/** Sums up the oddities by kind, the most frequent kind first, each with the first documents that have it. */
function formatRejected({ rejected }: RebuildReport): readonly string[] {
  if (rejected.length === 0) return []
  const kinds = Map.groupBy(
    rejected,
    ({ field, reason }) => `${field || 'document'}: ${reason.replace(LINE, '')}`,
  )
  const sorted = [...kinds].toSorted(([, a], [, b]) => b.length - a.length)
  return [
    `${formatCount(rejected.length, 'oddity', 'oddities')} in documents:`,
    ...list(
      sorted,
      ([kind, found]) => `${formatNumber(found.length)} × ${kind} (${formatFirst(found)})`,
      ' kinds',
    ),
    ...(sorted.length < rejected.length ? ['  --json lists each document'] : []),
  ]
}

function formatFirst(found: RebuildReport['rejected']): string {
  const names = found.slice(0, NAMED).map(({ collection, id }) => `${collection}/${formatId(id)}`)
  return `${names.join(', ')}${found.length > NAMED ? ', …' : ''}`
}

function formatPictures({ pictures: { troubles, waiting, undrawn } }: RebuildOutcome): readonly string[] {
  const lost = formatCount(troubles.length, 'photo')
  const left = [
    [waiting, 'photo', 'still without small pictures'],
    [undrawn, 'picture', 'for shared links still to be drawn'],
  ] as const
  return [
    ...(troubles.length === 0 ? [] : [`${lost} without small pictures, shown from the original address:`]),
    ...list(
      troubles,
      ({ product, address, reason }) => `cataloge/${formatId(product)}: ${address} ${reason}`,
      ': npm run photos lists all',
    ),
    ...left.flatMap(([count, noun, what]) =>
      count === 0 ? [] : [`${formatCount(count, noun)} ${what}: run npm run photos`],
    ),
  ]
}

/** Formats the first items. Cleans each line, because names and reasons come from documents. */
function list<Item>(items: readonly Item[], format: (item: Item) => string, advice = ''): readonly string[] {
  const formatLeft = (left: number): string => `  and ${formatNumber(left)} more${advice}`
  return listFirst(items, (item) => `  ${cleanText(format(item))}`, { most: SHOWN, formatLeft })
}

function formatDone(
  outcome: RebuildOutcome,
  { sellers, products, reads, ms }: RebuildReport,
  { url }: Pick<Site, 'url'>,
): readonly string[] {
  const counts = `${formatCount(sellers, 'seller')}, ${formatCount(products, 'product')}`
  if (outcome.isIdle)
    return [`Nothing to do: ${counts}, ${formatCount(reads, 'document')} read, ${formatDuration(ms)}.`]
  const rows: readonly LabelledRow[] = [
    ['done', formatWork(outcome)],
    ...formatAddresses(outcome, url),
    ['everything', outcome.everything === null ? null : `was due: ${cleanText(outcome.everything)}`],
    ['site', counts],
    ['code', outcome.isCompiled ? 'compiled' : null],
    ['time', formatDuration(ms)],
  ]
  return listRows(rows).map(([label, text]) => `  ${label.padEnd(WIDTH)} ${text}`)
}

function formatAddresses({ written: { examples } }: RebuildOutcome, url: string): readonly LabelledRow[] {
  const origin = url.startsWith(LOCAL) ? '' : url
  return examples.slice(0, ADDRESSES).map((path): LabelledRow => {
    const address = path
      .replace(/(^index)?\.html$/, '')
      .split('/')
      .map(encodeURIComponent)
    return ['', cleanText(`${origin}/${address.join('/')}`)]
  })
}

/** Returns e.g. `12 ms` or `1.2 s`. */
function formatDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
