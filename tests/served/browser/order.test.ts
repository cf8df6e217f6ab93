/** The visitor's order: added on cards and product pages, kept in the browser, reviewed and sent to the seller. */
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { formatPrice } from '../../../src/domain/documents/price.ts'
import type { Decant, Product } from '../../../src/domain/documents/product.ts'
import {
  ADD,
  ADD_TO_ORDER,
  ASK_BY_WHATSAPP,
  CLOSE,
  EMPTY_ORDER,
  formatAdded,
  formatOneLess,
  formatOneMore,
  formatRemoved,
  IS_ORDER_SENT,
  MORE_PRODUCTS,
  ORDER,
  ORDER_BY_WHATSAPP,
  ORDER_COPIED,
  ORDER_EMPTIED,
  ORDER_NOT_KEPT,
  ORDER_RESTORED,
  ORDER_TEXT,
  formatHowToOrder,
  REMOVE,
  SEND_AGAIN,
  SHARE_ORDER,
  SIZE_NAMES,
  UNDO,
} from '../../../src/domain/messages.ts'
import type { OrderLine, OrderSize } from '../../../src/domain/order/order.ts'
import { canOrder } from '../../../src/domain/order/review-order.ts'
import {
  formatOrderKey,
  formatSentKey,
  formatStoredOrder,
  summarizeOrder,
} from '../../../src/domain/order/stored-order.ts'
import { formatProductAnchor, formatProductPath, SIZE_PARAMETER } from '../../../src/domain/pages/paths.ts'
import { CATALOGUES, THIRTY } from '../../support/run/sample-catalogues.ts'
import { findViolationsInBothSchemes } from '../../support/browser/axe.ts'
import { formatAddress } from '../../support/browser/catalogue-screen.ts'
import type { VisitOptions } from '../../support/browser/visit.ts'
import { holdScripts, useVisits, waitForFrames } from '../../support/browser/visit.ts'

const visit = useVisits()

const PATH = formatAddress(THIRTY)
const KEY = formatOrderKey(THIRTY.seller)

/** Products whose bottle and decants can all be ordered. */
const [FIRST, SECOND, THIRD] = findOfferedWhole()
const { _5ml: FIVE, _10ml: TEN } = FIRST

