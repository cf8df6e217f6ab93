/**
 * Labels of the buttons on cards. A page contains each label once; the accessible name of a button consists of a label
 * and the product's name.
 */
import { ADD, SHARE } from '../../domain/messages.ts'

export const CARD_LABELS = {
  add: { id: 'to-add', text: ADD },
  share: { id: 'to-share', text: SHARE },
} as const
