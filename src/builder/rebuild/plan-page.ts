/** Decides what becomes of each page, and why: pure, so that a dry run is the plan printed. */

import type { Page } from '../../domain/pages/page.ts'
import type { Generation, RecordedPage } from '../state/record/record.ts'

/** What a page would be made from now. Its data is read only where nothing else decides. */
export interface WantedPage {
  readonly kind: Page['kind']
  readonly generation: Generation
  /** What it means when its data differs. */
  readonly difference: 'data' | 'picture'
  readonly readHash: () => string
}

/** The first that applies, in this order. */
export type RenderReason = 'new' | 'unsure' | 'code' | 'settings' | 'runtime' | 'full' | 'data' | 'picture'

export type Decision =
  | { readonly action: 'render'; readonly reason: RenderReason }
  | { readonly action: 'remove'; readonly reason: 'gone' }
  | { readonly action: 'keep' }

const KEEP: Decision = { action: 'keep' }

/** `wanted` is `null` when the page is not to be. */
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

// The text of a sitemap stands for its code and settings, see page-data.ts.
function findChangedInput(recorded: Generation, { kind, generation }: WantedPage): RenderReason | null {
  if (kind === 'sitemap') return null
  if (recorded.code[kind] !== generation.code[kind]) return 'code'
  if (recorded.settings !== generation.settings) return 'settings'
  return recorded.runtime === generation.runtime ? null : 'runtime'
}
