/** The module of the order is loaded at the first touch, however the network and the page behave meanwhile. */
import type { Page, Route } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { ORDER_LOST, SIZE_NAMES } from '../../../src/domain/messages.ts'
import { canOrder } from '../../../src/domain/order/review-order.ts'
import { THIRTY } from '../../support/run/sample-catalogues.ts'
import { formatAddress } from '../../support/browser/catalogue-screen.ts'
import { openSlowSite } from '../../support/browser/slow-site.ts'
import { blockScripts, useVisits } from '../../support/browser/visit.ts'

const visit = useVisits()

const PATH = formatAddress(THIRTY)
const MODULE = '**/_astro/order.*'
/** The button of a product whose bottle and decant of 5 ml can be ordered. */
const ADD = `.card:nth-child(${findPosition()}) .add`

test('a touch orders after an earlier one has lost the module', async () => {
  const { page } = await visit(PATH, { prepare: blockScripts })
  for (const _ of ['first', 'second']) {
    await page.locator(ADD).click()
    await expect.poll(() => page.locator('output').textContent()).toBe(ORDER_LOST)
    await page.locator('output').evaluate((line) => line.replaceChildren())
  }
  await page.unrouteAll()
  expect(await orderFive(page)).toContain('1 producto')
})

test('a touch orders after a finger that only scrolled has lost the module', async () => {
  const { page } = await visit(PATH, { prepare: blockScripts })
  const lost = page.waitForEvent('requestfailed')
  await page.dispatchEvent(ADD, 'pointerdown')
  await lost
  await page.unrouteAll()
  expect(await orderFive(page)).toContain('1 producto')
})

test('a touch orders although the first request for the module fails', async () => {
  const { page } = await visit(PATH, {
    prepare: (next) => next.route(MODULE, (route) => route.abort(), { times: 1 }),
  })
  expect(await orderFive(page)).toContain('1 producto')
})

test('a touch loads a page again whose module is gone; the address of the list does not', async () => {
  const answer = (route: Route): Promise<void> => route.fulfill({ status: 404 })
  const { page } = await visit(PATH, { prepare: (next) => next.route(MODULE, answer) })
  const loaded = page.waitForEvent('load')
  await page.locator(ADD).click()
  await loaded
  let loads = 0
  page.on('load', () => (loads += 1))
  await page.evaluate(() => {
    location.hash = 'pedido'
  })
  await expect.poll(() => page.locator('output').textContent()).toBe(ORDER_LOST)
  expect(loads).toBe(0)
  page.removeAllListeners('load')
})

test('a touch while products are still arriving orders once the page has arrived', async () => {
  const slow = await openSlowSite(inject('origin'), (html) => html.lastIndexOf('<li'))
  const { page, messages } = await visit('/')
  await page.goto(slow.origin + PATH, { waitUntil: 'commit' })
  const add = page.locator(ADD)
  await add.click()
  await add.click()
  expect(await add.getAttribute('data-busy')).toBe('')
  slow.finish()
  await page.getByRole('dialog').waitFor()
  expect(await page.locator('dialog').count()).toBe(1)
  expect(await add.getAttribute('data-busy')).toBe(null)
  expect(messages).toEqual([])
})

/** Touches the button once, and chooses a decant. Returns the text of the bar. */
async function orderFive(page: Page): Promise<string | null> {
  await page.locator(ADD).click()
  await page.getByRole('dialog').getByRole('button', { name: SIZE_NAMES['5ml'] }).click()
  const bar = page.locator('.order')
  await bar.waitFor()
  return bar.textContent()
}

function findPosition(): number {
  const index = THIRTY.products.findIndex((product) => {
    const { _5ml: five } = product
    return canOrder(product) && canOrder(five)
  })
  if (index === -1) throw new Error('the sample has no product with a bottle and a decant to order')
  return index + 1
}
