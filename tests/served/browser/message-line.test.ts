/** The line of short messages lies where no control is. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Product } from '../../../src/domain/documents/product.ts'
import { LINK_COPIED } from '../../../src/domain/messages.ts'
import { canOrder } from '../../../src/domain/order/review-order.ts'
import { formatOrderKey, formatStoredOrder, summarizeOrder } from '../../../src/domain/order/stored-order.ts'
import { formatProductPath } from '../../../src/domain/pages/paths.ts'
import { THIRTY } from '../../support/run/sample-catalogues.ts'
import { formatAddress } from '../../support/browser/catalogue-screen.ts'
import { useVisits } from '../../support/browser/visit.ts'

const visit = useVisits()

const { id, name } = findOffered()
const ORDER = [{ product: id, size: 'frasco', count: 1, name, price: 1 }] as const
const KEY = formatOrderKey(THIRTY.seller)
const STORED = formatStoredOrder(ORDER, summarizeOrder(ORDER))

/** Enough places of the page to have a control at each height of the screen. */
const SCROLLS = [0, 120, 180, 300, 420]

for (const [kind, path] of [
  ['catalogue', formatAddress(THIRTY)],
  ['product', formatProductPath(THIRTY.seller, id)],
] as const)
  for (const width of [360, 1280])
    test(`a message covers no control of a ${kind}'s page of ${width} px, with and without an order`, async () => {
      const { page } = await visit(path, {
        viewport: { width, height: 740 },
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      for (const stored of [null, STORED]) {
        if (stored !== null) {
          await page.evaluate(([key, value]) => localStorage.setItem(key, value), [KEY, stored] as const)
          await page.reload()
          await page.locator('.order').waitFor()
        }
        for (const scroll of SCROLLS) {
          expect(await findCovered(page, scroll), `after ${scroll} px`).toEqual([])
        }
      }
    })

test('a message goes when what it lies over changes', async () => {
  const { page } = await visit(formatAddress(THIRTY), { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.click('.share')
  const line = page.locator('output')
  await expect.poll(() => line.textContent()).toBe(LINK_COPIED)
  await page.locator('input').pressSequentially('a')
  expect(await line.textContent()).toBe('')
})

/** Returns a product whose bottle can be ordered. */
function findOffered(): Product {
  const offered = THIRTY.products.find(canOrder)
  if (offered === undefined) throw new Error('the sample has no product to order')
  return offered
}

/** Copies the link of a product while the page is scrolled so far, and returns the controls below the message. */
async function findCovered(page: Page, scroll: number): Promise<readonly string[]> {
  await page.evaluate((top) => {
    scrollTo(0, top)
    document.querySelector<HTMLElement>('.share')?.click()
  }, scroll)
  await expect.poll(() => page.locator('output').textContent()).toBe(LINK_COPIED)
  return page.evaluate(() => {
    const message = document.querySelector('output')?.getBoundingClientRect()
    if (message === undefined || message.top < 0 || message.bottom > innerHeight) return ['off the screen']
    const isBelow = (control: Element): boolean =>
      [...control.getClientRects()].some(
        ({ left, top, right, bottom }) =>
          left < message.right && right > message.left && top < message.bottom && bottom > message.top,
      )
    const controls = [...document.querySelectorAll('button, input, select, label, .pill, .order')]
    return controls.filter(isBelow).map((control) => control.outerHTML)
  })
}
