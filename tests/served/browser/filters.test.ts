/** The filter of a catalogue. */
import { expect, inject, test } from 'vitest'
import { createSummary } from '../../../src/domain/catalogue/summary.ts'
import { FILTERS } from '../../../src/domain/catalogue/view.ts'
import { formatDescription, NOTHING_TO_SHOW } from '../../../src/domain/messages.ts'
import { expectSeen, formatAddress, readSeen, tapFilter } from '../../support/browser/catalogue-screen.ts'
import { CATALOGUES, EMPTY, isAvailable, THIRTY } from '../../../scripts/audit/sample-catalogues.ts'
import { useVisits, waitForReact } from '../../support/browser/visit.ts'

const visit = useVisits()

const FEW = CATALOGUES.find(({ products }) => products.length > 0 && products.length <= 3) ?? EMPTY

/** Goes from each filter to each filter. */
const WALK = [0, 0, 1, 1, 2, 2, 0, 2, 1, 0].flatMap((index) => FILTERS[index] ?? [])

test('shows every product with the first filter pressed, and goes from each filter to each filter', async () => {
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

test('shows one line when nothing matches', async () => {
  const full = CATALOGUES.find(({ products }) => products.length > 0 && products.every(isAvailable)) ?? THIRTY
  const { page } = await visit(formatAddress(full))
  const line = page.getByText(NOTHING_TO_SHOW)
  expect(await line.isVisible()).toBe(false)
  await page.fill('input', 'zzz')
  expect(await line.isVisible()).toBe(true)
  await page.fill('input', '')
  expect(await line.isVisible()).toBe(false)
})

test('shows no controls for nothing, and no order for three products', async () => {
  const { page } = await visit(formatAddress(EMPTY))
  expect(await page.locator('main li').count()).toBe(0)
  expect(await page.getByText(formatDescription(createSummary([]))).isVisible()).toBe(true)
  expect(await page.locator('.bar, select, main button').count()).toBe(0)
  await page.goto(inject('origin') + formatAddress(FEW))
  expect(await page.locator('.filters').isVisible()).toBe(true)
  expect(await page.locator('.choices').isVisible()).toBe(false)
})
