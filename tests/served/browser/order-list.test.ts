/** The list of the order: what it leaves in the history, what it remembers, and pages that others have changed. */
import { expect, inject, test } from 'vitest'
import {
  CLOSE,
  EMPTY_ORDER,
  IS_ORDER_SENT,
  ORDER,
  ORDER_BY_WHATSAPP,
  SEND_AGAIN,
  UNDO,
} from '../../../src/domain/messages.ts'
import { canOrder } from '../../../src/domain/order/review-order.ts'
import { formatOrderKey, formatStoredOrder, summarizeOrder } from '../../../src/domain/order/stored-order.ts'
import { formatProductPath } from '../../../src/domain/pages/paths.ts'
import { THIRTY } from '../../support/run/sample-catalogues.ts'
import { formatAddress, tapFilter } from '../../support/browser/catalogue-screen.ts'
import type { VisitOptions } from '../../support/browser/visit.ts'
import { useVisits } from '../../support/browser/visit.ts'

const visit = useVisits()

const PATH = formatAddress(THIRTY)
const [FIRST] = THIRTY.products.filter(canOrder)

test('opening and closing the list leaves no entry in the history, and the focus on the bar', async () => {
  const { page } = await visit('/', withOrder())
  // The skip link leaves an entry whose element Firefox focuses when the history leads back to it.
  await page.goto(`${inject('origin')}${PATH}#contenido`)
  const list = page.getByRole('dialog', { name: ORDER })
  const ways = [
    () => list.getByRole('button', { name: CLOSE }).click(),
    () => page.keyboard.press('Escape'),
    () => page.goBack(),
  ]
  for (const close of ways) {
    await page.locator('.order').click()
    await list.waitFor()
    await close()
    await page.waitForURL(`**${PATH}#contenido`)
    expect(await list.isVisible()).toBe(false)
    expect(await page.locator('.order:focus').count()).toBe(1)
  }
  await page.goForward()
  await list.waitFor()
  await list.getByRole('button', { name: CLOSE }).click()
  await page.waitForURL(`**${PATH}#contenido`)
  await tapFilter(page, 'disponible')
  await page.goBack()
  expect(page.url()).toBe(`${inject('origin')}/`)
})

test('two taps on the bar while the module is loading leave no entry in the history either', async () => {
  const { page } = await visit('/', withOrder())
  await page.goto(inject('origin') + PATH)
  const arrived = Promise.withResolvers<void>()
  await page.route('**/_astro/order.*', async (route) => {
    await arrived.promise
    await route.continue()
  })
  await page.locator('.order').click()
  await page.locator('.order').click()
  arrived.resolve()
  const list = page.getByRole('dialog', { name: ORDER })
  await list.getByRole('button', { name: CLOSE }).click()
  await page.waitForURL(`**${PATH}`)
  await page.goBack()
  expect(page.url()).toBe(`${inject('origin')}/`)
})

test('an order that was sent, emptied and restored is still known to be sent', async () => {
  const { page } = await visit(`${PATH}#pedido`, withOrder())
  const send = page.locator('.send')
  const readSent = async (): Promise<unknown> => [
    await send.textContent(),
    await page.locator('.question').isVisible(),
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('enviado')).length),
  ]
  await page.getByRole('link', { name: ORDER_BY_WHATSAPP }).waitFor()
  // Nothing is sent from here.
  await send.evaluate((link) => link.removeAttribute('href'))
  await send.click()
  const sent = [SEND_AGAIN, true, 1]
  expect(await readSent()).toEqual(sent)
  await page.reload()
  await page.locator('.question').getByText(IS_ORDER_SENT).waitFor()
  await page.getByRole('button', { name: EMPTY_ORDER }).click()
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  await page.getByRole('button', { name: UNDO }).click()
  expect(await readSent()).toEqual(sent)
  await page.locator('.counter button').last().click()
  expect(await readSent()).toEqual([ORDER_BY_WHATSAPP, false, 1])
})

test('names that an order contains are not translated', async () => {
  const { page } = await visit(PATH)
  const countTranslated = (names: readonly Element[]): number =>
    names.filter((name) => name.closest('[translate=no]') === null).length
  expect(await page.locator('.brand, h1, .card h2').count()).toBe(32)
  expect(await page.locator('.brand, h1, .card h2').evaluateAll(countTranslated)).toBe(0)
  await page.goto(inject('origin') + formatProductPath(THIRTY.seller, FIRST?.id ?? ''))
  expect(await page.locator('.brand, h1').evaluateAll(countTranslated)).toBe(0)
})

/** A browser that has an order of one bottle stored. */
function withOrder(): Pick<VisitOptions, 'stored'> {
  if (FIRST === undefined) throw new Error('the sample has no product to order')
  const { id: product, name, price } = FIRST
  const order = [{ product, size: 'frasco', count: 1, name, price }] as const
  const value = formatStoredOrder(order, summarizeOrder(order))
  return { stored: { [formatOrderKey(THIRTY.seller)]: value } }
}
