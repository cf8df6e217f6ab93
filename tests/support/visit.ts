/** Opens pages of the sample site in a browser, each in a context of its own, and keeps what the console said. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, inject } from 'vitest'
import { NEW_OWNER } from '../../src/site/islands/answer-visitor.ts'
import { launchBrowser } from '../../scripts/audit/chromium.ts'

export interface Visit {
  readonly page: Page
  /** Console messages and uncaught errors, as they come. */
  readonly messages: readonly string[]
}

export interface VisitOptions extends BrowserContextOptions {
  /** Runs before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

export const PHONE = { viewport: { width: 360, height: 740 } } as const

export function useVisits(): (path: string, options?: VisitOptions) => Promise<Visit> {
  let browser: Browser
  const contexts: BrowserContext[] = []
  beforeAll(async () => {
    browser = await launchBrowser()
  }, 300_000)
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
  })
  afterAll(() => browser?.close())
  return async (path, { prepare, ...options } = {}) => {
    const context = await browser.newContext({ ...PHONE, ...options })
    contexts.push(context)
    const page = await context.newPage()
    const messages: string[] = []
    page.on('console', (message) => messages.push(message.text()))
    page.on('pageerror', (error) => messages.push(error.message))
    await page.addInitScript(countOwners, NEW_OWNER)
    await prepare?.(page)
    await page.goto(inject('origin') + path)
    return { page, messages }
  }
}

/** Waits until React answers: it is the second owner, or the first where the inline script was taken out. */
export async function waitForReact(page: Page, owner: 1 | 2 = 2): Promise<void> {
  await page.waitForSelector(`html[data-owners="${owner}"]`, { state: 'attached' })
}

/** Every chunk of script waits until the function returned is called. */
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

/** The page as if its inline script had never been. */
export async function removeInlineScript(page: Page): Promise<void> {
  await page.route('**/catalogo/**', async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    const body = html.replace(/<script>[^<]*vitrina:new-owner.*?<\/script>/s, '')
    if (body === html) throw new Error('the page holds no inline script to take out')
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