test('sizes are added, kept, not printed, shared with other tabs, reviewed against today’s page and sent', async () => {
  const requests: string[] = []
  const edit = { page: (html: string) => html }
  const prepare = async (next: Page): Promise<void> => {
    next.on('request', (request) => requests.push(`${request.method()} ${request.url()}`))
    await editPages(next, (html) => edit.page(html))
  }
  const { page } = await visit(PATH, { prepare })
  const bar = page.locator('.order')
  expect(await bar.isVisible()).toBe(false)
  for (const [product, size] of [
    [FIRST, '5ml'],
    [FIRST, '10ml'],
    [SECOND, 'frasco'],
    [FIRST, '5ml'],
    [THIRD, '5ml'],
  ] as const)
    await addFromCard(page, product, size)
  const before = 2 * price(FIVE) + price(TEN) + price(SECOND) + price(readFive(THIRD))
  expect(await readBar(page)).toBe(`Ver pedido 5 productos · ${formatPrice(before)}`)

  await page.emulateMedia({ media: 'print' })
  expect(await bar.isVisible()).toBe(false)
  await page.emulateMedia({ media: 'screen' })

  requests.length = 0
  await page.reload({ waitUntil: 'networkidle' })
  expect(await readBar(page)).toBe(`Ver pedido 5 productos · ${formatPrice(before)}`)
  expect(requests.filter((request) => request.endsWith('.js'))).toEqual([])

  const tab = await page.context().newPage()
  await prepare(tab)
  await tab.goto(inject('origin') + PATH)
  await addFromCard(tab, SECOND, 'frasco')
  await expect.poll(() => readBar(page)).toContain(`6 productos · ${formatPrice(before + price(SECOND))}`)

  edit.page = (html) =>
    editCard(editCard(html, SECOND, dropAvailability), FIRST, (card) =>
      dropAvailability(card).replace(formatPrice(price(FIVE)), 'RD$1,234.50'),
    ).replace(readCard(html, THIRD), '')
  await tab.close()
  await page.reload()
  await bar.click()
  const list = page.getByRole('dialog', { name: ORDER })
  await list.waitFor()
  expect(await list.locator('li').evaluateAll(readChanges)).toEqual([
    `${FIRST.name} | Decant 5 ml · RD$1,234.50 c/u | Nuevo precio: RD$1,234.50, antes ${formatPrice(price(FIVE))}`,
    `${FIRST.name} | Decant 10 ml · ${formatPrice(price(TEN))} c/u | `,
    `${SECOND.name} | Frasco · ${formatPrice(price(SECOND))} c/u | Agotado: no entra en el pedido`,
    `${THIRD.name} | Decant 5 ml · ${formatPrice(price(readFive(THIRD)))} c/u | Ya no está en el catálogo`,
  ])
  const total = formatPrice(2 * 1234.5 + price(TEN))
  expect(await list.locator('.total').textContent()).toBe(`Total: ${total}`)
  expect(await list.locator('.tile img').count()).toBe(3)
  expect(await list.locator('.how').textContent()).toBe(formatHowToOrder('18095550112', THIRTY.name))
  const text = [
    'Hola, vi tu catálogo en Vitrina y quiero pedir:',
    '',
    `2 × ${FIRST.name} 5ML: RD$2,469`,
    inject('origin') + formatProductPath(THIRTY.seller, FIRST.id),
    `1 × ${FIRST.name} 10ML: ${formatPrice(price(TEN))}`,
    inject('origin') + formatProductPath(THIRTY.seller, FIRST.id),
    '',
    `Total: ${total}`,
    '',
    '¿Lo tienes disponible? ¿Cómo te pago y cómo lo recibo?',
  ].join('\n')
  const send = list.getByRole('link', { name: ORDER_BY_WHATSAPP })
  expect(await send.getAttribute('href')).toBe(`https://wa.me/18095550112?text=${encodeURIComponent(text)}`)

  await list.getByRole('button', { name: CLOSE }).click()
  await page.waitForURL((url) => url.hash === '')
  expect(await readBar(page)).toBe(`Ver pedido 3 productos · ${total}`)
  await bar.click()
  await list.waitFor()
  expect((await list.locator('li').evaluateAll(readChanges))[0]).toBe(
    `${FIRST.name} | Decant 5 ml · RD$1,234.50 c/u | `,
  )

  expect(requests.filter((request) => !request.startsWith(`GET ${inject('origin')}/`))).toEqual([])
  expect(await page.evaluate(() => [document.cookie, ...Object.keys(localStorage)])).toEqual(['', KEY])
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

test('under forty lines the way to send is seen', async () => {
  const offers = THIRTY.products.flatMap((product) => [
    ...(canOrder(product) ? [line(product)] : []),
    ...[readFive(product)]
      .filter(canOrder)
      .map((five) => ({ ...line(product), size: '5ml' as const, price: five.price })),
  ])
  const order = offers.slice(0, 40)
  const { page } = await visit(`${PATH}#pedido`, withStored(formatStoredOrder(order, summarizeOrder(order))))
  await page.getByRole('link', { name: ORDER_BY_WHATSAPP }).waitFor()
  expect(await page.locator('.lines li').count()).toBe(40)
  const { bottom, covered } = await page.locator('.foot').evaluate(readFoot)
  expect([bottom <= 740, covered]).toEqual([true, 0])
})

test('an order for a seller without a number is shared, which may be stopped, or copied', async () => {
  const seller = CATALOGUES.find(({ whatsapp, products }) => whatsapp === null && products.some(canOrder))
  const product = seller?.products.find(canOrder)
  if (seller === undefined || product === undefined) throw new Error('the sample has no such seller')
  const order = [
    { product: product.id, size: 'frasco', count: 1, name: product.name, price: price(product) },
  ] as const
  const { page } = await visit(`${formatAddress(seller)}#pedido`, {
    ...withStored(formatStoredOrder(order, summarizeOrder(order)), formatOrderKey(seller.seller)),
    permissions: ['clipboard-read', 'clipboard-write'],
    scripts: [keepShares],
  })
  const share = page.getByRole('button', { name: SHARE_ORDER })
  const question = page.getByText(IS_ORDER_SENT, { exact: true }).first()
  await page.evaluate(closeNextShare)
  await share.click()
  await page.evaluate(() => new Promise((resolve) => void requestAnimationFrame(resolve)))
  expect(await question.isVisible()).toBe(false)
  await share.click()
  const shared = (await page.getAttribute('html', 'data-shared')) ?? ''
  expect(shared).toContain(`1 × ${product.name}: ${formatPrice(product.price)}\n`)
  expect(await question.isVisible()).toBe(true)
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'share', { value: undefined })
  })
  const again = page.getByRole('button', { name: SEND_AGAIN })
  await again.click()
  await expect.poll(() => readAnnouncement(page)).toBe(ORDER_COPIED + IS_ORDER_SENT)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shared)
  expect(await page.getByRole('textbox', { name: ORDER_TEXT }).inputValue()).toBe(shared)
})

