export function find<E extends Element = HTMLElement>(selector: string): E | null {
  return document.querySelector<E>(selector)
}
