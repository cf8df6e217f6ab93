/** One line of the order's list: the product, the count, and what has changed since it was ordered. */
import { formatPrice } from '../../../domain/documents/price.ts'
import {
  formatChange,
  formatOneLess,
  formatOneMore,
  formatOrdered,
  formatUnit,
  REMOVE,
} from '../../../domain/messages.ts'
import type { OrderLine } from '../../../domain/order/order.ts'
import { sumPrices } from '../../../domain/order/order.ts'
import type { ReviewedLine } from '../../../domain/order/review-order.ts'
import { createButton, createElement } from './create-element.ts'
import { copyPhoto } from './page-offers.ts'

export interface ShownLine {
  readonly element: HTMLLIElement
  /** Updates the existing elements, so that they keep the focus. */
  readonly update: (reviewed: ReviewedLine) => void
}

/** `change` receives the new count; 0 removes the line. */
export function createLine(product: string, change: (line: OrderLine, count: number) => void): ShownLine {
  let line: OrderLine
  const name = createElement('bdi', '')
  const unit = createElement('p', 'unit')
  const changed = createElement('p', 'changed')
  const count = createElement('span', 'count')
  const price = createElement('span', 'price')
  const less = createButton(() => change(line, line.count - 1), '', '−')
  const more = createButton(() => change(line, line.count + 1), '', '+')
  const remove = createButton(() => change(line, 0), 'remove', REMOVE)
  const counter = createElement('div', 'counter', less, count, more)
  const amounts = createElement('div', 'amounts', counter, price, remove)
  const element = createElement(
    'li',
    '',
    copyPhoto(product),
    createElement('p', '', name),
    unit,
    changed,
    amounts,
  )
  const update = (reviewed: ReviewedLine): void => {
    line = reviewed.line
    const ordered = formatOrdered(line.name, line.size)
    name.textContent = line.name
    unit.textContent = formatUnit(line.size, formatPrice(line.price))
    changed.textContent =
      reviewed.change === null ? '' : formatChange(reviewed.change, formatPrice(line.price))
    count.textContent = `${line.count}`
    price.textContent = formatPrice(sumPrices([line]))
    less.setAttribute('aria-label', formatOneLess(ordered))
    more.setAttribute('aria-label', formatOneMore(ordered))
    remove.setAttribute('aria-label', `${REMOVE} ${ordered}`)
    element.classList.toggle('out', !reviewed.isOffered)
    counter.hidden = price.hidden = !reviewed.isOffered
  }
  return { element, update }
}