test('an order is made without a storage', async () => {
  const { page, messages } = await visit(PATH, { scripts: [forbidStorage] })
  await addFromCard(page, FIRST, 'frasco')
  await addFromCard(page, SECOND, '5ml')
  expect(await readBar(page)).toContain('2 productos')
  await page.locator('.order').click()
  await page.getByText(ORDER_NOT_KEPT).waitFor()
  expect(messages).toEqual([])
})

test('a product’s page has a size chosen, adds it once however often it is touched, and leads to the list', async () => {
  const path = formatProductPath(THIRTY.seller, FIRST.id)
  const { page } = await visit(`${path}?${SIZE_PARAMETER}=5ml`, withStored('3 RD$9\n[1,[]]'))
  const add = page.getByRole('button', { name: ADD_TO_ORDER })
  expect(await add.textContent()).toContain(formatPrice(FIVE.price))
  await page.getByRole('radio', { name: SIZE_NAMES['10ml'] }).check()
  expect(await add.textContent()).toContain(formatPrice(TEN.price))
  const ask = page.getByRole('link', { name: ASK_BY_WHATSAPP })
  const question = new URL((await ask.getAttribute('href')) ?? '')
  expect(question.href).toMatch('https://wa.me/18095550112?')
  expect(question.searchParams.get('text')?.split('\n').slice(2)).toEqual([
    FIRST.name,
    await page.getAttribute('link[rel=canonical]', 'href'),
  ])
  const release = await holdScripts(page)
  await add.click()
  await page.getByRole('radio', { name: SIZE_NAMES['5ml'] }).check()
  await add.click()
  expect(await add.getAttribute('data-busy')).toBe('')
  release()
  await expect.poll(() => page.locator('output').textContent()).toBe(formatAdded(`${FIRST.name} 10ML`))
  expect(await add.getAttribute('data-busy')).toBe(null)
  await page.locator('.order').click()
  await page.waitForURL(`**${PATH}#pedido`)
  const list = page.getByRole('dialog', { name: ORDER })
  await expect
    .poll(() => list.locator('li').evaluateAll(readChanges))
    .toEqual([`${FIRST.name} | Decant 10 ml · ${formatPrice(price(TEN))} c/u | `])
  await page.goBack()
  expect(await readBar(page)).toBe(`Ver pedido 1 producto · ${formatPrice(TEN.price)}`)
})

test('the page of a product that is not ordered remembers that the order was sent', async () => {
  const { page } = await visit(formatProductPath(THIRTY.seller, FIRST.id))
  await page.getByRole('button', { name: ADD_TO_ORDER }).click()
  await expect.poll(() => page.locator('output').textContent()).toBe(formatAdded(FIRST.name))
  const order = [line(SECOND)]
  const sent = formatSentKey(THIRTY.seller)
  const stored = { [KEY]: formatStoredOrder(order, summarizeOrder(order)), [sent]: 'sent' }
  // Another order is sent on the catalogue, and the visitor comes back.
  await page.evaluate((all) => {
    for (const [key, text] of Object.entries(all)) localStorage.setItem(key, text)
    dispatchEvent(new Event('pageshow'))
  }, stored)
  expect(await readBar(page)).toBe(`Ver pedido 1 producto · ${formatPrice(price(SECOND))}`)
  expect(await page.evaluate((key) => localStorage.getItem(key), sent)).toBe('sent')
})

test('a product’s page shows others of its catalogue, which it asks for when their place is seen', async () => {
  const asked: string[] = []
  const prepare = async (next: Page): Promise<void> => {
    next.on('request', (request) => asked.push(new URL(request.url()).pathname))
  }
  const { page } = await visit(formatProductPath(THIRTY.seller, FIRST.id), { prepare })
  await page.waitForLoadState('networkidle')
  expect(asked).not.toContain(PATH)
  const more = page.getByRole('region', { name: MORE_PRODUCTS })
  await more.scrollIntoViewIfNeeded()
  await more.locator('li').first().waitFor()
  const names = await more.locator('bdi').allTextContents()
  const others = THIRTY.products.filter((product) => product !== FIRST).map(({ name }) => name)
  expect([names.length, names.filter((name) => !others.includes(name))]).toEqual([6, []])
  const first = more.getByRole('link', { name: names[0] ?? '' })
  expect(await first.locator('img').evaluate((photo: HTMLImageElement) => photo.alt)).toBe('')
  await first.click()
  await expect.poll(() => page.locator('h1').textContent()).toContain(names[0])
})

