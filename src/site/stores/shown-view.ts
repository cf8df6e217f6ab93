/** The `View` that the page shows. Only the page's inline script sets it, in the browser, once islands are loaded. */
import { atom } from 'nanostores'
import type { FilterCounts, View } from '../../domain/catalogue/view.ts'

export interface ShownView {
  readonly view: View
  readonly counts: FilterCounts
}

/** `null` until the inline script has set it. */
export const $shown = atom<ShownView | null>(null)
