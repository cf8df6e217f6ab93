/** Formats the events of a builder as lines of its log. */
import { cleanText } from '../../../domain/documents/text.ts'
import { formatNumber, formatTime } from '../../format-numbers.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { formatWork } from '../rebuild/format-rebuild.ts'
import { formatNamed, UNPUBLISHED } from '../../publish/pending/format-pending.ts'
import type { BuilderEvent } from './builder-service.ts'

export function formatEvent(event: BuilderEvent): readonly string[] {
  switch (event.kind) {
    case 'dispatched':
      return [`received dispatch ${event.build}${event.isNews ? '' : '; a build is already waiting'}`]
    case 'claimed':
      return [`claimed ${formatNamed(event.named)}`]
    case 'rendered':
      return formatBuilt(event.outcome)
    case 'published':
      return event.lines.map((line) => cleanText(line.trim()))
    case 'unpublished':
      return [`built, ${UNPUBLISHED}`]
    case 'reported':
      return [formatReported(event.pending)]
    case 'trouble':
      return [cleanText(event.message)]
    case 'failed':
      return [`the build did not finish: ${cleanText(event.error.message)} ${formatRetry(event.retry)}`]
  }
}

function formatBuilt(outcome: RebuildOutcome): readonly string[] {
  const failures = outcome.failures.map(({ path, reason }) =>
    cleanText(`${path} failed and keeps its old version, if it has one: ${reason}`),
  )
  return [formatWork(outcome), ...failures]
}

function formatReported(pending: number | null): string {
  if (pending === null) return 'the lease ended before the report: the same sellers are built again'
  return pending === 0
    ? 'reported: nothing waits now'
    : `reported; sellers still pending: ${formatNumber(pending)}`
}

function formatRetry(retry: number | null): string {
  return retry === null ? '(no other try before the next dispatch)' : `(next try in ${formatTime(retry)})`
}
