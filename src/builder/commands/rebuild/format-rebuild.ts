/** Formats a rebuild's report for people. Text from documents is cleaned for the terminal. */
import type { Page } from '../../../domain/pages/page.ts'
import type { Generation, RecordedPage } from '../../state/record/record.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import { formatCount, formatNumber, formatTime } from '../../format-numbers.ts'
import type { StageTime } from '../../rebuild/timings.ts'
import type { RenderReason } from '../../rebuild/plan-page.ts'
import { findQuotedAdvice } from '../format-error.ts'
import { formatPictures } from './format-pictures.ts'
import type { RenderStep } from '../../rebuild/plan-site.ts'
import type { RebuildPreparation } from '../../rebuild/prepare-rebuild.ts'
import type { RebuildReport } from './rebuild-report.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'

type Reason = RenderReason | 'gone' | 'unlisted'

const REASONS: Readonly<Record<Reason, string>> = {
  new: 'not rendered before',
  unsure: 'its file is missing, damaged or was half written',
  code: 'the code changed',
  settings: 'a setting of the site changed',
  runtime: 'Node or its Unicode data changed',
  full: 'asked for with --full',
  data: 'its data changed',
  picture: 'a picture of it became ready or changed',
  gone: 'its seller is gone',
  unlisted: 'there is nothing left to list in it',
}

const SHOWN = 20

export function formatOutcome(outcome: RebuildOutcome, report: RebuildReport): string {
  const parts = [
    ...formatFailures(outcome),
    ...formatRejected(report),
    ...formatPictures(outcome.preparation.pictures),
    outcome.isDry ? formatPlanned(report) : formatDone(outcome, report),
  ]
  return parts.join('\n')
}

/** Returns a line for each page of the plan, with its reason; `isExplained` adds the inputs that decided. */
export function formatPlan({ preparation }: RebuildOutcome, isExplained: boolean): string {
  const { plan } = preparation
  const rendered = plan.render.flatMap((step) => [
    formatStep('render', step.page.path, step.reason),
    ...(isExplained ? [formatInputs(step, preparation)] : []),
  ])
  const removed = plan.remove.map(({ path, seller }) =>
    formatStep('remove', path, seller === null ? 'unlisted' : 'gone'),
  )
  return [...rendered, ...removed].join('\n')
}

function formatStep(action: string, path: string, reason: Reason): string {
  return `${action}  ${cleanText(path)}  (${REASONS[reason]})`
}

function formatInputs({ page, recorded }: RenderStep, { code }: RebuildPreparation): string {
  const now: readonly [string, string][] = [
    ...listInputs(code.generation, page.kind),
    ['data', page.read()?.hash ?? ''],
  ]
  const before = recorded === null ? [] : listRecorded(recorded, page.kind)
  const parts = now.map(([name, value]) => {
    const old = before.find(([key]) => key === name)?.[1]
    return old === value ? `${name} same` : `${name} ${formatChange(old ?? 'none', value)}`
  })
  return `        ${cleanText(parts.join(', '))}`
}

function listInputs(
  { code, settings, runtime }: Generation,
  kind: Page['kind'],
): readonly [string, string][] {
  return [
    ['code', kind === 'sitemap' ? '' : code[kind]],
    ['settings', settings],
    ['runtime', runtime],
  ]
}

function listRecorded({ generation, data }: RecordedPage, kind: Page['kind']): readonly [string, string][] {
  return [...listInputs(generation, kind), ['data', data]]
}

/** Settings are JSON objects: only those that differ are shown. */
function formatChange(old: string, now: string): string {
  if (!old.startsWith('{') || !now.startsWith('{')) return `${shorten(old)} → ${shorten(now)}`
  const before: Readonly<Record<string, unknown>> = JSON.parse(old)
  const after: Readonly<Record<string, unknown>> = JSON.parse(now)
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changes = keys.map((key) => [key, JSON.stringify(before[key]), JSON.stringify(after[key])] as const)
  return changes
    .filter(([, from, to]) => from !== to)
    .map(([key, from, to]) => `${key} ${from ?? 'none'} → ${to ?? 'none'}`)
    .join(', ')
}

function shorten(value: string): string {
  return /^[0-9a-f]{64}$/.test(value) ? value.slice(0, 8) : value
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

function formatRejected({ rejected }: RebuildReport): readonly string[] {
  if (rejected.length === 0) return []
  const lines = rejected
    .slice(0, SHOWN)
    .map(({ collection, id, field, reason }) =>
      cleanText(`${collection}/${id} ${field === '' ? '' : `${field} `}${reason}`),
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
  const { read, check } = outcome.preparation
  const { pages, reads, ms } = report
  const reading = `${formatCount(reads, 'document')} read${read.wholeReason === null ? '' : ` (${read.wholeReason})`}`
  const repaired = countRepaired(check)
  if (isIdle(outcome)) {
    return `Nothing to do: ${formatCount(report.sellers, 'catalogue')} up to date, ${reading}, ${formatTime(ms)}.`
  }
  const rows: readonly [string, string][] = [
    [
      'catalogues',
      `${formatNumber(pages.rendered)} rendered, ${formatNumber(pages.unchanged)} unchanged, ${formatNumber(pages.removed)} removed, ${formatNumber(pages.failed)} failed`,
    ],
    ['site', `${formatCount(report.sellers, 'seller')}, ${formatCount(report.products, 'product')}`],
    ['source', reading],
    ['code', report.compiled ? 'compiled' : 'unchanged'],
    ...(repaired === 0 ? [] : [['repaired', formatCount(repaired, 'file')] as [string, string]]),
    ['time', `${formatTime(ms)} (${outcome.timings.map(formatLap).join(', ')})`],
  ]
  return rows.map(([name, value]) => `  ${name.padEnd(11)} ${value}`).join('\n')
}

/** Whether there was nothing to do, or nothing would be done. */
export function isIdle({ preparation: { plan, check }, isTouched }: RebuildOutcome): boolean {
  return !isTouched && plan.render.length === 0 && plan.remove.length === 0 && countRepaired(check) === 0
}

function countRepaired(check: RebuildPreparation['check']): number {
  return check === null ? 0 : check.damaged.length + check.unlisted.length
}

/** Returns `null` if every named seller is known. */
export function formatUnknownSellers(sellers: readonly string[]): string | null {
  if (sellers.length === 0) return null
  const names = sellers.slice(0, SHOWN).map((seller) => cleanText(seller))
  return `Neither the source nor the site knows ${sellers.length === 1 ? 'the seller' : 'the sellers'} ${names.join(', ')}: check the id.`
}

function formatLap({ stage, ms }: StageTime): string {
  return `${stage} ${formatTime(ms)}`
}
