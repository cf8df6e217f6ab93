/** Opens pages of the sample site in a browser, each in its own context, and records console messages. */
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
