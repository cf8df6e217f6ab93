/** Measures how long a tap and a key on a long catalogue take on a slow phone. */
import type { Page } from 'playwright-core'
import { formatMilliseconds } from '../../measure/format-figures.ts'
import { findMedian } from '../../measure/times.ts'
import { launchBrowser } from '../chromium.ts'

interface TapTimes {
  readonly products: number
  /** Median processor time of the slowest act, including the next frame, in milliseconds on the phone. */
  readonly slowest: number
  readonly limit: number
}

/** How many times slower the phone is than this machine. */
const SLOWER = 4
const TURNS = 5

/** Numbers of products, each with the max time of an act on a catalogue of that size, in milliseconds. */
const LIMITS = [
  [300, 100],
  [2_000, 200],
] as const

/** An act that hides many cards is followed by one that shows them again. */
const ACTS = [
  [tap, 'disponible'],
  [tap, 'todos'],
  [tap, 'no-disponible'],
  [tap, 'todos'],
  [type, 'zzz'],
  [type, ''],
] as const

/** Measures acts on the catalogue at `url`, after adding copies of its cards. */
export async function measureTaps(url: string): Promise<readonly TapTimes[]> {
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 })
    // The linked files are blocked, so that only the inline script is measured.
    await page.route('**/_astro/**', (route) => route.abort())
    await page.goto(url)
    const measure = await openStopwatch(page)
    const times: TapTimes[] = []
    for (const [products, limit] of LIMITS) {
      await page.evaluate(repeatCards, products)
      times.push({ products, slowest: await findSlowest(measure), limit })
    }
    return times
  } finally {
    await browser.close()
  }
}

export function isQuick({ slowest, limit }: TapTimes): boolean {
  return slowest <= limit
}

export function formatTaps(times: readonly TapTimes[]): string {
  const rows = times.map((one) => {
    const { products, slowest, limit } = one
    const measured = `${formatMilliseconds(slowest)}, limit ${formatMilliseconds(limit)}`
    return `slowest tap or key on a page of ${products} products: ${measured}, ${isQuick(one) ? 'ok' : 'above the limit'}`
  })
  return rows.join('\n')
}

type Measure = (act: (text: string) => void, text: string) => Promise<number>

async function findSlowest(measure: Measure): Promise<number> {
  const times = ACTS.map((): number[] => [])
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const [index, [act, text]] of ACTS.entries()) times[index]?.push(await measure(act, text))
  return SLOWER * Math.max(...times.map(findMedian))
}

/** Returns a function that measures the processor time of one act on the page's main thread. */
async function openStopwatch(page: Page): Promise<Measure> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const readTime = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN)
  }
  return async (act, text) => {
    const before = await readTime()
    // One call performs the act and waits for one frame. Between two calls, the browser could draw another frame with
    // more cards, which would then be measured too.
    await page.evaluate(`(${String(act)})('${text}'); (${String(waitForFrames)})(1)`)
    const taken = (await readTime()) - before
    await page.evaluate(waitForFrames, 5)
    return taken
  }
}

/** Runs in the page. Taps a filter button. */
function tap(filter: string): void {
  document.querySelector<HTMLButtonElement>(`button[value=${filter}]`)?.click()
}

/** Runs in the page. Types into the search box. */
function type(text: string): void {
  const box = document.querySelector('input')
  if (box !== null) box.value = text
  box?.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Runs in the page. Fills the list with copies of its cards, up to `wanted` cards. */
function repeatCards(wanted: number): void {
  const list = document.querySelector('main ul')
  const cards = [...(list?.children ?? [])]
  for (let made = cards.length; made < wanted; made += 1)
    list?.append(cards[made % cards.length]?.cloneNode(true) ?? '')
}

/** Runs in the page. Resolves after `count` frames. */
async function waitForFrames(count: number): Promise<void> {
  for (let frames = 0; frames < count; frames += 1)
    await new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(resolve))
    })
}
