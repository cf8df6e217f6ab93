/** Formats a coordinator's status: a short table, and below it the problems that need attention. */
import { cleanText } from '../../../domain/documents/text.ts'
import type { Status } from '../../../domain/wire/coordinator-status.ts'
import { formatCount, formatSpan } from '../../format-numbers.ts'

type Row = readonly [label: string, text: string]

const SHOWN = 10

export function formatStatus(url: string, status: Status, stuck: readonly string[]): string {
  const rows: readonly Row[] = [
    ['coordinator', url],
    ['waiting', formatWaiting(status)],
    ['running', formatRunning(status)],
    ['last build', formatResult(status)],
    ...formatFailures(status),
    ['live', formatLive(status)],
    ['dispatch', formatDispatch(status)],
    ...formatError(status),
  ]
  const width = Math.max(...rows.map(([label]) => label.length))
  const lines = rows.map(([label, text]) => `${label.padEnd(width)}  ${cleanText(text)}`)
  return [...lines, ...stuck.map((reason) => `\nSTUCK: ${cleanText(reason)}`)].join('\n')
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

function formatFailures({ now, failed, failures }: Status): readonly Row[] {
  const rows = failures.slice(0, SHOWN).map(({ seller, reason, attempts, since, next }): Row => {
    const times = attempts === 1 ? 'once' : `${attempts} times in ${formatAge(now, since)}`
    return ['failed', `seller ${seller}: ${reason} (${times}, again ${formatNext(now, next)})`]
  })
  return failed > rows.length
    ? [...rows, ['', `and ${formatCount(failed - rows.length, 'seller')} more`]]
    : rows
}

function formatLive({ now, publishing: { live, doubtful, held } }: Status): string {
  const what =
    live === null
      ? 'nothing was published yet'
      : `version ${live.version}, sequence ${live.sequence}, for ${formatAge(now, live.at)}`
  const doubt = doubtful === null ? '' : `; perhaps ${doubtful}, whose publisher has not reported`
  return `${what}${doubt}${held === null ? '' : `; HELD for ${formatAge(now, held.since)}: ${held.reason}`}`
}

function formatDispatch({ now, dispatch: { target, sent, next } }: Status): string {
  if (target === null) return 'no target set'
  if (sent !== null) return `${target}, dispatched ${formatAge(now, sent)} ago, no builder yet`
  return next === null ? target : `${target}, next dispatch ${formatNext(now, next)}`
}

function formatError({ now, dispatch: { error, tries } }: Status): readonly Row[] {
  if (error === null) return []
  return [['last error', `${error.reason}, ${formatAge(now, error.at)} ago, try ${tries}`]]
}

function formatNext(now: string, time: string): string {
  const left = Date.parse(time) - Date.parse(now)
  return left <= 0 ? 'now' : `in ${formatSpan(left)}`
}

function formatAge(now: string, time: string | null): string {
  return formatSpan(time === null ? 0 : Math.max(0, Date.parse(now) - Date.parse(time)))
}
