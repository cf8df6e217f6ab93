/** Filter, search, order and decants, and their place in the address; the way out of an empty result. */
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import type { Filter, View } from '../../../src/domain/catalogue/view.ts'
import { EVERYTHING, FILTERS } from '../../../src/domain/catalogue/view.ts'
import {
  DECANT_CHOICE_LABEL,
  FILTER_NAMES,
  NOTHING_TO_SHOW,
  ORDER_LABEL,
  SHARE,
  SHOW_EVERYTHING,
} from '../../../src/domain/messages.ts'
import { CATALOGUES, THIRTY } from '../../support/run/sample-catalogues.ts'
import type { Seen } from '../../support/browser/catalogue-screen.ts'
import { expectSeen, formatAddress, readSeen, tapFilter } from '../../support/browser/catalogue-screen.ts'
import { openSlowSite } from '../../support/browser/slow-site.ts'
import { blockScripts, useVisits, waitForReact } from '../../support/browser/visit.ts'

const visit = useVisits()

type Choices = Seen & { readonly choices: readonly string[] }

/** A catalogue with products of equal prices, and one without a price. */
const UNPRICED = CATALOGUES.find(({ products }) => products.some(({ price }) => price === null)) ?? THIRTY

test('a catalogue is sorted and narrowed, and back; chips show what is chosen, and filters how many there are', async () => {
  const { page } = await visit(formatAddress(UNPRICED))
  expect(await readControls(page)).toEqual(expectControls(['Ordenar', 'Decants']))
  await choose(page, { order: 'precio-menor' })
  expect(await readChoices(page)).toEqual(expectChoices({ order: 'precio-menor' }))
  await choose(page, { decants: '10ml' })
  await tapFilter(page, 'disponible')
  const narrowed = { order: 'precio-menor', decants: '10ml', filter: 'disponible' } as const
  expect(await readChoices(page)).toEqual(expectChoices(narrowed))
  const chips = ['Menor precio', 'Decants: 10ML']
  expect(await readControls(page)).toEqual(expectControls(chips, { decants: '10ml' }))
  await waitForReact(page)
  await page.fill('input', 'edp')
  await choose(page, { order: 'precio-mayor', decants: '5ml' })
  const searched = { order: 'precio-mayor', decants: '5ml', filter: 'disponible', query: 'edp' } as const
  expect(await readChoices(page)).toEqual(expectChoices(searched))
  const others = ['Mayor precio', 'Decants: 5ML']
  expect(await readControls(page)).toEqual(expectControls(others, { decants: '5ml', query: 'edp' }))
  await page.fill('input', '')
  await tapFilter(page, 'todos')
  await choose(page, { order: 'nombre', decants: 'todos' })
  expect(await readChoices(page)).toEqual(expectChoices({}))
})

test('the page itself says how many products each filter keeps', async () => {
  const response = await fetch(inject('origin') + formatAddress(UNPRICED))
  const counts = (await response.text()).match(/\d+(?=<\/small>)/g)
  expect(counts).toEqual(FILTERS.map((filter) => `${expectSeen(UNPRICED, { filter }).names.length}`))
})

test('an empty result of filters says so, offers every product, and keeps the focus', async () => {
  const view = { filter: 'disponible', decants: '5ml', order: 'precio-mayor', query: 'zzz' } as const
  const { page } = await visit(formatAddress(UNPRICED, view))
  expect(await readChoices(page)).toEqual(expectChoices(view))
  const line = page.getByText(NOTHING_TO_SHOW)
  expect(await line.isVisible()).toBe(true)
  await page.getByRole('button', { name: SHOW_EVERYTHING }).press('Enter')
  expect(await line.isVisible()).toBe(false)
  expect(await readChoices(page)).toEqual(expectChoices({}))
  expect(await page.locator('button[value=todos]:focus').count()).toBe(1)
})

test('a catalogue shows every choice of the address on arrival, after a reload and in the history', async () => {
  const view = { filter: 'disponible', query: 'e', order: 'precio-mayor', decants: '10ml' } as const
  const { page, messages } = await visit(formatAddress(UNPRICED, view))
  expect(await readChoices(page)).toEqual(expectChoices(view))
  await page.reload()
  expect(await readChoices(page)).toEqual(expectChoices(view))
  await page.evaluate(() => {
    location.hash = 'contenido'
  })
  const other = { filter: 'no-disponible', query: 'a', order: 'precio-menor' } as const
  await choose(page, { order: 'precio-menor', decants: 'todos' })
  await tapFilter(page, other.filter)
  await page.fill('input', other.query)
  await page.goBack()
  await expect.poll(() => readChoices(page)).toEqual(expectChoices(view))
  await page.goForward()
  await expect.poll(() => readChoices(page)).toEqual(expectChoices(other))
  await waitForReact(page)
  await page.click('.brand')
  await page.waitForURL(`${inject('origin')}/`)
  await page.goBack()
  await expect.poll(() => readChoices(page)).toEqual(expectChoices(other))
  await tapFilter(page, 'todos')
  expect(await readChoices(page)).toEqual(expectChoices({ ...other, filter: 'todos' }))
  expect(messages).toEqual([])
})

