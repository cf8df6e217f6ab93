/** Labels of the buttons on cards. Each is on the page once: a button's name refers to its label and its product. */
import { ADD, SHARE } from '../../../domain/messages.ts'

export const CARD_LABELS = {
  add: { id: 'to-add', text: ADD },
  share: { id: 'to-share', text: SHARE },
} as const
