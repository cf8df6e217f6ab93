/** The labels of the buttons on every card, which are on the page once: a button is named by its label and its product. */
import { ADD, SHARE } from '../../../domain/messages.ts'

export const CARD_LABELS = {
  add: { id: 'to-add', text: ADD },
  share: { id: 'to-share', text: SHARE },
} as const