test('sorting keeps the focus inside a card', async () => {
  const { page } = await visit(formatAddress(UNPRICED), { prepare: blockScripts })
  await choose(page, { order: 'precio-menor' })
  await page.evaluate(() => {
    location.hash = 'contenido'
  })
  await choose(page, { order: 'precio-mayor' })
  const share = page.getByRole('button', { name: SHARE }).nth(9)
  await share.focus()
  await share.evaluate((button) => button.setAttribute('data-mine', ''))
  await page.goBack()
  await expect.poll(() => readChoices(page)).toEqual(expectChoices({ order: 'precio-menor' }))
  expect(await page.locator('[data-mine]:focus').count()).toBe(1)
})

test('a page that is loading never shows a card that the address excludes, and is sorted once loaded', async () => {
  const slow = await openSlowSite(inject('origin'), (html) => html.lastIndexOf('<li'))
  const view = { filter: 'disponible', order: 'precio-mayor', query: 'parfum' } as const
  const { page } = await visit('/', { prepare: blockScripts, scripts: [rememberFrames] })
  await page.goto(slow.origin + formatAddress(UNPRICED, view), { waitUntil: 'commit' })
  await page.waitForFunction(() => document.documentElement.dataset['said']?.includes('producto'))
  slow.finish()
  await page.waitForLoadState()
  expect(await readChoices(page)).toEqual(expectChoices(view))
  const { shown, said } = await page.evaluate(() => ({ ...document.documentElement.dataset }))
  const seen = expectSeen(UNPRICED, view)
  expect(JSON.parse(shown ?? '').toSorted()).toEqual(seen.names.toSorted())
  expect(JSON.parse(said ?? '')).toEqual([expectSeen(UNPRICED).status, seen.status])
})

async function choose(page: Page, { order, decants }: Partial<View>): Promise<void> {
  if (order !== undefined) await chooseOption(page, ORDER_LABEL, order)
  if (decants !== undefined) await chooseOption(page, DECANT_CHOICE_LABEL, decants)
}

/** Focuses the control like a visitor would. */
async function chooseOption(page: Page, label: string, value: string): Promise<void> {
  await page.getByLabel(label).focus()
  await page.getByLabel(label).selectOption(value)
}

async function readChoices(page: Page): Promise<Choices> {
  const choices = await page
    .locator('select')
    .evaluateAll((selects) => selects.map((select) => ('value' in select ? String(select.value) : '')))
  return { ...(await readSeen(page)), choices }
}

function expectChoices(view: Partial<View>): Choices {
  const { order, decants } = { ...EVERYTHING, ...view }
  return { ...expectSeen(UNPRICED, view), choices: [order, decants] }
}

/** Returns what the chips say, and the names and numbers of the filters. */
async function readControls(page: Page): Promise<readonly (string | null)[]> {
  const chips = await page.locator('.chip > span').allTextContents()
  const buttons = await page.locator('.filters button').allTextContents()
  return [...chips, ...buttons]
}

function expectControls(chips: readonly string[], view: Partial<View> = {}): readonly string[] {
  const count = (filter: Filter): number => expectSeen(UNPRICED, { ...view, filter }).names.length
  return [...chips, ...FILTERS.map((filter) => `${FILTER_NAMES[filter]} ${count(filter)}`)]
}

/** Records in the root element the card names and the counts painted in any frame, once their texts have arrived. */
function rememberFrames(): void {
  const names = new Set<string>()
  const counts = new Set<string>()
  const look = (): void => {
    for (const card of document.querySelectorAll('main li')) {
      const name = card.querySelector('h2')?.textContent ?? ''
      if (name !== '' && card.getClientRects().length > 0) names.add(name)
    }
    const count = document.querySelector('[role=status]')?.textContent ?? ''
    if (count !== '') counts.add(count)
    document.documentElement.dataset['shown'] = JSON.stringify([...names])
    document.documentElement.dataset['said'] = JSON.stringify([...counts])
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  addEventListener('load', look)
}
