/** Each product has its own address and a button that shares it. */
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { formatProductAnchor, formatProductPath } from '../../../src/domain/pages/paths.ts'
import { formatPrice } from '../../../src/domain/documents/price.ts'
import type { Product } from '../../../src/domain/documents/product.ts'
import { LINK_COPIED, LINK_TO_COPY, PRODUCT_GONE } from '../../../src/domain/messages.ts'
import { expectSeen, formatAddress, readSeen, tapFilter } from '../../support/browser/catalogue-screen.ts'
import { CATALOGUES, THIRTY, isAvailable } from '../../support/run/sample-catalogues.ts'
import { useVisits, waitForFrames, waitForReact } from '../../support/browser/visit.ts'

const visit = useVisits()

const LAST = findLast(() => true)
const SOLD_OUT = findLast((product) => !isAvailable(product))

test('the address of a product scrolls to its card and marks it, at the end of the largest catalogue, without layout shifts', async () => {
  const [largest = THIRTY] = CATALOGUES.toSorted((a, b) => b.products.length - a.products.length)
  const last = largest.products.at(-1) ?? LAST
  const { page } = await visit(`${formatAddress(largest)}#${formatProductAnchor(last.id)}`)
  await page.waitForLoadState('networkidle')
  expect(largest.products.length).toBeGreaterThan(40)
  const card = page.locator(`#${formatProductAnchor(last.id)}`)
  const before = await card.evaluate((element) => element.getBoundingClientRect().bottom)
  expect(before).toBeGreaterThan(0)
  expect(before).toBeLessThanOrEqual(740)
  await waitForFrames(page, 5)
  expect(await card.evaluate((element) => element.getBoundingClientRect().bottom)).toBe(before)
  expect(await card.evaluate(readOutline)).toBe('solid')
  expect(await page.locator('.card').first().evaluate(readOutline)).toBe('none')
})

test('the address of a product overrides a filter that excludes it', async () => {
  const { page } = await visit(formatProduct(SOLD_OUT, '?filtro=disponible&q=zzz'))
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY))
  await expect.poll(() => isOnScreen(page, SOLD_OUT)).toBe(true)
  await waitForReact(page)
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY))
})

test('following the address of a product within the page shows it despite the filter, and a choice after that survives a reload', async () => {
  const { page } = await visit(formatAddress(THIRTY))
  await tapFilter(page, 'disponible')
  await page.evaluate((anchor) => {
    location.hash = anchor
  }, formatProductAnchor(SOLD_OUT.id))
  await expect.poll(() => isOnScreen(page, SOLD_OUT)).toBe(true)
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY))
  await tapFilter(page, 'disponible')
  expect(new URL(page.url()).hash).toBe('')
  await page.reload()
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY, { filter: 'disponible' }))
})

test('a product that is gone is reported once', async () => {
  const { page } = await visit(`${formatAddress(THIRTY)}#p-gone`, {
    scripts: [keepMessages],
  })
  await waitForReact(page)
  await page.waitForLoadState()
  expect(await page.getAttribute('html', 'data-said')).toBe(PRODUCT_GONE)
  await tapFilter(page, 'disponible')
  await page.evaluate(() => {
    location.hash = 'p-gone-too'
  })
  await expect.poll(() => page.getAttribute('html', 'data-said')).toBe(`${PRODUCT_GONE} ${PRODUCT_GONE}`)
  expect(await page.locator('output').isVisible()).toBe(true)
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY, { filter: 'disponible' }))
})

test('products are shared with the Web Share API where available: name, price, seller and address', async () => {
  const { page } = await visit(formatAddress(THIRTY, { filter: 'disponible' }), { scripts: [takeShares] })
  await waitForReact(page)
  const [priced, unpriced] = THIRTY.products.filter(isAvailable)
  if (priced === undefined || unpriced === undefined) throw new Error('the sample lacks available products')
  await page.locator(`#${formatProductAnchor(unpriced.id)} .price`).evaluate((price) => {
    price.textContent = '--'
  })
  for (const product of [priced, unpriced]) await pressShare(page, product)
  expect(JSON.parse((await page.getAttribute('html', 'data-shared')) ?? '')).toEqual([
    formatShare(priced),
    formatShare({ ...unpriced, price: null }),
  ])
  expect(await page.locator('output').textContent()).toBe('')
  await page.goto(`${inject('origin')}${formatProductPath(THIRTY.seller, priced.id)}?utm_source=x#p-x`)
  await page.getByRole('button', { name: 'Compartir' }).click()
  expect(JSON.parse((await page.getAttribute('html', 'data-shared')) ?? '')).toEqual([formatShare(priced)])
})

