/** Decides whether a page is rendered, removed or kept, and why. Pure, so that a dry run can print the plan. */
import { isTextKind } from '../../../domain/documents/page-table.ts'
import type { Page } from '../../../domain/pages/page.ts'
import type { Generation, RecordedPage } from '../../state/record/record.ts'

/** The current inputs of a page. Its data is read only if no other input differs. */
export interface WantedPage {
  readonly kind: Page['kind']
  readonly generation: Generation
  /** The reason to report if only the data differs. */
  readonly difference: 'data' | 'picture'
  readonly readHash: () => string
}

/** Why a page is rendered. If several reasons apply, the first in this order is reported. */
export type RenderReason = 'new' | 'unsure' | 'code' | 'settings' | 'runtime' | 'full' | 'data' | 'picture'

type Decision =
  | { readonly action: 'render'; readonly reason: RenderReason }
  | { readonly action: 'remove'; readonly reason: 'gone' }
  | { readonly action: 'keep' }

const KEEP: Decision = { action: 'keep' }

/** `recorded` is `null` if the page is not in the record; `wanted` is `null` if the page should not exist. */
export function planPage(
  recorded: RecordedPage | null,
  wanted: WantedPage | null,
  isFull: boolean,
): Decision {
  if (wanted === null) return recorded === null ? KEEP : { action: 'remove', reason: 'gone' }
  const reason = findReason(recorded, wanted, isFull)
  return reason === null ? KEEP : { action: 'render', reason }
}

function findReason(recorded: RecordedPage | null, wanted: WantedPage, isFull: boolean): RenderReason | null {
  if (recorded === null) return 'new'
  if (recorded.isUnsure) return 'unsure'
  const changed = findChangedInput(recorded.generation, wanted)
  if (changed !== null) return changed
  if (isFull) return 'full'
  return recorded.data === wanted.readHash() ? null : wanted.difference
}

// Skips text pages: their data is their text, so a change of code or settings also changes the hash of their data.
function findChangedInput(recorded: Generation, { kind, generation }: WantedPage): RenderReason | null {
  if (isTextKind(kind)) return null
  if (recorded.code[kind] !== generation.code[kind]) return 'code'
  if (recorded.settings !== generation.settings) return 'settings'
  return recorded.runtime === generation.runtime ? null : 'runtime'
}
