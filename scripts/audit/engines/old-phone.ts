/** Removes features that the oldest supported browsers lack. Each function runs in a page before the page's scripts. */

export function removeNewerParts(): void {
  const { addEventListener } = EventTarget.prototype
  const { createElement } = document
  const remove = (owner: object, ...names: readonly string[]): void => {
    for (const name of names) Reflect.deleteProperty(owner, name)
  }
  remove(window, 'HTMLDialogElement', 'CSSStyleSheet')
  remove(Document.prototype, 'adoptedStyleSheets')
  remove(Element.prototype, 'role', 'ariaLabel')
  remove(HTMLElement.prototype, 'autofocus')
  remove(Navigator.prototype, 'share')
  remove(Intl, 'Segmenter')
  remove(String.prototype, 'toWellFormed', 'at')
  remove(Array.prototype, 'at', 'toSorted')
  remove(AbortSignal, 'abort')
  // Creates an unknown element instead of a `dialog`, because old browsers do not know that element.
  document.createElement = (tag: string) =>
    Reflect.apply(createElement, document, [tag === 'dialog' ? 'old-dialog' : tag])
  // Ignores the option `signal`, because old browsers cannot remove listeners by a signal.
  EventTarget.prototype.addEventListener = function add(type, listener, options) {
    const known = typeof options === 'object' ? { ...options, signal: undefined } : options
    if (typeof known === 'object') delete known.signal
    Reflect.apply(addEventListener, this, [type, listener, known])
  }
}

/** Removes style rules and properties that old browsers do not understand and therefore ignore. */
export function removeNewerRules(): void {
  const CONDITIONS = /:has\(|:focus-visible|scripting|@media[^{]*[<>]/
  const PROPERTIES = ['aspect-ratio', 'text-wrap']
  const clean = (owner: CSSStyleSheet | CSSGroupingRule): void => {
    for (let index = owner.cssRules.length - 1; index >= 0; index -= 1) {
      const rule = owner.cssRules[index]
      if (rule === undefined || CONDITIONS.test(rule.cssText.split('{')[0] ?? '')) owner.deleteRule(index)
      else if (rule instanceof CSSStyleRule) for (const name of PROPERTIES) rule.style.removeProperty(name)
      else if (rule instanceof CSSGroupingRule) clean(rule)
    }
  }
  addEventListener('DOMContentLoaded', () => {
    for (const sheet of document.styleSheets) clean(sheet)
  })
}