test("a product's address is copied once, with a message", async () => {
  const { page, messages } = await visit(formatAddress(THIRTY), {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await waitForReact(page)
  await page.evaluate(countCopies)
  await pressShare(page, LAST)
  const said = page.locator('output')
  await expect.poll(() => said.textContent()).toBe(LINK_COPIED)
  expect(await said.isVisible()).toBe(true)
  const shared = formatShare(LAST)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${shared.text}\n${shared.url}`)
  expect(await page.getAttribute('html', 'data-copies')).toBe('1')
  expect(messages).toEqual([])
})

test('the address is in a field to copy when copying is not permitted, and a message disappears', async () => {
  const { page } = await visit(formatAddress(THIRTY), {
    hasClock: true,
    scripts: [refuseCopies, keepMessages],
  })
  const asked = page.waitForEvent('dialog').then(async (dialog) => {
    await dialog.dismiss()
    return [dialog.message(), dialog.defaultValue()]
  })
  await pressShare(page, LAST)
  expect(await asked).toEqual([LINK_TO_COPY, formatShare(LAST).url])
  await page.goto(`${inject('origin')}${formatAddress(THIRTY)}#p-gone`)
  // A look at the line itself may come when the message has disappeared: the clock goes on by itself, too.
  await expect.poll(() => page.getAttribute('html', 'data-said')).toBe(PRODUCT_GONE)
  await page.clock.fastForward(10_000)
  expect(await page.locator('output').textContent()).toBe('')
})

function findLast(isMeant: (product: Product) => boolean): Product {
  const found = THIRTY.products.findLast(isMeant)
  if (found === undefined) throw new Error('the sample lacks such a product')
  return found
}

function formatProduct({ id }: Product, search = ''): string {
  return `${formatAddress(THIRTY)}${search}#${formatProductAnchor(id)}`
}

/** Returns the text that is shared with a product's page. */
function formatShare(product: Product): { title: string; text: string; url: string } {
  const { id, name, price } = product
  const text = [name, ...(price === null ? [] : [formatPrice(price)]), `Catálogo de ${THIRTY.name}`].join(
    ' · ',
  )
  return { title: name, text, url: inject('origin') + formatProductPath(THIRTY.seller, id) }
}

async function pressShare(page: Page, { id, name }: Product): Promise<void> {
  const card = page.locator(`#${formatProductAnchor(id)}`)
  await card.getByRole('button', { name: `Compartir ${name}`, exact: true }).click()
}

/** Whether the top of the card is visible below the filters. */
async function isOnScreen(page: Page, { id }: Product): Promise<boolean> {
  return page.locator(`#${formatProductAnchor(id)}`).evaluate((card) => {
    const { top, height } = card.getBoundingClientRect()
    const filters = document.querySelector('.filters')?.getBoundingClientRect().bottom ?? 0
    return height > 0 && top >= Math.max(0, filters) && top < innerHeight / 2 + 200
  })
}

/** Runs in the page. */
function readOutline(element: Element): string {
  return getComputedStyle(element).outlineStyle
}

/** Runs in the page. */
function takeShares(): void {
  const shared: unknown[] = []
  Object.defineProperty(navigator, 'share', {
    value: async (data: unknown) => {
      shared.push(data)
      document.documentElement.dataset['shared'] = JSON.stringify(shared)
    },
  })
}

/** Runs in the page. */
function countCopies(): void {
  const write = navigator.clipboard.writeText.bind(navigator.clipboard)
  let copies = 0
  navigator.clipboard.writeText = (text) => {
    copies += 1
    document.documentElement.dataset['copies'] = `${copies}`
    return write(text)
  }
}

/** Runs in the page. Records the messages that are shown. */
function keepMessages(): void {
  addEventListener('DOMContentLoaded', () => {
    const line = document.querySelector('output')
    if (line === null) return
    const said: string[] = []
    new MutationObserver((records) => {
      said.push(
        ...records.flatMap(({ addedNodes }) => [...addedNodes].map(({ textContent }) => textContent ?? '')),
      )
      document.documentElement.dataset['said'] = said.join(' ')
    }).observe(line, { childList: true })
  })
}

/** Runs in the page. */
function refuseCopies(): void {
  Object.defineProperty(navigator, 'clipboard', { value: undefined })
}
