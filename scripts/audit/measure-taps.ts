/** Measures how long a tap and a key on a long catalogue take on a slow phone. */
import type { Page } from 'playwright-core'
import { findMedian } from '../measure/figures.ts'
import { launchBrowser } from './chromium.ts'

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

/** Scripts for the page: taps and keys. One that hides many cards is followed by one that shows them again. */
const ACTS = [
  ...['disponible', 'todos', 'no-disponible', 'todos'].map(
    (filter) => `document.querySelector('button[value=${filter}]').click()`,
  ),
  ...['zzz', ''].map(
    (text) =>
      `{ const box = document.querySelector('input'); box.value = '${text}'; box.dispatchEvent(new Event('input', { bubbles: true })) }`,
  ),
]

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
      const taken = ACTS.map((): number[] => [])
      for (let turn = 0; turn < TURNS; turn += 1)
        for (const [index, act] of ACTS.entries()) taken[index]?.push(await measure(act))
      times.push({ products, slowest: SLOWER * Math.max(...taken.map(findMedian)), limit })
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
    const measured = `${Math.round(one.slowest)} ms, limit ${one.limit} ms`
    const verdict = isQuick(one) ? 'ok' : 'above the limit'
    return `slowest tap or key on a page of ${one.products} products: ${measured}, ${verdict}`
  })
  return rows.join('\n')
}

/** Returns a function that measures the processor time of one act on the page's main thread. */
async function openStopwatch(page: Page): Promise<(act: string) => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const readTime = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN)
  }
  return async (act) => {
    const before = await readTime()
    // One call performs the act and waits for one frame. Between two calls, the browser could draw another frame with
    // more cards, which would then be measured too.
    await page.evaluate(`${act}; (${String(waitForFrames)})(1)`)
    const taken = (await readTime()) - before
    await page.evaluate(waitForFrames, 5)
    return taken
  }
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
