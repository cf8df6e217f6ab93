/** Labels of the buttons on cards. A page contains each label once; a button's name refers to a label and a product. */
import { ADD, SHARE } from '../../../domain/messages.ts'

export const CARD_LABELS = {
  add: { id: 'to-add', text: ADD },
  share: { id: 'to-share', text: SHARE },
} as const
