/** The labels of the buttons on every card, which are on the page once: a button is named by its label and its product. */
import { ADD, SHARE } from '../../domain/messages.ts'

export const CARD_LABELS = {
  add: { id: 'para-agregar', text: ADD },
  share: { id: 'para-compartir', text: SHARE },
} as const
