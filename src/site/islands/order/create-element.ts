export function createElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  element.className = className
  element.append(...children)
  return element
}

export function createButton(
  act: () => void,
  className: string,
  ...children: readonly (Node | string)[]
): HTMLButtonElement {
  const button = createElement('button', className, ...children)
  button.type = 'button'
  button.addEventListener('click', act)
  return button
}
