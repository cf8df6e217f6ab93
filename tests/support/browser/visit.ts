/** Opens pages of the sample site in a browser, for each test as if for the first time, and records console messages. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, inject } from 'vitest'
import { FOLLOWER } from '../../../src/site/islands/catalogue/follower.ts'
import { launchBrowser } from '../../../scripts/audit/chromium.ts'

export interface Visit {
  readonly page: Page
  /** Console messages and uncaught errors, in order. */
  readonly messages: readonly string[]
}

export interface VisitOptions extends Omit<BrowserContextOptions, 'storageState'> {
  /** What the browser's local storage has of the site. */
  readonly stored?: Readonly<Record<string, string>>
  /** Run in each document of the page before its own scripts. */
  readonly scripts?: readonly (() => void)[]
  /** The test moves the time of the page with `page.clock`. */
  readonly hasClock?: boolean
  /** Runs before the page is opened. Adds routes and listeners; for scripts there is `scripts`. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

const PHONE = { viewport: { width: 360, height: 740 } } as const

/** Timeout of each wait for a page, in milliseconds. Shorter than a test may take, so that the wait is named. */
const PATIENCE = 200_000

/** A page with a context of its own. */
interface Tab {
  /** The options it was opened with. */
  readonly key: string
  readonly page: Page
  /** Removes what belongs to the present test only. `null` while no test has the tab. */
  clear: (() => Promise<unknown>) | null
}

type TabOptions = Omit<VisitOptions, 'stored' | 'scripts' | 'prepare' | keyof Surroundings>

/** What Playwright says where a page registers a service worker and must not. */
const BLOCKED = 'Service Worker registration blocked'

/** Settings that an open tab can receive. */
type Surroundings = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'forcedColors' | 'permissions'>

/** The events that tests listen to. */
const EVENTS = ['console', 'pageerror', 'request', 'response', 'requestfailed'] as const

/** Both belong to all test files of this process, and end with it. */
let browser: Browser | undefined
const tabs: Tab[] = []

async function findBrowser(): Promise<Browser> {
  if (browser?.isConnected() !== true) {
    browser = await launchBrowser()
    tabs.splice(0)
  }
  return browser
}

/**
 * Each visit of a test has a tab of its own. A later test with the same options gets it again, without what was kept in
 * it: a new tab costs half a second of the processor. There is no service worker, which would cost an eighth of a visit
 * and ask for files itself, unless `serviceWorkers` allows it.
 */
export function useVisits(): (path: string, options?: VisitOptions) => Promise<Visit> {
  beforeAll(findBrowser)
  afterEach(async () => {
    await Promise.all(tabs.map((tab) => tab.clear?.()))
  })
  afterAll(async () => {
    for (const tab of tabs.filter(({ key }) => key !== '{}')) await closeTab(tab)
  })
  return async (path, { stored, prepare, scripts = [], ...given } = {}) => {
    const { viewport, colorScheme, forcedColors, permissions, ...options } = given
    const url = new URL(path, inject('origin'))
    const tab = await takeTab(options)
    const { page } = tab
    await forgetVisits(page, url.origin)
    if (stored !== undefined) await store(page, url.origin, stored)
    await surround(page, { viewport, colorScheme, forcedColors, permissions })
    const messages: string[] = []
    page.on('console', (message) => {
      if (!message.text().includes(BLOCKED)) messages.push(message.text())
    })
    page.on('pageerror', (error) => messages.push(error.message))
    const added = await Promise.all(scripts.map((script) => page.addInitScript(script)))
    tab.clear = async () => {
      tab.clear = null
      if (page.isClosed()) return closeTab(tab)
      await Promise.all(added.map((script) => script.dispose()))
      await leavePage(page).catch(() => closeTab(tab))
    }
    await prepare?.(page)
    await page.goto(url.href)
    return { page, messages }
  }
}

async function takeTab(options: TabOptions): Promise<Tab> {
  const key = JSON.stringify(options)
  const free = tabs.find((tab) => tab.key === key && tab.clear === null)
  const tab = free ?? (await openTab(key, options))
  tab.clear = async () => {}
  return tab
}

async function openTab(key: string, { hasClock = false, ...options }: TabOptions): Promise<Tab> {
  const context = await (await findBrowser()).newContext({ ...PHONE, serviceWorkers: 'block', ...options })
  // The browser's own 30 s are too few on a busy machine.
  context.setDefaultTimeout(PATIENCE)
  await context.addInitScript(markFollower, FOLLOWER)
  if (hasClock) await context.clock.install()
  const tab: Tab = { key, page: await context.newPage(), clear: null }
  tabs.push(tab)
  return tab
}

async function closeTab(tab: Tab): Promise<void> {
  tabs.splice(tabs.indexOf(tab), 1)
  await tab.page.context().close()
}

/** The empty page stays in the process of the last one: starting a process takes longer than loading a page. */
async function leavePage(page: Page): Promise<void> {
  const others = page
    .context()
    .pages()
    .filter((other) => other !== page)
  await Promise.all(others.map((other) => other.close()))
  for (const event of EVENTS) page.removeAllListeners(event)
  await page.unrouteAll()
  await page.mouse.move(-1, -1)
  await page.evaluate(() => location.replace('about:blank'))
  await page.waitForURL('about:blank')
}

/** Removes what the page's context keeps of earlier pages: cached files, storage, service worker. */
async function forgetVisits(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await session.send('Network.clearBrowserCookies')
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await session.detach()
}

/** Fills the local storage of the site, from a file of it that has no scripts. */
async function store(page: Page, origin: string, stored: Readonly<Record<string, string>>): Promise<void> {
  await page.goto(`${origin}/robots.txt`)
  await page.evaluate((all) => {
    for (const [name, value] of Object.entries(all)) localStorage.setItem(name, value)
  }, stored)
}

async function surround(
  page: Page,
  { viewport = PHONE.viewport, colorScheme = 'light', forcedColors = 'none', permissions = [] }: Surroundings,
): Promise<void> {
  if (viewport !== null) await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme, forcedColors })
  await page.context().clearPermissions()
  await page.context().grantPermissions(permissions)
}

/** Touches a control, which loads React, and waits until React follows the view. */
export async function waitForReact(page: Page): Promise<void> {
  await page.dispatchEvent('.chip select', 'click')
  await page.waitForSelector('html[data-followed]', { state: 'attached' })
}

/** Waits until the page has nothing left to do. */
export async function waitForIdle(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestIdleCallback(resolve)
      }),
  )
}

/** Waits until the page has painted this many frames. */
export async function waitForFrames(page: Page, count: number): Promise<void> {
  await page.evaluate(async (wanted) => {
    for (let frames = 0; frames < wanted; frames += 1)
      await new Promise((resolve) => {
        requestAnimationFrame(() => setTimeout(resolve))
      })
  }, count)
}

/** Delays every script chunk until the returned function is called. */
export async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/_astro/**', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

export async function blockScripts(page: Page): Promise<void> {
  await page.route('**/_astro/**', (route) => route.abort())
}

/** Runs in the page. */
function markFollower(event: string): void {
  addEventListener(event, () => document.documentElement.setAttribute('data-followed', ''))
}
