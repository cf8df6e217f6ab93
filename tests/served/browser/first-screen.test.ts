/** The first screen of a catalogue on a phone, and what stays at hand in the middle of a long list. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { EVERYTHING } from '../../../src/domain/catalogue/view.ts'
import { BACK_TO_TOP, formatProductCount } from '../../../src/domain/messages.ts'
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
  await page.locator('h1').tap()
  await page.mouse.wheel(0, 1_000)
  await page.waitForTimeout(500)
  expect(scripts).toEqual([])
  await page.locator('.bar input').tap()
  await expect.poll(() => scripts.length).toBeGreaterThan(0)
})

/** How much slower the phone is that the limits are for. */
const SLOWER = 4
/** How much slower this machine may be while a suite shares its cores. Alone it keeps the limits. */
const SHARED = 3
const TURNS = 3
const ROUNDS = 2

/** Most milliseconds of processor time from an act to the end of the next frame, on that phone, by number of products. */
const LIMITS = [
  [LONG, 100],
  [VERY_LONG, 200],
] as const

/** Those that show cards come after one that hides most. */
const ACTS: readonly (readonly [name: string, act: Act, text: string])[] = [
  ['hides the sold out', tap, 'disponible'],
  ['shows the sold out', tap, 'todos'],
  ['hides the available', tap, 'no-disponible'],
  ['shows the available', tap, 'todos'],
  ['finds nothing', type, 'zzz'],
  ['shows all again', type, ''],
]

// With cards that are list items and have
// `content-visibility`, a tap takes the square of their number: 2,800 ms or more.
test('a tap and a key on 300 and on 2,000 products answer at once on a slow phone', async () => {
  const { page } = await visit(formatAddress(THIRTY), { prepare: blockScripts, deviceScaleFactor: 2 })
  const measure = await openStopwatch(page)
  for (const [count, most] of LIMITS) {
    await repeatCards(page, count)
    let slow = await findSlow(measure, most)
    // A busy machine gets another chance.
    for (let round = 1; round < ROUNDS && slow.length > 0; round += 1) slow = await findSlow(measure, most)
    expect(slow, `${count} products`).toEqual([])
  }
})

/** Returns the acts whose median is above the limit, with it. */
async function findSlow(measure: Measure, most: number): Promise<readonly string[]> {
  const times = ACTS.map((): number[] => [])
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const [index, [, act, text]] of ACTS.entries()) times[index]?.push(await measure(act, text))
  const medians = times.map((taken) => Math.round((SLOWER / SHARED) * readMedian(taken)))
  return ACTS.flatMap(([name], index) =>
    (medians[index] ?? 0) > most ? [`${name}: ${medians[index]} ms`] : [],
  )
}

test('a choice counts every match and shows the first ones at once, and the others in later frames', async () => {
  const { page } = await visit(formatAddress(THIRTY))
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
  await waitForReact(page)
  await page.evaluate(type, 'zzz')
  await frames.evaluate(({ draw }) => draw())
  expect(await readShown()).toEqual([])
})

type Act = (text: string) => void

type Measure = (act: Act, text: string) => Promise<number>

/** Measures the processor time of the page's thread, in milliseconds, from an act to the end of the next frame. */
async function openStopwatch(page: Page): Promise<Measure> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const readTime = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0)
  }
  return async (act, text) => {
    const before = await readTime()
    // In one call: a later frame may show more cards.
    await page.evaluate(`(${String(act)})('${text}'); (${String(waitForFrames)})(1)`)
    const taken = (await readTime()) - before
    await page.evaluate(waitForFrames, 5)
    return taken
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

/** Returns after this many frames. Runs in the page. */
async function waitForFrames(count: number): Promise<void> {
  for (let frames = 0; frames < count; frames += 1)
    await new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(resolve))
    })
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

function readMedian(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Infinity
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
        list?.append(copy)
      }
    }
  }, count)
}
