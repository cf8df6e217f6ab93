/** The first screen of a catalogue on a phone, and what stays at hand in the middle of a long list. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { EVERYTHING } from '../../../src/domain/catalogue/view.ts'
import { BACK_TO_TOP, formatProductCount } from '../../../src/domain/messages.ts'
import { THIRTY } from '../../support/run/sample-catalogues.ts'
import { formatAddress, tapFilter, waitForCards } from '../../support/browser/catalogue-screen.ts'
import { blockScripts, useVisits, waitForIdle, waitForReact } from '../../support/browser/visit.ts'

const visit = useVisits()

const LONG = 300
const VERY_LONG = 2_000

/** Most layouts after an act: for the first match, for the first cards, for the others, and what they move. */
const MOST_LAYOUTS = 10

test('a phone shows two rows of cards below a short head, and its filters in one row', async () => {
  const { page } = await visit(formatAddress(THIRTY))
  const tops = await page
    .locator('main li')
    .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().top))
  expect(tops[0]).toBeLessThanOrEqual(0.22 * 740)
  expect(tops[2]).toBeGreaterThan(tops[0] ?? 0)
  expect(tops[2]).toBeLessThan(740)
  await page.setViewportSize({ width: 320, height: 640 })
  const rows = await page
    .locator('.filters button')
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top))
  expect(new Set(rows).size).toBe(1)
})

test('search, filters and counts are at hand in a long list, and a choice shows its first match', async () => {
  const { page } = await visit(formatAddress(THIRTY))
  await repeatCards(page, LONG)
  const last = page.locator('.card').last()
  const style = await last.evaluate((card) => {
    const { contentVisibility, display } = getComputedStyle(card)
    return [contentVisibility, display]
  })
  // Hiding many list items with `content-visibility` takes the square of their number.
  expect(style).toEqual(['auto', 'block'])
  const look = (selector: string): Promise<number> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => element.getBoundingClientRect().top)
  await page.mouse.wheel(0, 20_000)
  await expect.poll(() => page.locator('html[data-scrolled]').count()).toBe(1)
  for (const selector of ['input', '.filters']) {
    expect(await look(selector), selector).toBeGreaterThanOrEqual(0)
    expect(await look(selector), selector).toBeLessThan(100)
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

test('reading and scrolling load no script file; a control of the order loads its own, any other one React', async () => {
  const scripts: string[] = []
  const { page } = await visit(formatAddress(THIRTY), {
    hasTouch: true,
    hasClock: true,
    prepare: async (next) => {
      next.on('request', (request) => {
        if (request.resourceType() === 'script' && !request.url().includes('service-worker'))
          scripts.push(request.url())
      })
    },
  })
  await page.locator('h1').tap()
  await page.mouse.wheel(0, 1_000)
  await page.locator('html[data-scrolled]').waitFor()
  await page.clock.runFor(60_000)
  expect(scripts).toEqual([])
  await page.locator('.add').first().tap()
  await page.getByRole('dialog').waitFor()
  expect(scripts).toEqual([expect.stringContaining('/_astro/order.')])
  await page.keyboard.press('Escape')
  await page.locator('input').tap()
  await expect.poll(() => scripts.length).toBeGreaterThan(1)
})

/** Acts that show cards come after one that hides most. */
const ACTS: readonly (readonly [name: string, act: Act, text: string])[] = [
  ['hides the sold out', tap, 'disponible'],
  ['shows the sold out', tap, 'todos'],
  ['hides the available', tap, 'no-disponible'],
  ['shows the available', tap, 'todos'],
  ['finds nothing', type, 'zzz'],
  ['shows all again', type, ''],
  ['sorts', sort, 'precio-mayor'],
  ['sorts by name again', sort, 'nombre'],
]

test('a tap and a key lay the page out a few times, however many products it has', async () => {
  const { page } = await visit(formatAddress(THIRTY), { prepare: blockScripts })
  const count = await openLayoutCounter(page)
  await repeatCards(page, VERY_LONG)
  for (const [name, act, text] of ACTS) {
    const layouts = await count(act, text)
    expect(layouts, name).toBeGreaterThan(0)
    expect(layouts, name).toBeLessThanOrEqual(MOST_LAYOUTS)
  }
})

test('a choice counts every match and shows the first ones at once, and the others in later frames', async () => {
  const { page } = await visit(formatAddress(THIRTY))
  await waitForReact(page)
  await repeatCards(page, VERY_LONG)
  const frames = await page.evaluateHandle(holdFrames)
  const readShown = (): Promise<readonly number[]> => page.evaluate(readShownCards)
  const showAgain = async (): Promise<void> => {
    await page.evaluate(type, 'zzz')
    await page.evaluate(type, '')
  }
  const isBusy = (): Promise<string | null> => page.getAttribute('main ul', 'aria-busy')
  const all = Array.from({ length: VERY_LONG }, (_, index) => index)
  await showAgain()
  expect(await page.locator('[role=status]').textContent()).toBe(formatProductCount(VERY_LONG, EVERYTHING))
  expect(await readShown()).toEqual(all.slice(0, 8))
  expect(await isBusy()).toBe('true')
  await frames.evaluate(({ draw }) => draw())
  expect(await readShown()).toEqual(all)
  expect(await isBusy()).toBe('false')

  await showAgain()
  await page.evaluate(tap, 'disponible')
  await frames.evaluate(({ draw }) => draw())
  expect(await readShown()).toHaveLength(await page.locator('.card[data-available]').count())
  await page.evaluate(tap, 'todos')

  await page.evaluate(sort, 'precio-mayor')
  expect(await readShown()).toHaveLength(8)
  await page.evaluate(tap, 'disponible')
  expect(await readShown()).toHaveLength(8)
  await frames.evaluate(({ draw }) => draw())
  const prices = await page
    .locator('.card[data-available]')
    .evaluateAll((cards) => cards.map((card) => Number(card.getAttribute('data-price'))))
  expect(await readShown()).toHaveLength(prices.length)
  expect(prices).toEqual(prices.toSorted((a, b) => b - a))
  await page.evaluate(sort, 'nombre')
  await page.evaluate(tap, 'todos')
  await frames.evaluate(({ draw }) => draw())

  await showAgain()
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  expect(await readShown()).toEqual(all)
  expect(await isBusy()).toBe('false')

  await showAgain()
  await page.evaluate(() => {
    location.hash = 'copy-1999'
  })
  await expect.poll(readShown).toEqual(all)
  await expect
    .poll(() => page.locator('#copy-1999').evaluate((card) => card.getBoundingClientRect().top))
    .toBeLessThan(740)

  await showAgain()
  await page.evaluate(type, 'zzz')
  await frames.evaluate(({ draw }) => draw())
  expect(await readShown()).toEqual([])
})

type Act = (text: string) => void

/** Returns a function that counts the layouts which the page makes from an act until every card is shown. */
async function openLayoutCounter(page: Page): Promise<(act: Act, text: string) => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const readCount = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? NaN
  }
  return async (act, text) => {
    const before = await readCount()
    await page.evaluate(act, text)
    await waitForCards(page)
    await waitForIdle(page)
    return (await readCount()) - before
  }
}

