/** Formats the plan of a dry run. Cleans text from documents for the terminal. */
import { findEntry, findScope, isOn, listSellerKinds } from '../../../domain/documents/page-table.ts'
import { formatPagePath } from '../../../domain/documents/page-address.ts'
import { PAGE_SWITCHES } from '../../../domain/documents/page-switches.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import type { Site } from '../../../domain/pages/site.ts'
import { formatCount } from '../../format-numbers.ts'
import type { Explainer } from '../../rebuild/plan/explain-plan.ts'
import type { PageSource } from '../../rebuild/plan/page-sources.ts'
import type { RenderReason } from '../../rebuild/plan/plan-page.ts'
import type { PlanInput } from '../../rebuild/plan/plan-site.ts'
import type { OutputTrust } from '../../state/output/output-identity.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { formatCause } from './format-cause.ts'

type RemovalReason = 'gone' | 'product gone' | 'off' | 'unlisted'
type Reason = RenderReason | RemovalReason

const REASONS: Readonly<Record<Reason, string>> = {
  new: 'not rendered before',
  unsure: 'its file is missing, damaged or half written',
  code: 'the code changed',
  settings: 'a setting of the site changed',
  runtime: 'Node or its Unicode data changed',
  full: 'requested with --full',
  data: 'its data changed',
  picture: 'one of its pictures became ready, changed or was lost',
  gone: 'its seller is gone',
  'product gone': 'its product is no longer shown',
  off: 'a setting switches such pages off',
  unlisted: 'nothing is left to list in it',
}

interface PlannedLine {
  readonly reason: Reason
  readonly text: string
  /**
   * Returns lines that say which inputs of the page changed, or which setting switches the page off. Returns no line
   * for a removal with another reason.
   */
  readonly explain: () => readonly string[]
}

/** Max pages explained for each reason. */
const SHOWN = 20

/** Returns the first pages of each reason, with what changed in the inputs of each page. */
export function formatPlan(outcome: RebuildOutcome, explainer: Explainer): string {
  const groups = Map.groupBy(listLines(outcome, explainer), ({ reason }) => reason)
  return [...formatScope(outcome), ...[...groups.values()].flatMap(formatGroup)].join('\n')
}

/** Lists, for each seller, the addresses of pages to which no other page links. */
export function formatUnlinked(sellers: readonly string[], site: Site): readonly string[] {
  const kinds = listSellerKinds().filter((kind) => findEntry(kind).isUnlinked === true && isOn(kind, site))
  return sellers.flatMap((seller) =>
    kinds.map((kind) => {
      const path = formatPagePath({ kind, seller, product: null })
      return `not linked  ${cleanText(site.url + path)}  (${findEntry(kind).name})`
    }),
  )
}

// Explains why the run read or planned more than the changed sellers.
function formatScope({ preparation: { read, trust, isWhole } }: RebuildOutcome): readonly string[] {
  const wholeRead = read.wholeReason === null ? [] : [`The whole source was read: ${read.wholeReason}.`]
  return isWhole ? [...wholeRead, `Every page and file was checked: ${CHECKED[trust]}.`] : wholeRead
}

const CHECKED: Readonly<Record<OutputTrust, string>> = {
  empty: 'the output folder is empty',
  other: 'the output folder is not as the last run with this state left it',
  foreign: 'the output folder has files that do not belong to this site',
  trusted: 'requested with --verify, or the state was replaced, or files may be lost after a power cut',
}

function formatGroup(lines: readonly PlannedLine[]): readonly string[] {
  const left = lines.length - SHOWN
  let last = ''
  const shown = lines.slice(0, SHOWN).flatMap(({ text, explain }) => {
    const causes = explain().map((cause) => `        ${cleanText(cause)}`)
    const words = causes.join('\n')
    const isRepeated = causes.length > 0 && words === last
    last = words
    return [text, ...(isRepeated ? ['        likewise'] : causes)]
  })
  if (left <= 0) return shown
  return [...shown, `and ${formatCount(left, 'page')} more for this reason`]
}

function listLines(
  { preparation: { plan, planInput } }: RebuildOutcome,
  explainer: Explainer,
): readonly PlannedLine[] {
  const rendered = plan.render.map((step): PlannedLine => ({
    reason: step.reason,
    text: formatStep('render', step.path, step.reason),
    explain: () => explainer.explain(step).map(formatCause),
  }))
  const removed = plan.remove.map((page): PlannedLine => {
    const reason = findRemovalReason(page, planInput)
    return {
      reason,
      text: formatStep('remove', page.path, reason),
      explain: () => explainRemoval(page, reason),
    }
  })
  return [...rendered, ...removed]
}

function findRemovalReason(
  { kind, seller }: PageSource,
  { settings }: Pick<PlanInput, 'settings'>,
): RemovalReason {
  if (seller === null) return 'unlisted'
  if (!isOn(kind, settings)) return 'off'
  return findScope(kind) === 'product' ? 'product gone' : 'gone'
}

function explainRemoval({ kind }: PageSource, reason: RemovalReason): readonly string[] {
  const { switch: name } = findEntry(kind)
  return reason === 'off' && name !== undefined ? [`${PAGE_SWITCHES[name].variable}=off`] : []
}

function formatStep(action: string, path: string, reason: Reason): string {
  return `${action}  ${cleanText(path)}  (${REASONS[reason]})`
}
