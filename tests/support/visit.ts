/** Opens pages of the sample site in a browser, for each test as if for the first time, and records console messages. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, inject } from 'vitest'
import { NEW_OWNER } from '../../src/site/islands/answer-visitor.ts'
import { launchBrowser } from '../../scripts/audit/chromium.ts'

export interface Visit {
  readonly page: Page
  /** Console messages and uncaught errors, in order. */
  readonly messages: readonly string[]
}

export interface VisitOptions extends BrowserContextOptions {
  /** Runs before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

const PHONE = { viewport: { width: 360, height: 740 } } as const

/** Of all test files of this process, with which it ends. */
let browser: Browser | undefined

async function findBrowser(): Promise<Browser> {
  if (browser?.isConnected() !== true) browser = await launchBrowser()
  return browser
}

/**
 * Each visit of a test has a context of its own. A later test with the same options gets it again, without what was kept
 * in it: a new context costs a second of the processor.
 */
export function useVisits(): (path: string, options?: VisitOptions) => Promise<Visit> {
  const contexts: { readonly key: string; readonly context: BrowserContext }[] = []
  /** Of the present test. */
  const pages: Page[] = []
  beforeAll(findBrowser, 300_000)
  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.close()))
  })
  afterAll(async () => {
    await Promise.all(contexts.map(({ context }) => context.close()))
  })
  const isFree = (context: BrowserContext): boolean => pages.every((page) => page.context() !== context)
  const openPage = async (options: BrowserContextOptions): Promise<Page> => {
    const key = JSON.stringify(options)
    const used = contexts.find((one) => one.key === key && isFree(one.context))?.context
    const context = used ?? (await (await findBrowser()).newContext({ ...PHONE, ...options }))
    const page = await context.newPage()
    pages.push(page)
    if (used === undefined) contexts.push({ key, context })
    else await forgetVisits(page, options)
    return page
  }
  return async (path, { prepare, ...options } = {}) => {
    const page = await openPage(options)
    const messages: string[] = []
    page.on('console', (message) => messages.push(message.text()))
    page.on('pageerror', (error) => messages.push(error.message))
    await page.addInitScript(countOwners, NEW_OWNER)
    await prepare?.(page)
    await page.goto(inject('origin') + path)
    return { page, messages }
  }
}

/** Removes what the page's context keeps of earlier pages: cached files, storage, service worker, permissions. */
async function forgetVisits(page: Page, { permissions = [] }: BrowserContextOptions): Promise<void> {
  const context = page.context()
  await context.clearPermissions()
  await context.grantPermissions(permissions)
  const session = await context.newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await session.send('Network.clearBrowserCookies')
  await session.send('Storage.clearDataForOrigin', { origin: inject('origin'), storageTypes: 'all' })
  await session.detach()
}

/**
 * Touches a control, which loads React, and waits until React handles input: it is the second owner, or the first if
 * the inline script was removed.
 */
export async function waitForReact(page: Page, owner: 1 | 2 = 2): Promise<void> {
  await page.dispatchEvent('.filters button', 'pointerdown')
  await page.waitForSelector(`html[data-owners="${owner}"]`, { state: 'attached' })
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

/** Removes the inline script from pages. */
export async function removeInlineScript(page: Page): Promise<void> {
  await page.route('**/catalogo/**', async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    const body = html.replace(/<script>[^<]*vitrina:new-owner.*?<\/script>/s, '')
    if (body === html) throw new Error('the page contains no inline script to remove')
    await route.fulfill({ response, body })
  })
}

function countOwners(event: string): void {
  let owners = 0
  addEventListener(event, () => {
    owners += 1
    document.documentElement.dataset['owners'] = `${owners}`
  })
}
