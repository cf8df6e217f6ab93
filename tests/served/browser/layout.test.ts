/** Layout: screen widths, large text, long words, missing photos, touch targets. */
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { formatAddress } from '../../support/browser/catalogue-screen.ts'
import { formatProductPath } from '../../../src/domain/pages/paths.ts'
import { THIRTY } from '../../support/run/sample-catalogues.ts'
import { useVisits, waitForFrames } from '../../support/browser/visit.ts'

const visit = useVisits()

const PRODUCT = formatProductPath(THIRTY.seller, THIRTY.products[0]?.id ?? '')
const SCREENS = ['/', formatAddress(THIRTY), PRODUCT, '/no-existe']
/** Around each width at which a style changes. */
const WIDTHS = [320, 479, 639, 640, 960, 1440]

/**
 * A browser may paint before it has read the last control of a bar, which then moves by a thousandth. One line of text
 * above the cards moves them by more than twenty.
 */
const SHIFT_OF_A_CONTROL = 0.005

test.each(SCREENS)(
  '%s does not shift, gives every control room, and never scrolls horizontally, even with twice as large text',
  async (path) => {
    // The policy blocks injected styles.
    const { page } = await visit(path, { bypassCSP: true, scripts: [addUpShifts] })
    await checkShifts(page)
    await checkTargets(page)
    // Cards with `content-visibility: auto` have no measured size until painted.
    await page.addStyleTag({ content: '.card { content-visibility: visible !important }' })
    for (const size of ['100%', '200%']) {
      await page.addStyleTag({ content: `html { font-size: ${size} }` })
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 740 })
        expect(await measureOverflow(page), `at ${width} px and ${size}`).toEqual([])
      }
    }
  },
)

async function checkShifts(page: Page): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  for (let top = 0; top < height; top += 500) {
    await page.evaluate((next) => scrollTo(0, next), top + 500)
    await waitForFrames(page, 1)
    await waitForPhotos(page)
  }
  await waitForFrames(page, 1)
  expect(Number((await page.getAttribute('html', 'data-shifted')) ?? NaN)).toBeLessThan(SHIFT_OF_A_CONTROL)
}

async function checkTargets(page: Page): Promise<void> {
  // Visible only in kept pages, in empty results and with an order.
  await page.evaluate(() => {
    for (const line of document.querySelectorAll('.kept, .nothing')) line.removeAttribute('hidden')
    document.querySelector('.order')?.setAttribute('data-full', '')
  })
  // One expression, since a call for each of hundreds of controls takes many seconds.
  const controls: readonly [string, boolean][] = await page.evaluate(`
    [...document.querySelectorAll('a:not(.skip), button, input:not(label *), label, select')].filter((control) => control.getClientRects().length > 0).map((control) => {
      control.scrollIntoView({ block: 'center', inline: 'center' })
      return [control.outerHTML, (${String(isRoomy)})(control)]
    })`)
  expect(controls.length).toBeGreaterThan(2)
  expect(controls.filter(([, isEnough]) => !isEnough)).toEqual([])
}

test('names without a space and of 200 characters stay inside their cards', async () => {
  const { page } = await visit(formatAddress(THIRTY), { viewport: { width: 320, height: 640 } })
  await page.evaluate(() => {
    for (const name of document.querySelectorAll('h1 bdi, h2 bdi, .brand bdi'))
      name.textContent = 'W'.repeat(200)
    for (const price of document.querySelectorAll('.price')) price.textContent = 'RD$999,999,999'
    for (const price of document.querySelectorAll('dd')) price.textContent = 'RD$999,999,999'
  })
  expect(await measureOverflow(page)).toEqual([])
})