test('the page of a product says nothing of a size that was never offered', async () => {
  const product = THIRTY.products.find(({ available, _5ml }) => available && _5ml.price === null)
  if (product === undefined) throw new Error('the sample has no product without a decant of 5 ml')
  const { page } = await visit(formatProductPath(THIRTY.seller, product.id))
  const offered = [product, product['_5ml'], product['_10ml']].filter((size) => size.price !== null)
  expect(await page.locator('.size .price').allTextContents()).toEqual(
    offered.map((size) => formatPrice(size.price)),
  )
})

test('the address of a product chooses no size that is sold out', async () => {
  const product = THIRTY.products.find(
    (one) => canOrder(one) && one['_10ml'].price !== null && !one['_10ml'].available,
  )
  if (product === undefined) throw new Error('the sample has no product whose decant of 10 ml is sold out')
  const path = formatProductPath(THIRTY.seller, product.id)
  const { page } = await visit(`${path}?${SIZE_PARAMETER}=10ml`)
  const add = page.getByRole('button', { name: ADD_TO_ORDER })
  expect(await add.textContent()).toContain(formatPrice(product.price))
})

test('a keyboard suffices to add, count, remove, empty and send, and every change is said', async () => {
  const { page } = await visit(PATH)
  const press = (...keys: readonly string[]): Promise<void> =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
  const add = page.getByRole('button', { name: `${ADD} ${FIRST.name}`, exact: true })
  for (const tabs of [2, 3]) {
    await add.focus()
    await press('Enter')
    await page.getByRole('dialog', { name: FIRST.name }).waitFor()
    await press(...Array.from({ length: tabs }, () => 'Tab'), 'Enter')
    await expect.poll(() => page.locator('output').textContent()).toMatch(/^Agregado/)
    expect(await add.evaluate((button) => button === document.activeElement)).toBe(true)
  }
  await page.locator('.order').focus()
  await press('Enter')
  await page.getByRole('dialog', { name: ORDER }).waitFor()
  expect(await readFocus(page)).toBe(ORDER)
  await press('Tab', 'Tab', 'Tab', 'Space')
  expect(await readFocus(page)).toBe(formatOneMore(FIRST.name))
  expect(await readAnnouncement(page)).toBe(
    `2 × ${FIRST.name}: ${formatPrice(2 * price(FIRST))}. Total: ${formatPrice(2 * price(FIRST) + price(FIVE))}`,
  )
  await press('Shift+Tab', 'Space')
  expect(await readFocus(page)).toBe(formatOneLess(FIRST.name))
  await press('Tab', 'Tab', 'Space')
  expect(await readAnnouncement(page)).toContain(formatRemoved(FIRST.name))
  expect(await readFocus(page)).toBe(`${REMOVE} ${FIRST.name} 5ML`)
  await press('Tab', 'Tab')
  expect(await readFocus(page)).toBe(ORDER_BY_WHATSAPP)
  await press('Shift+Tab')
  expect(await readFocus(page)).toBe(EMPTY_ORDER)
  await press('Enter')
  expect(await readAnnouncement(page)).toBe(ORDER_EMPTIED)
  expect(await readFocus(page)).toBe(UNDO)
  await press('Enter')
  expect(await page.locator('.lines li').count()).toBe(1)
  expect(await readAnnouncement(page)).toBe(ORDER_RESTORED)
  await waitForFrames(page, 2)
  expect(await readFocus(page)).toBe(ORDER)
  await press('Escape')
  expect(await readFocus(page)).toContain('Ver pedido')
  await page.waitForURL((url) => url.hash === '')
})

test('axe finds nothing to say of the order, light and dark, and text at 200 % fits', async () => {
  const order = [line(FIRST, 99), line(SECOND, 1, 5), { ...line(THIRD), product: 'gone' }]
  const { page } = await visit(PATH, {
    ...withStored(formatStoredOrder(order, summarizeOrder(order))),
    bypassCSP: true,
  })
  const check = async (state: string): Promise<void> =>
    expect(await findViolationsInBothSchemes(page), state).toEqual([])
  await page.locator('.add').first().click()
  await page.getByRole('dialog', { name: FIRST.name }).waitFor()
  await check('sizes')
  await page.keyboard.press('Escape')
  await page.locator('.order').click()
  await page.getByRole('dialog', { name: ORDER }).waitFor()
  await check('the list')
  await page.getByRole('button', { name: formatOneMore(FIRST.name), exact: true }).click()
  expect(await readAnnouncement(page)).toContain(`99 × ${FIRST.name}: ${formatPrice(99 * price(FIRST))}.`)
  await page.addStyleTag({ content: 'html { font-size: 200% }' })
  expect(await page.locator('.sheet').evaluateAll(readWidths)).toEqual([[]])
  await page.getByRole('button', { name: EMPTY_ORDER }).click()
  await check('nothing')
})

