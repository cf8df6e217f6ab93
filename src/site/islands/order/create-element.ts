/** Creates elements of the document. */

export function createElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

export function createButton(
  act: () => void,
  properties: Partial<HTMLButtonElement>,
  ...children: readonly (Node | string)[]
): HTMLButtonElement {
  const button = createElement('button', { type: 'button', ...properties }, ...children)
  button.addEventListener('click', act)
  return button
}
