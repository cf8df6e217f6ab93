/** The two selects of a catalogue, by the part of the `View` that they show. */
import type { View } from '../../../domain/catalogue/view.ts'
import { DECANT_CHOICES, ORDERS, PARAMETERS, parseChoice } from '../../../domain/catalogue/view.ts'
import { find } from '../find.ts'

export const SELECTS = ['decants', 'order'] as const

export function findSelect(part: (typeof SELECTS)[number]): HTMLSelectElement | null {
  return find(`select[name=${PARAMETERS[part]}]`)
}

export function readSelects(): Pick<View, (typeof SELECTS)[number]> {
  return {
    decants: parseChoice(DECANT_CHOICES, findSelect('decants')?.value),
    order: parseChoice(ORDERS, findSelect('order')?.value),
  }
}
