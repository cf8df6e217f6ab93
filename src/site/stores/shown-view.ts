/** The view that the page shows. Its inline script sets it once islands are there, never while rendering. */
import { atom } from 'nanostores'
import type { FilterCounts, View } from '../../domain/catalogue/view.ts'

export interface ShownView {
  readonly view: View
  readonly counts: FilterCounts
}

/** `null` until the inline script has set it. */
export const $shown = atom<ShownView | null>(null)
