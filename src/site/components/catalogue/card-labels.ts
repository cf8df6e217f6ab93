/** Labels of the buttons on cards, each on the page once: the name of a button joins its label and its product. */
import { ADD, SHARE } from '../../../domain/messages.ts'

export const CARD_LABELS = {
  add: { id: 'to-add', text: ADD },
  share: { id: 'to-share', text: SHARE },
} as const
