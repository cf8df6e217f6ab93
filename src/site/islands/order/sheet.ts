/** A dialog at the lower edge of the screen, in reach of a thumb. Its style comes with it, and not with each page. */
import { CLOSE } from '../../../domain/messages.ts'
import { addStyle } from '../add-style.ts'
import { createButton, createElement } from './create-element.ts'
import style from './sheet.css?inline'
import { closeBeside, replaceDialog } from './stand-ins.ts'

addStyle(style)
closeBeside()

/** The heading gets the focus, so that screen readers begin there. */
export function createSheet(title: string, ...children: readonly Node[]): HTMLDialogElement {
  const heading = createElement('h2', '', createElement('bdi', '', title))
  // A property and no attribute: an old browser would move the focus to an element with the attribute when the page loads.
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