test('a phone has two columns, a wide screen five, whose prices and decants align even with long names', async () => {
  const { page } = await visit(formatAddress(THIRTY))
  const counts: Record<number, number> = {}
  for (const width of [320, 360, 412, 768, 1440, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    counts[width] = await page
      .locator('main ul')
      .evaluate((list) => new Set([...list.children].map((card) => card.getBoundingClientRect().left)).size)
  }
  expect(counts).toEqual({ 320: 2, 360: 2, 412: 2, 768: 3, 1280: 5, 1440: 5 })
  await page.evaluate(() => {
    const name = document.querySelector('h2')
    if (name !== null) name.textContent = 'Un nombre muy largo '.repeat(8)
  })
  const tops = await page.locator('main li').evaluateAll((cards) => {
    const top = cards[0]?.getBoundingClientRect().top
    const row = cards.filter((card) => card.getBoundingClientRect().top === top)
    return ['.price', 'dl'].map((part) =>
      row.map((card) => card.querySelector(part)?.getBoundingClientRect().top),
    )
  })
  for (const line of tops) {
    expect(line.length).toBeGreaterThan(3)
    expect(new Set(line).size).toBe(1)
  }
})

const WIDE_PHOTO = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"/>'

for (const [kind, answer] of [
  ['does not come', (route: Route) => route.abort()],
  ['has another shape', (route: Route) => route.fulfill({ contentType: 'image/svg+xml', body: WIDE_PHOTO })],
] as const) {
  test(`a photo that ${kind} keeps its space`, async () => {
    const { page } = await visit(formatAddress(THIRTY), {
      prepare: (next) => next.route('**/*.{svg,webp,jpg,png}', answer),
    })
    await waitForPhotos(page)
    const ratios = await page
      .locator('main img')
      .evaluateAll((images) =>
        images.slice(0, 4).map(({ clientWidth, clientHeight }) => clientWidth / clientHeight),
      )
    for (const ratio of ratios) expect(ratio).toBeCloseTo(0.8, 1)
  })
}

test('search and filters stay on the screen, uncovered by a long name of the site, but not on a low phone', async () => {
  const { page } = await visit(formatAddress(THIRTY), { viewport: { width: 320, height: 740 } })
  for (const name of ['Vitrina', 'Perfumes '.repeat(7).slice(0, 60)]) {
    await page.locator('.brand bdi').evaluate((brand, text) => {
      brand.textContent = text
    }, name)
    await page.evaluate(() => scrollTo(0, 1500))
    const rows = await page.locator('.top, .bar').evaluateAll((found) =>
      found.map((row) => {
        const { top, height } = row.getBoundingClientRect()
        return [top, top === 0 ? height : null]
      }),
    )
    expect(rows).toEqual([
      [0, 46],
      [46, null],
    ])
    const covered = await page.evaluate(() =>
      ['.brand', '.top input', '.top .pill', '.filters button'].filter((part) => {
        const element = document.querySelector(part)
        const { left, top, width: wide, height } = element?.getBoundingClientRect() ?? new DOMRect()
        return !(element?.contains(document.elementFromPoint(left + wide / 2, top + height / 2)) ?? false)
      }),
    )
    expect(covered).toEqual([])
    const shown = await page.locator('.brand').evaluate((brand) => brand.clientWidth / brand.scrollWidth)
    expect(shown).toBeGreaterThan(name === 'Vitrina' ? 0.99 : 0)
  }
  await page.setViewportSize({ width: 740, height: 320 })
  expect(await page.locator('.bar').evaluate((bar) => getComputedStyle(bar).position)).toBe('static')
})

/**
 * Returns the elements that overflow the page or their card on the right, except in horizontally scrolling rows and in
 * the name of the site, which is cut.
 */
async function measureOverflow(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    const isWide = (element: Element): boolean => {
      const frame = element.closest('main li')?.getBoundingClientRect().right ?? clientWidth
      return element.getBoundingClientRect().right > frame + 0.5
    }
    const elements = [...document.querySelectorAll('body *:not(.unseen)')]
    const wide = elements.filter(
      (element) => element.closest('.row, .bar, .brand *') === null && isWide(element),
    )
    const whole = scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : []
    return [...whole, ...wide.map((element) => element.outerHTML.slice(0, 120))]
  })
}

/** Waits until every photo on the screen has arrived or failed. */
async function waitForPhotos(page: Page): Promise<void> {
  const isWhole = (): boolean =>
    [...document.images].every((image) => {
      const { top, bottom } = image.getBoundingClientRect()
      return image.complete || bottom < 0 || top > innerHeight
    })
  await expect.poll(() => page.evaluate(isWhole)).toBe(true)
}

/** Runs in the page. */
function addUpShifts(): void {
  let sum = 0
  addEventListener('DOMContentLoaded', () => {
    document.documentElement.dataset['shifted'] = '0'
  })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) sum += 'value' in entry ? Number(entry.value) : 0
    document.documentElement.dataset['shifted'] = `${sum}`
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Runs in the page. Whether the control receives taps on 44 consecutive pixels in both directions. */
function isRoomy(control: Element): boolean {
  const { left, top, width, height } = control.getBoundingClientRect()
  const reach = (x: number, y: number): number => {
    for (let step = 1; step < 44; step += 1) {
      const hit = document.elementFromPoint(left + width / 2 + x * step, top + height / 2 + y * step)
      if (hit === null || !control.contains(hit)) return step - 1
    }
    return 44
  }
  return reach(-1, 0) + 1 + reach(1, 0) >= 44 && reach(0, -1) + 1 + reach(0, 1) >= 44
}
