/** Returning visitors: without a network they see the last kept catalogue, with one the new catalogue. */
import type { Page, Response } from 'playwright-core'
import { afterAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { RETIRED } from '../../../src/builder/rebuild/static/static-files.ts'
import {
  KEPT_PAGE,
  KEPT_PRICES,
  OFFLINE_HEADING,
  OFFLINE_TEXT,
  OFFLINE_TITLE,
  SEEN_PAGES,
  TRY_AGAIN,
} from '../../../src/domain/messages.ts'
import { expectSeen, formatAddress, readSeen, tapFilter } from '../../support/browser/catalogue-screen.ts'
import { createPage } from '../../../scripts/audit/pages/built-page.ts'
import { createMarkupCheck } from '../../../scripts/audit/pages/markup.ts'
import { EMPTY, SHORT } from '../../support/run/sample-catalogues.ts'
import { openUnsteadySite } from '../../../scripts/audit/unsteady-site.ts'
import type { VisitOptions } from '../../support/browser/visit.ts'
import { useVisits } from '../../support/browser/visit.ts'

const visit = useVisits()

const worker = await (await fetch(`${inject('origin')}/service-worker.js`)).text()
const [setPatience = '', patience] = /const PATIENCE = (\d+)/.exec(worker) ?? []
const replacePatience = (milliseconds: number): string => {
  const replaced = worker.replace(setPatience, `const PATIENCE = ${milliseconds}`)
  if (setPatience === '' || replaced === worker)
    throw new Error('the patience of the service worker was not found')
  return replaced
}

/** So patient that a slow machine never counts as a poor connection. */
const site = await openUnsteadySite(inject('origin'), replacePatience(1_000_000_000))
afterAll(site.close)
beforeEach(site.reset)

const PATH = formatAddress(SHORT)
const PRICE = 'RD$1,234,567'

test('the service worker shows a visited catalogue with its date when there is no network', async () => {
  // The site's answer has whole seconds.
  const start = Math.floor(Date.now() / 1000) * 1000
  const page = await visitOnce(PATH)
  expect(await page.locator('.kept').isVisible()).toBe(false)
  site.connection = { isOff: true }
  const response = await page.goto(`${site.origin}${PATH}?utm_source=whatsapp#p-newer`)
  expect(await findInvalid(response)).toEqual([])
  expect((await readSeen(page)).names).toEqual(expectSeen(SHORT).names)
  // A product that the page lacks may be newer than the page.
  expect(await page.locator('output').textContent()).toBe('')
  const line = page.locator('.kept')
  expect(await line.isVisible()).toBe(true)
  const kept = Date.parse((await line.locator('time').getAttribute('datetime')) ?? '')
  expect(kept).toBeGreaterThanOrEqual(start)
  expect(kept).toBeLessThanOrEqual(Date.now())
  expect(await line.textContent()).toMatch(new RegExp(`^${KEPT_PAGE} \\d+ de [a-z]+; ${KEPT_PRICES}`))
  await tapFilter(page, 'disponible')
  expect((await readSeen(page)).names).toEqual(expectSeen(SHORT, { filter: 'disponible' }).names)
  await page.waitForLoadState('networkidle')
  const photo = page.locator('main img').first()
  expect(await photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
})

test('the service worker shows the page that was kept last, and today’s page once there is a network again', async () => {
  const page = await visitOnce(PATH)
  site.connection = { edit: (html) => html.replace(/RD\$[\d,]+/g, PRICE) }
  await page.goto(site.origin + PATH)
  const readPrice = (): Promise<string | null> => page.locator('.price').first().textContent()
  expect([await readPrice(), await page.locator('.kept').isVisible()]).toEqual([PRICE, false])
  await waitForKept(page, (html) => html.includes(PRICE))
  site.connection = { isOff: true }
  await page.goto(site.origin + PATH)
  expect([await readPrice(), await page.locator('.kept').isVisible()]).toEqual([PRICE, true])
  site.connection = {}
  await page.getByText(TRY_AGAIN).click()
  await expect.poll(readPrice).not.toBe(PRICE)
  expect(await page.locator('.kept').isVisible()).toBe(false)
})
test('the service worker shows the home page without a network, and for a page never seen a plain one with ways on', async () => {
  const page = await visitOnce(PATH)
  site.connection = { isOff: true }
  await page.goto(`${site.origin}/`)
  expect(await page.locator('.kept').isVisible()).toBe(true)
  expect(await page.locator('.home-card').count()).toBe(8)
  const response = await page.goto(site.origin + formatAddress(EMPTY))
  expect(response?.status()).toBe(503)
  expect(await findInvalid(response)).toEqual([])
  expect(await page.title()).toBe(`${OFFLINE_TITLE} | Vitrina`)
  const lines = (await page.locator('main').innerText()).split(/\n+/)
  expect(lines).toEqual([OFFLINE_HEADING, OFFLINE_TEXT, TRY_AGAIN, SEEN_PAGES, SHORT.name])
  await page.getByRole('link', { name: SHORT.name }).click()
  // The click has waited for the beginning of the page only.
  await page.waitForLoadState()
  expect((await readSeen(page)).names).toEqual(expectSeen(SHORT).names)
  await page.goBack()
  site.connection = {}
  await page.getByText(TRY_AGAIN).click()
  await expect.poll(() => page.locator('h1').textContent()).toBe(EMPTY.name)
})

test('the service worker asks for a page once, on the first visit, on a reload and after going back, and shows its date without a network', async () => {
  const page = await visitOnce(PATH)
  await page.reload()
  await page.goto(`${site.origin}/`)
  await page.goBack({ waitUntil: 'networkidle' })
  // The home page was kept on the first visit.
  expect(site.asked.filter((path) => path === PATH || path === '/')).toEqual([PATH, '/', PATH, '/', PATH])
  // An earlier worker enabled it.
  const isPreloading = await page.evaluate(async () => {
    const { navigationPreload } = await navigator.serviceWorker.ready
    return (await navigationPreload.getState()).enabled
  })
  expect(isPreloading).toBe(false)
  await page.goto(`${site.origin}/`)
  site.connection = { isOff: true }
  await page.goBack()
  expect((await readSeen(page)).names).toEqual(expectSeen(SHORT).names)
  expect(await page.locator('.kept').isVisible()).toBe(true)
})

test('the service worker waits a few seconds for a poor connection, then shows the kept page with its date', async () => {
  expect(Number(patience)).toBeGreaterThanOrEqual(2_000)
  expect(Number(patience)).toBeLessThanOrEqual(5_000)
  site.connection = { worker: replacePatience(1) }
  const page = await visitOnce(PATH)
  site.connection = { ...site.connection, isStuck: true }
  await page.goto(site.origin + PATH)
  expect(await page.locator('.kept').isVisible()).toBe(true)
})

test('the service worker keeps a catalogue that answers 503, and drops one that is gone', async () => {
  const page = await visitOnce(PATH)
  for (const [status, isKept] of [
    [503, true],
    [410, false],
  ] as const) {
    site.connection = {}
    await page.goto(site.origin + PATH)
    await expect.poll(() => readKept(page)).toEqual(['/', PATH])
    site.connection = { status }
    const response = await page.goto(site.origin + PATH)
    expect(response?.status()).toBe(isKept ? 200 : status)
    expect(await page.locator('.kept').isVisible()).toBe(isKept)
    await expect.poll(() => readKept(page)).toEqual(isKept ? ['/', PATH] : ['/'])
  }
})

test('the service worker handles only pages and pictures of the site', async () => {
  // The policy blocks pictures without https.
  const page = await visitOnce(PATH, { bypassCSP: true })
  const other = await openUnsteadySite(inject('origin'))
  onTestFinished(other.close)
  const seen: string[] = []
  page.on('response', (response) => {
    if (response.fromServiceWorker()) seen.push(response.url().replace(site.origin, ''))
  })
  await page.reload()
  await page.evaluate(async (origin) => {
    const elsewhere = new Image()
    elsewhere.src = `${origin}/favicon.svg?elsewhere`
    document.body.append(elsewhere)
    await fetch('/api/rebuild/status').catch(() => null)
    await fetch('/api/rebuild', { method: 'POST' }).catch(() => null)
    await fetch('/robots.txt')
  }, other.origin)
  await expect.poll(() => other.asked).toContain('/favicon.svg?elsewhere')
  expect(site.asked).toContain('/robots.txt')
  expect(seen).toContain(PATH)
  expect(seen.filter((path) => path !== PATH && !/^\/.*\.(svg|avif|jpg|png)$/.test(path))).toEqual([])
})

test('the service worker keeps the home page and at most the last pages seen, thirty in all', async () => {
  const page = await visitOnce(PATH)
  await page.evaluate(async () => {
    const pages = await caches.open('pages-2')
    const html = await (await pages.match(location.pathname))?.text()
    for (let number = 0; number < 40; number += 1) await pages.put(`/old/${number}`, new Response(html))
  })
  await page.goto(site.origin + formatAddress(EMPTY))
  await expect.poll(async () => (await readKept(page)).length).toBe(30)
  const kept = await readKept(page)
  expect([kept[0], kept.at(-1)]).toEqual(['/', formatAddress(EMPTY)])
})

test('the service worker is registered after the page has loaded, always updates, and deletes its pages when it is switched off', async () => {
  const page = await visitOnce(PATH, { scripts: [noteRegistration] })
  expect(await page.locator('html').getAttribute('data-registered')).toBe('complete')
  const { headers } = await fetch(`${site.origin}/service-worker.js`)
  expect(headers.get('cache-control')).toBe('no-cache')
  site.connection = { worker: RETIRED }
  await page.reload()
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
    .toBe(0)
  expect(await readKept(page)).toEqual([])
})

/** Makes a first visit and waits until the service worker has kept the page and answers for it. */
async function visitOnce(path: string, options?: VisitOptions): Promise<Page> {
  const { page } = await visit(site.origin + path, { serviceWorkers: 'allow', ...options })
  const isReady = (): Promise<boolean> => page.evaluate(() => navigator.serviceWorker.controller !== null)
  await expect.poll(isReady).toBe(true)
  return page
}

/** Runs in the page. Notes how much of the page was loaded when it registered its service worker. */
function noteRegistration(): void {
  const { prototype } = ServiceWorkerContainer
  prototype.register = new Proxy(prototype.register, {
    apply: (register, container, given) => {
      document.documentElement.setAttribute('data-registered', document.readyState)
      return Reflect.apply(register, container, given) as Promise<ServiceWorkerRegistration>
    },
  })
}

async function waitForKept(page: Page, isMeant: (html: string) => boolean): Promise<void> {
  const read = (): Promise<string> =>
    page.evaluate(async () => (await (await caches.match(location.pathname))?.text()) ?? '')
  await expect.poll(async () => isMeant(await read())).toBe(true)
}

async function readKept(page: Page): Promise<readonly string[]> {
  const paths = await page.evaluate(async () => {
    const requests = await (await caches.open('pages-2')).keys()
    return requests.map(({ url }) => new URL(url).pathname)
  })
  // The home page and the first page are kept at the same time.
  return paths.toSorted((a, b) => Number(b === '/') - Number(a === '/'))
}

const checkMarkup = createMarkupCheck()

/** Returns the faults of the HTML that the service worker has answered with. */
async function findInvalid(response: Response | null): Promise<readonly string[]> {
  return checkMarkup(createPage('kept.html', 'catalogue', (await response?.text()) ?? ''))
}
