/** The filters and the search box of a catalogue, which work together. */
import { expect, inject, test } from 'vitest'
import { createSummary } from '../../../src/domain/catalogue/summary.ts'
import { FILTERS } from '../../../src/domain/catalogue/view.ts'
import { formatDescription } from '../../../src/domain/messages.ts'
import { expectSeen, formatAddress, readSeen, tapFilter } from '../../support/browser/catalogue-screen.ts'
import { CATALOGUES, EMPTY, THIRTY } from '../../support/run/sample-catalogues.ts'
import { useVisits, waitForReact } from '../../support/browser/visit.ts'

const visit = useVisits()

const FEW = CATALOGUES.find(({ products }) => products.length > 0 && products.length <= 3) ?? EMPTY

const WORD = readWord(THIRTY.products[0]?.name ?? '')

/** Goes from each filter to each filter. */
const WALK = [0, 0, 1, 1, 2, 2, 0, 2, 1, 0].flatMap((index) => FILTERS[index] ?? [])

test('a catalogue shows every product with the first filter, and goes from each filter to each filter', async () => {
  const { page, messages } = await visit(formatAddress(THIRTY))
  await waitForReact(page)
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY))
  expect(new Set(WALK.slice(1).map((to, index) => `${WALK[index]} ${to}`)).size).toBe(FILTERS.length ** 2)
  for (const [index, filter] of WALK.entries()) {
    await tapFilter(page, filter)
    expect(await readSeen(page), `${WALK[index - 1]} to ${filter}`).toEqual(expectSeen(THIRTY, { filter }))
  }
  expect(messages).toEqual([])
})

test('a catalogue without products has no controls, and one of three no choice of the order', async () => {
  const { page } = await visit(formatAddress(EMPTY))
  expect(await page.locator('main li').count()).toBe(0)
  expect(await page.getByText(formatDescription(createSummary([]))).isVisible()).toBe(true)
  expect(await page.locator('.bar, select, main button').count()).toBe(0)
  await page.goto(inject('origin') + formatAddress(FEW))
  expect(await page.locator('.filters').isVisible()).toBe(true)
  expect(await page.locator('.choices').isVisible()).toBe(false)
})

test('each letter in the search box filters the list, and Enter stays on the page', async () => {
  const { page } = await visit(formatAddress(THIRTY))
  await page.focus('input')
  for (let length = 1; length <= WORD.length; length += 1) {
    await page.keyboard.type(WORD.charAt(length - 1))
    const seen = expectSeen(THIRTY, { query: WORD.slice(0, length) })
    expect(seen.names.length).toBeGreaterThan(0)
    expect(await readSeen(page)).toEqual(seen)
  }
  await page.evaluate(() => document.body.setAttribute('data-same', ''))
  await page.press('input', 'Enter')
  expect(await page.locator('body[data-same]').count()).toBe(1)
  expect(await page.locator('input:focus').count()).toBe(0)
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY, { query: WORD }))
})

test('fast typing changes the address no oftener than browsers allow, and at last to what was typed', async () => {
  const { page, messages } = await visit(formatAddress(THIRTY), { hasClock: true, scripts: [allowChanges] })
  await page.evaluate(() => {
    const box = document.querySelector('input')
    for (let key = 0; key < 260; key += 1) {
      if (box !== null) box.value = `${key}`
      box?.dispatchEvent(new Event('input'))
    }
  })
  await page.clock.runFor(11_000)
  expect((await readSeen(page)).address).toBe(formatAddress(THIRTY, { query: '259' }))
  expect(Number(await page.getAttribute('html', 'data-changes'))).toBeLessThan(50)
  expect(messages).toEqual([])
})

function readWord(name: string): string {
  const word = name.split(' ').find((part) => part.length > 3)
  if (word === undefined) throw new Error(`${name} has no word to search for`)
  return word
}

/** Runs in the page. Like WebKit, throws at a change of the address after 100. */
function allowChanges(): void {
  const { replaceState } = history
  let changes = 0
  history.replaceState = (...entry) => {
    changes += 1
    document.documentElement.dataset['changes'] = `${changes}`
    if (changes > 100) throw new DOMException('too often', 'SecurityError')
    Reflect.apply(replaceState, history, entry)
  }
}