/** Runs in the page. */
function tap(filter: string): void {
  document.querySelector<HTMLButtonElement>(`button[value=${filter}]`)?.click()
}

/** Runs in the page. */
function type(text: string): void {
  const box = document.querySelector('input')
  if (box !== null) box.value = text
  box?.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Runs in the page. */
function sort(order: string): void {
  const select = document.querySelector('select')
  if (select !== null) select.value = order
  select?.dispatchEvent(new Event('change', { bubbles: true }))
}

/** From now on the page's scripts get frames when the test says so. Runs in the page. */
function holdFrames(): { draw: () => Promise<void> } {
  const held: FrameRequestCallback[] = []
  window.requestAnimationFrame = (callback) => held.push(callback)
  const draw = async (): Promise<void> => {
    for (let next = held.shift(); next !== undefined; next = held.shift()) {
      next(0)
      // Timers that the frame has set come first.
      await new Promise((resolve) => {
        setTimeout(resolve, 1)
      })
    }
  }
  return { draw }
}

/** Returns the positions of the cards that have a box. Runs in the page. */
function readShownCards(): readonly number[] {
  const cards = [...document.querySelectorAll('.card')]
  return [...cards.keys()].filter((index) => cards[index]?.getClientRects().length === 1)
}

/** Fills the list with copies of its cards. */
async function repeatCards(page: Page, count: number): Promise<void> {
  await page.evaluate((wanted) => {
    const list = document.querySelector('main ul')
    const cards = [...(list?.children ?? [])]
    for (let made = cards.length; made < wanted; made += 1) {
      const copy = cards[made % cards.length]?.cloneNode(true)
      if (copy instanceof HTMLElement) {
        copy.id = `copy-${made}`
        copy.querySelector('h2')?.setAttribute('id', `n-${made + 1}`)
        list?.append(copy)
      }
    }
  }, count)
}
