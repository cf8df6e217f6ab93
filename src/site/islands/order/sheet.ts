/**
 * A dialog at the lower edge of a phone's screen, within a thumb's reach, or in the centre of a larger screen. The
 * dialog's CSS is part of this module, so that pages need not contain it.
 */
import { CLOSE } from '../../../domain/messages.ts'
import { addStyle } from '../add-style.ts'
import { createButton, createElement } from './create-element.ts'
import style from './sheet.css?inline'
import { closeBeside, replaceDialog } from './stand-ins.ts'

addStyle(style)
closeBeside()

/** Adds a closed dialog to the page. Its heading gets the focus when it opens, so that screen readers start there. */
export function createSheet(title: string, ...children: readonly Node[]): HTMLDialogElement {
  const heading = createElement('h2', '', createElement('bdi', '', title))
  // Properties, not attributes: old browsers would focus an element with the attribute `autofocus` as the page loads.
  Object.assign(heading, { tabIndex: -1, autofocus: true })
  const close = createButton(() => dialog.close(), 'close', '×')
  close.setAttribute('aria-label', CLOSE)
  const dialog = createElement('dialog', 'sheet', heading, close, ...children)
  dialog.setAttribute('aria-label', title)
  dialog.setAttribute('closedby', 'any')
  replaceDialog(dialog, heading)
  document.body.append(dialog)
  return dialog
}
