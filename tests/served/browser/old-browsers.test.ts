/** The oldest supported browsers, played by a new one without what they lack. */
import { expect, inject, test } from 'vitest'
import { formatPrice } from '../../../src/domain/documents/price.ts'
import type { Product } from '../../../src/domain/documents/product.ts'
import {
  ADD,
  CLOSE,
  formatAdded,
  formatOneMore,
  formatOrdered,
  ORDER,
  ORDER_BY_WHATSAPP,
  ORDER_FAILED,
  ORDER_LOST,
  SIZE_NAMES,
} from '../../../src/domain/messages.ts'
import { canOrder } from '../../../src/domain/order/review-order.ts'
import { THIRTY } from '../../support/run/sample-catalogues.ts'
import { expectSeen, formatAddress, readSeen, tapFilter } from '../../support/browser/catalogue-screen.ts'
import { blockScripts, useVisits } from '../../support/browser/visit.ts'

const visit = useVisits()

const PATH = formatAddress(THIRTY)
const PRODUCT = findProduct()
const { _5ml: FIVE } = PRODUCT

test('an order is made, counted and sent, and the catalogue filtered', async () => {
  const { page, messages } = await visit(PATH, { scripts: [removeNewerParts] })
  await tapFilter(page, 'disponible')
  await page.fill('input', PRODUCT.name)
  const view = { filter: 'disponible', query: PRODUCT.name } as const
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY, view))
  const add = page.getByRole('button', { name: `${ADD} ${PRODUCT.name}`, exact: true })
  await add.click()
  const sizes = page.getByRole('dialog', { name: PRODUCT.name })
  expect(await sizes.evaluate((sheet) => sheet.contains(document.activeElement))).toBe(true)
  await sizes.getByRole('button', { name: SIZE_NAMES['5ml'] }).click()
  await expect
    .poll(() => page.locator('output').textContent())
    .toBe(formatAdded(formatOrdered(PRODUCT.name, '5ml')))
  expect(await add.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.locator('.order').click()
  const list = page.getByRole('dialog', { name: ORDER })
  await list.getByRole('button', { name: formatOneMore(formatOrdered(PRODUCT.name, '5ml')) }).click()
  const total = formatPrice(2 * (FIVE.price ?? NaN))
  expect(await list.locator('.total').textContent()).toContain(total)
  const send = list.getByRole('link', { name: ORDER_BY_WHATSAPP })
  expect(new URL((await send.getAttribute('href')) ?? '').searchParams.get('text')).toContain(total)
  await list.getByRole('button', { name: CLOSE }).click()
  await page.waitForURL((url) => url.hash === '')
  expect(await list.isVisible()).toBe(false)
  await page.goForward()
  await list.waitFor()
  await page.goBack()
  await list.waitFor({ state: 'hidden' })
  await page.locator('.order').click()
  await list.waitFor()
  await page.goBack()
  await list.waitFor({ state: 'hidden' })
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY, view))
  expect(messages).toEqual([])
})

test('a tap beside a sheet closes it, and does nothing else', async () => {
  for (const script of [removeNewerParts, removeClosedBy]) {
    const { page } = await visit(PATH, { scripts: [script] })
    await page.getByRole('button', { name: `${ADD} ${PRODUCT.name}`, exact: true }).click()
    const sizes = page.getByRole('dialog', { name: PRODUCT.name })
    await sizes.locator('h2').click()
    expect(await sizes.isVisible()).toBe(true)
    await page.mouse.click(180, 200)
    await sizes.waitFor({ state: 'hidden' })
    expect(page.url()).toBe(inject('origin') + PATH)
  }
})

test('a module that does not arrive is distinguished from one that fails', async () => {
  const { page } = await visit(PATH, { prepare: blockScripts })
  const add = page.getByRole('button', { name: `${ADD} ${PRODUCT.name}`, exact: true })
  await add.click()
  await expect.poll(() => page.locator('output').textContent()).toBe(ORDER_LOST)
  await page.unrouteAll()
  await page.route('**/_astro/order.*', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'export const add = () => null.x' }),
  )
  await page.reload()
  await add.click()
  await expect.poll(() => page.locator('output').textContent()).toBe(ORDER_FAILED)
})

function findProduct(): Product {
  const found = THIRTY.products.find((product) => {
    const { _5ml: five } = product
    return canOrder(product) && canOrder(five)
  })
  if (found === undefined) throw new Error('the sample has no product with a bottle and a decant to order')
  return found
}

/** Runs in the page. */
function removeClosedBy(): void {
  const { setAttribute } = Element.prototype
  Reflect.deleteProperty(HTMLDialogElement.prototype, 'closedBy')
  Element.prototype.setAttribute = function set(name, value) {
    if (name !== 'closedby') Reflect.apply(setAttribute, this, [name, value])
  }
}

/** Runs in the page before its own scripts. Removes what the oldest supported browsers lack. */
function removeNewerParts(): void {
  const { addEventListener } = EventTarget.prototype
  const { createElement } = document
  const { closest } = Element.prototype
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
  // Refuses lists and descendants in `:not()`.
  Element.prototype.closest = function find(selector: string) {
    if (/:not\([^)]*[ ,>]/.test(selector)) throw new DOMException(selector, 'SyntaxError')
    return Reflect.apply(closest, this, [selector])
  }
  // Ignores the option `signal`, because old browsers cannot remove listeners by a signal.
  EventTarget.prototype.addEventListener = function add(type, listener, options) {
    const known = typeof options === 'object' ? { ...options, signal: undefined } : options
    if (typeof known === 'object') delete known.signal
    Reflect.apply(addEventListener, this, [type, listener, known])
  }
}
