/** The visitor's view after hydration. Set only by actions of the visitor, never while rendering. */
import { atom } from 'nanostores'
import type { View } from '../../domain/catalogue/view.ts'
import { EVERYTHING } from '../../domain/catalogue/view.ts'

export const $view = atom<View>(EVERYTHING)

export function chooseView(change: Partial<View>): void {
  $view.set({ ...$view.get(), ...change })
}
