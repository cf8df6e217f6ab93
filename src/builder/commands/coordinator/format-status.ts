/** Formats a site's status: the verdict with the worst problem, a table, and all further problems. */
import { formatId } from '../../../domain/documents/format-id.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import type { Status } from '../../../domain/wire/coordinator-status.ts'
import { formatAge, formatCount, formatSpan } from '../../format-numbers.ts'
import type { Hosted } from '../../publish/cloudflare/hosted-versions.ts'
import type { LabelledRow } from '../terminal/format-lines.ts'
import { alignColumns, listFirst, listRows } from '../terminal/format-lines.ts'
import type { StatusVerdict } from './find-verdict.ts'

const SHOWN = 10

/** The verdict on a status, and facts that the status does not contain. */
export interface Judged extends StatusVerdict {
  /** `null` if Cloudflare was not asked or did not answer. */
  readonly hosted: Hosted | null
  /** Why Cloudflare did not answer; `null` if it answered or was not asked. */
  readonly problem: string | null
}

export function formatStatus(url: string, status: Status, judged: Judged): string {
  const rows: readonly LabelledRow[] = [
    ['coordinator', url],
    ['waiting', formatWaiting(status)],
    ['running', formatRunning(status)],
    ['last build', formatResult(status)],
    ['last full read', formatAgo(status.now, status.lastFull)],
    ['last notice', formatAgo(status.now, status.lastNotice)],
    ...listFailures(status),
    ['live', formatLive(status)],
    ['at Cloudflare', formatHosted(judged)],
    ['photos', formatPhotos(status)],
    ['dispatch', formatDispatch(status)],
    ['last error', formatError(status)],
  ]
  const table = alignColumns(listRows(rows).map(([label, text]) => [label, cleanText(text)]))
  const further = judged.stuck.slice(1).map((reason) => `\nATTENTION: ${cleanText(reason)}`)
  return [cleanText(judged.line), '', ...table, ...further].join('\n')
}

function formatHosted({ hosted, problem }: Judged): string | null {
  if (problem !== null) return `not known: ${problem}`
  if (hosted === null) return null
  const live = hosted.live.map((id) => {
    const version = hosted.versions.find((one) => one.version === id)
    return version === undefined
      ? id
      : `${id} (${version.tag || version.trigger || 'no tag'}, ${version.created})`
  })
  return live.length === 0 ? 'nothing is live' : live.join(' and ')
}

function formatPhotos({ photos }: Status): string | null {
  if (photos === null) return null
  return photos === 0 ? 'no pictures still to be made' : `${formatCount(photos, 'picture')} still to be made`
}

function formatAgo(now: string, time: string | null): string {
  return time === null ? 'none yet' : `${formatAge(now, time)} ago`
}

function formatWaiting({ now, pending, full, oldest }: Status): string {
  if (pending === 0 && !full) return 'nothing'
  const what = [...(pending > 0 ? [formatCount(pending, 'seller')] : []), ...(full ? ['a full read'] : [])]
  return `${what.join(' and ')}, the oldest change ${formatAge(now, oldest)} old`
}

function formatRunning({ now, running }: Status): string {
  if (running === null) return 'nothing'
  const { builder, full, since } = running
  return `${builder}, ${full ? 'reading everything, ' : ''}for ${formatAge(now, since)}`
}

function formatResult({ now, result }: Status): string {
  if (result === null) return 'none yet'
  const ago = `${formatAge(now, result.at)} ago`
  if (result.error !== null) return `nothing published, ${ago}: ${result.error}`
  const failed = result.failed === 0 ? '' : `, ${formatCount(result.failed, 'page')} failed`
  return `published ${ago} after ${formatSpan(result.ms)}${result.full ? ', a full read' : ''}${failed}`
}

function listFailures({ now, failed, failures }: Status): readonly LabelledRow[] {
  return listSellers('failed', failures, {
    total: failed,
    format: ({ seller, reason, attempts, since, next }) => {
      const times = attempts === 1 ? 'once' : `${attempts} times in ${formatAge(now, since)}`
      return `seller ${formatId(seller)}: ${reason} (${times}, next try ${formatNext(now, next)})`
    },
  })
}

interface ListedSellers<Item> {
  /** Total number of sellers; `items` may contain only some of them. */
  readonly total: number
  readonly format: (item: Item) => string
}

function listSellers<Item>(
  label: string,
  items: readonly Item[],
  { total, format }: ListedSellers<Item>,
): readonly LabelledRow[] {
  const shown = Math.min(items.length, SHOWN)
  const formatLeft = (left: number): string => `and ${formatCount(left, 'seller')} more`
  const texts = listFirst(items, format, { most: SHOWN, total, formatLeft })
  return texts.map((text, index) => [index < shown ? label : '', text])
}

function formatLive({ now, publishing: { live, doubtful, held } }: Status): string {
  const what =
    live === null
      ? 'no publish is recorded yet'
      : `version ${live.version}, sequence ${live.sequence}, for ${formatAge(now, live.at)}`
  const doubt =
    doubtful === null ? '' : `; or perhaps version ${doubtful}, whose publisher has not reported the result`
  return `${what}${doubt}${held === null ? '' : `; HELD for ${formatAge(now, held.since)}: ${held.reason}`}`
}

function formatDispatch({ now, dispatch: { target, sent, next } }: Status): string {
  if (target === null) return 'no target set'
  if (sent !== null) return `${target}, dispatched ${formatAge(now, sent)} ago, not yet claimed by a builder`
  return next === null ? target : `${target}, next dispatch ${formatNext(now, next)}`
}

function formatError({ now, dispatch: { error, tries } }: Status): string | null {
  return error && `${error.reason}, ${formatAge(now, error.at)} ago, try ${tries}`
}

function formatNext(now: string, time: string): string {
  const left = Date.parse(time) - Date.parse(now)
  return left <= 0 ? 'now' : `in ${formatSpan(left)}`
}
