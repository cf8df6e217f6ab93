/** Creates elements of the document. */

/** Properties of elements that old browsers do not have: set as attributes. */
const ATTRIBUTES = { role: 'role', ariaLabel: 'aria-label' } as const

export function createElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties)
  for (const [property, name] of Object.entries(ATTRIBUTES)) {
    const value = properties[property as keyof typeof ATTRIBUTES]
    if (typeof value === 'string') element.setAttribute(name, value)
  }
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
