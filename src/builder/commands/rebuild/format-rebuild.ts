/** Formats the outcome of a rebuild for people: first what is wrong, then what was done, or would be. */
import { formatId } from '../../../domain/documents/format-id.ts'
import type { Site } from '../../../domain/pages/site.ts'
import { MOST_SEARCHED } from '../../../domain/search/search-file.ts'
import { formatCount, formatNumber } from '../../format-numbers.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { findAdvice } from '../terminal/format-error.ts'
import type { LabelledRow } from '../terminal/format-lines.ts'
import { formatTable, listFirst } from '../terminal/format-lines.ts'
import { formatDifferences } from './format-differences.ts'
import { createRebuildReport } from './rebuild-report.ts'

/** Max lines of a list. */
const SHOWN = 20
/** Max documents named for each kind of oddity. */
const NAMED = 3
/** Max addresses of changed pages. */
const ADDRESSES = 5
/** The document's place in a file. Lines of a kind differ in it. */
const LINE = / \(line \d+ of [^()]+\)/

/** `ms`: how long the run took. */
export function formatOutcome(outcome: RebuildOutcome, site: Site, ms: number): string {
  return [...formatProblems(outcome, site), ...formatDone(outcome, site, ms)].join('\n')
}

/** Formats a run that only found what would differ. */
export function formatExplained(outcome: RebuildOutcome, site: Site): string {
  return [...formatProblems(outcome, site), ...formatDifferences(outcome)].join('\n')
}

function formatProblems(outcome: RebuildOutcome, site: Site): readonly string[] {
  return [
    ...formatFailed(outcome),
    ...formatSearch(outcome, site),
    ...formatRejected(outcome),
    ...formatPictures(outcome),
  ]
}

/** Lists one failed page of each seller, also of sellers who failed in an earlier run. */
function formatFailed({ failed }: RebuildOutcome): readonly string[] {
  if (failed.length === 0) return []
  return [
    'These pages failed and stay as they were. They are tried again after a while, or at once with --full:',
    ...listFirst(failed, ({ reason }) => reason, { most: SHOWN }),
    ...new Set(failed.flatMap(({ reason }) => findAdvice(reason) ?? [])),
  ]
}

function formatSearch({ totals: { products } }: RebuildOutcome, { search }: Site): readonly string[] {
  if (!search || products <= MOST_SEARCHED) return []
  return [
    `The search holds at most ${formatNumber(MOST_SEARCHED)} products, so this site cannot be published with it: set SEARCH=off.`,
  ]
}

/** Sums up the oddities by kind, the most frequent kind first, each with the first documents that have it. */
function formatRejected(outcome: RebuildOutcome): readonly string[] {
  const { rejected } = createRebuildReport(outcome, 0)
  if (rejected.length === 0) return []
  const kinds = Map.groupBy(
    rejected,
    ({ field, reason }) => `${field || 'document'}: ${reason.replace(LINE, '')}`,
  )
  const format = ([kind, found]: readonly [string, typeof rejected]): string => {
    const names = found.slice(0, NAMED).map(({ collection, id }) => `${collection}/${formatId(id)}`)
    return `${formatNumber(found.length)} × ${kind} (${names.join(', ')}${found.length > NAMED ? ', …' : ''})`
  }
  const sorted = [...kinds].toSorted(([, a], [, b]) => b.length - a.length)
  return [
    `${formatCount(rejected.length, 'oddity', 'oddities')} in documents, which --json lists:`,
    ...listFirst(sorted, format, { most: SHOWN, more: ' kinds' }),
  ]
}

function formatPictures({ pictures: { troubles, left } }: RebuildOutcome): readonly string[] {
  const format = ({ product, address, reason }: (typeof troubles)[number]): string =>
    `cataloge/${formatId(product)}: ${address} ${reason}`
  const lost = `${formatCount(troubles.length, 'photo')} without small pictures, shown from the original address:`
  return [
    ...(troubles.length === 0 ? [] : [lost]),
    ...listFirst(troubles, format, { most: SHOWN, more: ': npm run photos lists all' }),
    ...(left === 0 ? [] : [`${formatCount(left, 'picture')} still to be made: run npm run photos`]),
  ]
}

function formatDone(outcome: RebuildOutcome, site: Site, ms: number): readonly string[] {
  const { totals, read, isIdle, everything, isCompiled } = outcome
  const counts = `${formatCount(totals.sellers, 'seller')}, ${formatCount(totals.products, 'product')}`
  const time = ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
  const reads = `${formatCount(read.reads, 'document')} read`
  if (isIdle) return [`Nothing to do: ${counts}, ${reads}, ${time}.`]
  return formatTable([
    ['done', [...listWork(outcome), reads].join(', ')],
    ...listAddresses(outcome, site),
    ['everything', everything === null ? null : `was due: ${everything}`],
    ['site', counts],
    ['code', isCompiled ? 'compiled' : null],
    ['time', time],
  ])
}

function listWork({ written, removed }: RebuildOutcome): readonly string[] {
  return [
    `${formatCount(written.pages, 'page')} written`,
    ...(written.files > 0 ? [`${formatCount(written.files, 'other file')} written`] : []),
    ...(removed > 0 ? [`${formatCount(removed, 'file')} removed`] : []),
  ]
}

/** Lists the addresses of some of the pages that were written. A local site may be served at any port. */
function listAddresses({ written: { examples } }: RebuildOutcome, { url }: Site): readonly LabelledRow[] {
  const origin = url.startsWith('http://localhost') ? '' : url
  return examples.slice(0, ADDRESSES).map((file) => {
    const names = file.replace(/(^index)?\.html$/, '').split('/')
    return ['', `${origin}/${names.map(encodeURIComponent).join('/')}`]
  })
}
