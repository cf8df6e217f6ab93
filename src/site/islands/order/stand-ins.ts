/** Adds to the order's dialogs the features that older browsers lack. */
import { find } from '../find.ts'

/** Closes an open sheet at a tap outside it, in browsers that do not support `closedby`. */
export function closeBeside(): void {
  if (typeof HTMLDialogElement === 'function' && 'closedBy' in HTMLDialogElement.prototype) return
  const answer = (event: MouseEvent): void => {
    const sheet = find<HTMLDialogElement>('.sheet[open]')
    if (sheet === null || !isBeside(sheet, event)) return
    event.preventDefault()
    event.stopPropagation()
    sheet.close()
  }
  addEventListener('click', answer, true)
}

/**
 * Returns whether a click is outside the sheet. A click outside a native dialog has the dialog as its target, so the
 * position of the click is compared. In a browser without dialogs, the target is another element.
 */
function isBeside(sheet: Element, { target, clientX, clientY }: MouseEvent): boolean {
  if (target !== sheet) return !(target instanceof Node && sheet.contains(target))
  const { left, right, top, bottom } = sheet.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}

/**
 * In a browser without dialogs, gives the element the dialog methods that the order uses, and keeps the focus inside
 * the element.
 */
export function replaceDialog(dialog: HTMLDialogElement, heading: HTMLElement): void {
  if (typeof HTMLDialogElement === 'function') return
  let opener: Element | null = null
  const showModal = (): void => {
    opener = document.activeElement
    dialog.setAttribute('open', '')
    heading.focus()
  }
  const close = (): void => {
    if (!dialog.open) return
    dialog.removeAttribute('open')
    if (opener instanceof HTMLElement) opener.focus()
    dialog.dispatchEvent(new Event('close'))
  }
  Object.defineProperties(dialog, {
    open: { get: () => dialog.hasAttribute('open') },
    showModal: { value: showModal },
    close: { value: close },
  })
  dialog.setAttribute('role', 'dialog')
  dialog.setAttribute('aria-modal', 'true')
  dialog.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') dialog.close()
  })
  addEventListener('focusin', ({ target }) => {
    if (dialog.open && target instanceof Node && !dialog.contains(target)) heading.focus()
  })
}
