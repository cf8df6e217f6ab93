import type { OrderLine } from '../../../domain/order/order.ts'
import type { ReviewedLine } from '../../../domain/order/review-order.ts'
import { createElement } from './create-element.ts'
import type { ShownLine } from './order-line.ts'
import { createLine } from './order-line.ts'

interface ShownLines {
  readonly element: HTMLElement
  readonly update: (reviewed: readonly ReviewedLine[]) => void
  /**
   * Focuses the remove button of the line at `index`, or of the last line if `index` is too high. Returns false if
   * there are no lines.
   */
  readonly focusLine: (index: number) => boolean
}

/** `change` receives the new count; 0 removes the line. */
export function createLines(change: (line: OrderLine, count: number) => void): ShownLines {
  const element = createElement('ul', 'lines')
  element.setAttribute('role', 'list')
  const shown = new Map<string, ShownLine>()
  const update = (reviewed: readonly ReviewedLine[]): void => {
    const keys = new Set(reviewed.map(formatKey))
    for (const [key, line] of shown) {
      if (keys.has(key)) continue
      line.element.remove()
      shown.delete(key)
    }
    for (const [index, one] of reviewed.entries()) {
      const line = shown.get(formatKey(one)) ?? createLine(one.line.product, change)
      shown.set(formatKey(one), line)
      line.update(one)
      const there = element.children[index] ?? null
      if (there !== line.element) element.insertBefore(line.element, there)
    }
  }
  const focusLine = (index: number): boolean => {
    const buttons = element.querySelectorAll<HTMLElement>('.remove')
    const button = buttons[index] ?? buttons[buttons.length - 1]
    button?.focus()
    return button !== undefined
  }
  return { element, update, focusLine }
}

function formatKey({ line: { size, product } }: ReviewedLine): string {
  return `${size} ${product}`
}