function findOfferedWhole(): readonly [Product, Product, Product] {
  const [first, second, third] = THIRTY.products.filter((product) => {
    const { _5ml, _10ml } = product
    return [product, _5ml, _10ml].every(canOrder)
  })
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('the sample has no three products whose sizes can all be ordered')
  return [first, second, third]
}

function readFive({ _5ml: five }: Product): Decant {
  return five
}

function line(product: Product, count = 1, seen = price(product)): OrderLine {
  return { product: product.id, size: 'frasco', count, name: product.name, price: seen }
}

function price(offer: { readonly price: number | null }): number {
  return offer.price ?? NaN
}

/** A browser that has this order stored. */
function withStored(value: string, name = KEY): Pick<VisitOptions, 'stored'> {
  return { stored: { [name]: value } }
}

async function addFromCard(page: Page, product: Product, size: OrderSize): Promise<void> {
  const before = await readBar(page)
  await page.getByRole('button', { name: `${ADD} ${product.name}`, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: SIZE_NAMES[size] }).click()
  await expect.poll(() => readBar(page)).not.toBe(before)
}

async function editPages(page: Page, edit: (html: string) => string): Promise<void> {
  await page.route('**/catalogo/**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: edit(await response.text()) })
  })
}

function readCard(html: string, { id }: Product): string {
  const start = html.indexOf(`<li class="card" id="${formatProductAnchor(id)}"`)
  return html.slice(start, html.indexOf('</li>', start) + '</li>'.length)
}

function editCard(html: string, product: Product, edit: (card: string) => string): string {
  const card = readCard(html, product)
  return html.replace(card, () => edit(card))
}

function dropAvailability(card: string): string {
  return card.replace(' data-available', '')
}

async function readBar(page: Page): Promise<string> {
  const bar = page.locator('.order')
  return (await bar.isVisible()) ? ((await bar.textContent()) ?? '').trim() : ''
}

function readAnnouncement(page: Page): Promise<string | null> {
  return page.locator('.sheet [role=status]').textContent()
}

function readFocus(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement: focused } = document
    return focused?.getAttribute('aria-label') ?? focused?.textContent.trim() ?? ''
  })
}

/** Runs in the page. Returns the name and the change of each line. */
function readChanges(lines: readonly Element[]): readonly string[] {
  return lines.map((one) =>
    [...one.querySelectorAll(':scope > p')].map((part) => part.textContent).join(' | '),
  )
}

/** Runs in the page. Returns what is wider than each dialog. */
function readWidths(dialogs: readonly Element[]): readonly (readonly string[])[] {
  return dialogs.map((dialog) => {
    const { right } = dialog.getBoundingClientRect()
    const wide = [...dialog.querySelectorAll('*:not(.unseen)')].filter(
      (part) => part.getBoundingClientRect().right > right + 0.5,
    )
    return wide.map((part) => part.outerHTML.slice(0, 100))
  })
}

/** Runs in the page. Returns the end of the list's foot, and how many lines it covers that have the focus. */
function readFoot(foot: Element): { readonly bottom: number; readonly covered: number } {
  const { top, bottom } = foot.getBoundingClientRect()
  const isCovered = (button: HTMLElement): boolean => {
    button.focus()
    return button.getBoundingClientRect().bottom > top
  }
  const buttons = [...document.querySelectorAll<HTMLElement>('.remove')]
  return { bottom, covered: buttons.filter(isCovered).length }
}

/** Runs in the page. */
function forbidStorage(): void {
  Object.defineProperty(window, 'localStorage', {
    get: () => {
      throw new DOMException('forbidden', 'SecurityError')
    },
  })
}

/** Runs in the page. The visitor closes the dialog once. */
function closeNextShare(): void {
  const { share } = navigator
  const close = (): Promise<never> => {
    Object.defineProperty(navigator, 'share', { value: share })
    return Promise.reject(new DOMException('closed', 'AbortError'))
  }
  Object.defineProperty(navigator, 'share', { value: close })
}

/** Runs in the page. */
function keepShares(): void {
  Object.defineProperty(navigator, 'share', {
    configurable: true,
    value: async ({ text }: { text: string }) => {
      document.documentElement.dataset['shared'] = text
    },
  })
}
