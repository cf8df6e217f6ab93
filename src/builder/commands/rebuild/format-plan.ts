/** Formats the plan of a dry run for people. Text from documents is cleaned for the terminal. */
import { cleanText } from '../../../domain/documents/text.ts'
import type { Page } from '../../../domain/pages/page.ts'
import type { Generation, RecordedPage } from '../../state/record/record.ts'
import type { RenderReason } from '../../rebuild/plan-page.ts'
import type { RenderStep } from '../../rebuild/plan-site.ts'
import type { RebuildPreparation } from '../../rebuild/prepare-rebuild.ts'
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
