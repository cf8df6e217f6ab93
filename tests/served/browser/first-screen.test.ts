/** The first screen of a catalogue on a phone, and what stays at hand in the middle of a long list. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { BACK_TO_TOP } from '../../../src/domain/messages.ts'
import { THIRTY } from '../../../scripts/audit/sample-catalogues.ts'
import { formatAddress, tapFilter } from '../../support/catalogue-screen.ts'
import { blockScripts, useVisits, waitForReact } from '../../support/visit.ts'

const visit = useVisits()

const LONG = 300
const VERY_LONG = 2_000

test('a phone shows two rows of cards, the first one below a short head', async () => {
  const { page } = await visit(formatAddress(THIRTY))
  const tops = await page
    .locator('main li')
    .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().top))
  expect(tops[0]).toBeLessThanOrEqual(215)
  expect(tops[2]).toBeGreaterThan(tops[0] ?? 0)
  expect(tops[2]).toBeLessThan(740)
})

test('the filters take one row, also at 320 pixels', async () => {
  const { page } = await visit(formatAddress(THIRTY), { viewport: { width: 320, height: 640 } })
  const tops = await page
    .locator('.filters button')
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top))
  expect(new Set(tops).size).toBe(1)
})

for (const layer of ['inline script', 'React'] as const) {
  test(`search, filters, count and name are at hand in a long list, and a choice shows its first match: ${layer}`, async () => {
    const { page } = await visit(formatAddress(THIRTY), layer === 'React' ? {} : { prepare: blockScripts })
    if (layer === 'React') await waitForReact(page)
    await repeatCards(page, LONG)
    const look = (selector: string): Promise<number> =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => element.getBoundingClientRect().top)
    await page.mouse.wheel(0, 20_000)
    await expect.poll(() => page.locator('html[data-scrolled]').count()).toBe(1)
    for (const selector of ['.bar input', '.filters', '.whose', '[role=status]']) {
      expect(await look(selector), selector).toBeGreaterThanOrEqual(0)
      expect(await look(selector), selector).toBeLessThan(130)
    }
    await tapFilter(page, 'disponible')
    const bar = await page.locator('.bar').evaluate((element) => element.getBoundingClientRect().bottom)
    const first = await look('.card[data-available]')
    expect(first).toBeGreaterThanOrEqual(bar)
    expect(first).toBeLessThan(bar + 40)
    await page.mouse.wheel(0, 5_000)
    await page.getByRole('link', { name: BACK_TO_TOP }).click()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
    expect(await page.locator('.up').isVisible()).toBe(false)
  })
}

test('reading and scrolling load no script file; the touch of a control does', async () => {
  const scripts: string[] = []
  const { page } = await visit(formatAddress(THIRTY), {
    hasTouch: true,
    prepare: async (next) => {
      next.on('request', (request) => {
        if (request.resourceType() === 'script' && !request.url().includes('service-worker'))
          scripts.push(request.url())
      })
    },
  })
  await page.waitForLoadState('networkidle')
  await page.touchscreen.tap(180, 300)
  await page.mouse.wheel(0, 1_000)
  await page.waitForTimeout(500)
  expect(scripts).toEqual([])
  await page.locator('.bar input').tap()
  await expect.poll(() => scripts.length).toBeGreaterThan(0)
})

// Ten times as long with `content-visibility` on the cards themselves.
test('a tap and a key on 2,000 products answer within 200 ms on a slow phone', async () => {
  const { page } = await visit(formatAddress(THIRTY), { prepare: blockScripts, deviceScaleFactor: 2 })
  await repeatCards(page, VERY_LONG)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const taps = await page.evaluate(measureAnswers, ['disponible', 'todos', 'no-disponible', 'todos'])
  // The quickest ones: any single one may have waited for another process on a busy machine.
  expect(Math.min(...taps.filters)).toBeLessThanOrEqual(200)
  expect(Math.min(...taps.keys)).toBeLessThanOrEqual(200)
})

/** Fills the list with copies of its cards. */
async function repeatCards(page: Page, count: number): Promise<void> {
  await page.evaluate((wanted) => {
    const list = document.querySelector('main ul')
    const cards = [...(list?.children ?? [])]
    for (let made = cards.length; made < wanted; made += 1) {
      const copy = cards[made % cards.length]?.cloneNode(true)
      if (copy instanceof HTMLElement) {
        copy.id = `copy-${made}`
        list?.append(copy)
      }
    }
  }, count)
}

/** Runs in the page. Returns the milliseconds from each tap and each key to the end of the next frame. */
async function measureAnswers(filters: readonly string[]): Promise<{ filters: number[]; keys: number[] }> {
  const measure = async (act: () => void): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    const before = performance.now()
    act()
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    return performance.now() - before
  }
  const results = { filters: [] as number[], keys: [] as number[] }
  for (const filter of filters) {
    const button = document.querySelector<HTMLButtonElement>(`button[value=${filter}]`)
    results.filters.push(await measure(() => button?.click()))
  }
  const box = document.querySelector('input')
  for (const text of ['e', 'eau', 'eau de', '']) {
    const type = (): void => {
      if (box !== null) box.value = text
      box?.dispatchEvent(new Event('input', { bubbles: true }))
    }
    results.keys.push(await measure(type))
  }
  return results
}
