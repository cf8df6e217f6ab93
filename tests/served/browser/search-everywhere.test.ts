/** The search of all catalogues: a form, answers while the visitor types, and results that lead to products. */
import { brotliCompressSync, constants } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import {
  formatFound,
  formatSearchHeading,
  formatDecantFilter,
  HOME_TITLE,
  MORE_SELLERS,
  NOTHING_FOUND_TEXT,
  SEARCH_ALL_CATALOGUES,
  SEARCH_BUSY_HEADING,
  SEARCH_LABEL,
} from '../../../src/domain/messages.ts'
import type { DecantChoice } from '../../../src/domain/catalogue/view.ts'
import { DECANT_CHOICES } from '../../../src/domain/catalogue/view.ts'
import { formatCataloguePath, formatProductPath } from '../../../src/domain/pages/paths.ts'
import { createPage } from '../../../scripts/audit/pages/built-page.ts'
import { checkWeight } from '../../../scripts/audit/pages/check-site.ts'
import { createMarkupCheck } from '../../../scripts/audit/pages/markup.ts'
import { checkAttributes } from '../../../scripts/audit/pages/policy.ts'
import { CATALOGUES, THIRTY } from '../../support/run/sample-catalogues.ts'
import type { SearchNotice } from '../../../src/site/markup/search-results.ts'
import { fillSearchPage } from '../../../src/site/markup/search-results.ts'
import { rankPrice } from '../../../src/domain/search/format-search-file.ts'
import { parseSearchFile } from '../../../src/domain/search/search-file.ts'
import { openSearchFiles } from '../../../src/domain/search/search-files.ts'
import { answerSearch } from '../../../src/edge/search/answer-search.ts'
import { findViolationsInBothSchemes } from '../../support/browser/axe.ts'
import { formatAddress } from '../../support/browser/catalogue-screen.ts'
import { createAssets } from '../../support/search/search-assets.ts'
import { openServedSearch, addForeignStyle } from '../../support/search/served-search.ts'
import { isFocusSeen } from '../../support/browser/focus-rings.ts'
import { useVisits } from '../../support/browser/visit.ts'

const visit = useVisits()
const { world, shell, serve } = await openServedSearch()

/** Bytes of the module and an answer with as many results as there can be. */
const FIRST_USE = 15_000

const FILES = [...createAssets().files].filter(([path]) => path.endsWith('.txt'))
const search = openSearchFiles(FILES.map(([, text]) => parseSearchFile(text)))
const [FIRST] = search({ query: 'eau', decants: 'todos' }).products
const LINK = FIRST === undefined ? '' : formatCataloguePath(FIRST.seller.id) + FIRST.link
const BEST = findBest(/\beau\b/i)
const COUNT = { sellers: 0, products: 30, isMore: true, isNear: false, decants: 'todos' } as const
const STATUS = formatFound(COUNT)

const PAGES: readonly (readonly [query: string, decants: DecantChoice, notice?: SearchNotice])[] = [
  ['eau', 'todos'],
  ['a', 'todos'],
  ['"<b>', 'todos'],
  ['zz', '10ml'],
  ['eau', 'todos', 'busy'],
  ['eau', 'todos', 'failed'],
]
const render = ([query, decants, notice]: (typeof PAGES)[number]): string =>
  fillSearchPage(shell, { query, decants }, notice ?? search({ query, decants }))

test('pages of the search are valid, within their budget, and for no search engine', async () => {
  const checks = [createMarkupCheck(), checkAttributes, checkWeight]
  for (const data of PAGES) {
    const html = render(data)
    const page = createPage('buscar.html', 'search', html)
    expect(checks.flatMap((check) => check(page))).toEqual([])
    expect(html).toContain('<meta name="robots" content="noindex">')
  }
})

test('without scripts, the search box leads to results, and those to products', async () => {
  const { page } = await visit('/', {
    javaScriptEnabled: false,
    // Without scripts the browser loads all photos of a page at once.
    prepare: (next) => next.route('**/muestra/**', (route) => route.abort()),
  })
  await submit(page, 'eau')
  expect(page.url()).toBe(`${inject('origin')}/buscar?q=eau`)
  expect(await page.inputValue('input')).toBe('eau')
  expect(await page.locator('[role=status]').textContent()).toBe(STATUS)
  await submit(page, 'zzzz')
  expect(await page.textContent('main')).toContain(NOTHING_FOUND_TEXT)
  await submit(page, 'maria')
  const seller = CATALOGUES.find(({ name }) => name.startsWith('María'))?.seller ?? ''
  expect(await page.getAttribute('.sellers a', 'href')).toBe(formatCataloguePath(seller))
  await page.setViewportSize({ width: 360, height: 740 })
  // The name of this seller is long.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await submit(page, 'a')
  const shown = (selector: string): Promise<number> => page.locator(`${selector}:visible`).count()
  expect(await shown('.sellers a')).toBe(3)
  await page.locator('.found').first().waitFor()
  expect(
    await page.evaluate(() => document.querySelector('.found')?.getBoundingClientRect().bottom),
  ).toBeLessThan(740)
  await page.getByText(MORE_SELLERS).click()
  expect(await shown('.sellers a')).toBe(6)
  await submit(page, 'eau')
  await page.getByRole('link', { name: formatDecantFilter('10ml') }).click()
  expect(await page.locator('[role=status]').textContent()).toBe(formatFound({ ...COUNT, decants: '10ml' }))
  await submit(page, 'eau')
  expect(page.url()).toBe(`${inject('origin')}/buscar?q=eau&decants=10ml`)
  await page.getByRole('link', { name: formatDecantFilter('todos') }).click()
  await page.locator('.found').first().click()
  const { pathname } = new URL(page.url())
  expect(BEST).toContain(pathname)
  await submit(page, 'rouge')
  expect(page.url()).toBe(`${inject('origin')}${pathname.slice(0, pathname.lastIndexOf('/'))}?q=rouge`)
})

test('a search answers after a rest of the keys, announces it to screen readers, and leads back', async () => {
  const files: string[] = []
  const { page, messages } = await visit('/', {
    prepare: async (next) => {
      next.on('request', (request) => {
        if (request.url().includes('/_astro/')) files.push(request.url())
      })
    },
  })
  const queries = await serve(page)
  await page.waitForLoadState('networkidle')
  expect(files).toEqual([])
  await page.locator('input').pressSequentially('eau')
  await page.getByRole('heading', { name: formatSearchHeading('eau') }).waitFor()
  expect(await page.locator('[role=status]').allTextContents()).toEqual([STATUS])
  expect(page.url()).toBe(`${inject('origin')}/buscar?q=eau`)
  expect(await page.title()).toContain('«eau»')
  expect(
    await page
      .locator('.found')
      .first()
      .evaluate((found) => getComputedStyle(found).display),
  ).toBe('flex')
  expect(await page.locator('input:focus').count()).toBe(1)
  // The answer is there already.
  await page.keyboard.press('Enter')
  expect(await page.locator('input:focus').count()).toBe(0)
  await page.fill('input', 'ea')
  await page.fill('input', 'zzzz')
  await page.getByText(NOTHING_FOUND_TEXT).waitFor()
  expect(queries).toEqual(['eau', 'zzzz'])
  await page.fill('input', '')
  expect(await page.textContent('h1')).toBe(HOME_TITLE)
  expect(page.url()).toBe(`${inject('origin')}/`)
  expect(messages).toEqual([])
  const html = render(['eau', 'todos'])
  expect(weigh(html) + weigh(await (await fetch(files[0] ?? '')).text())).toBeLessThanOrEqual(FIRST_USE)
})

test('a search answers after its module was lost, on a page with a style sheet of another origin', async () => {
  const { page } = await visit('/', { bypassCSP: true })
  await serve(page)
  await addForeignStyle(page)
  await page.route('**/_astro/answer-typing.*', (route) => route.abort(), { times: 1 })
  const lost = page.waitForEvent('requestfailed')
  await page.fill('input', 'e')
  await lost
  await page.fill('input', 'eau')
  await page.getByRole('heading', { name: formatSearchHeading('eau') }).waitFor()
  const found = page.locator('.found').first()
  expect(await found.evaluate((one) => getComputedStyle(one).display)).toBe('flex')
})

test('results of a search are reached by keyboard', async () => {
  const { page } = await visit('/no-existe')
  await serve(page)
  await submit(page, 'eau')
  expect(await isFocusSeen(page, page.locator('h2 a').first())).toBe(true)
  // The way from the box: its button, the way to sign in, and the decants.
  await page.focus('input')
  for (const _ of ['button', 'access', ...DECANT_CHOICES, 'result']) await page.keyboard.press('Tab')
  const focused = await page.evaluate(() => document.activeElement?.getAttribute('href'))
  expect(focused).toBe(LINK)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${LINK}`)
})

test('back leads from results to what was there before, also after a visit to a product and a reload', async () => {
  const { page } = await visit('/')
  const heading = (query: string) => page.getByRole('heading', { name: formatSearchHeading(query) })
  await page.fill('input', 'eau')
  await heading('eau').waitFor()
  await page.fill('input', 'zzzz')
  await heading('zzzz').waitFor()
  await page.goBack()
  expect(await page.textContent('h1')).toBe(HOME_TITLE)
  expect(await page.inputValue('input')).toBe('')
  await page.goForward()
  await heading('zzzz').waitFor()
  expect(await page.inputValue('input')).toBe('zzzz')
  await page.fill('input', 'eau')
  await heading('eau').waitFor()
  const link = await page.locator('.found a').first().getAttribute('href')
  expect(BEST).toContain(link)
  await page.locator('.found a').first().click()
  await page.waitForURL(`**${link}`)
  await page.goBack()
  await heading('eau').waitFor()
  // The page that made the entries is gone.
  await page.reload()
  await page.goBack()
  await page.getByRole('heading', { name: HOME_TITLE, exact: true }).waitFor({ state: 'attached' })
  expect(page.url()).toBe(`${inject('origin')}/`)
})

test('a search shows the answer to what was typed last', async () => {
  const { page } = await visit('/')
  const held = Promise.withResolvers<void>()
  await serve(page, async (request) => {
    if (request.url.endsWith('eau')) await held.promise
    return answerSearch(request, world)
  })
  const asked = page.waitForRequest('**/buscar?q=eau')
  await page.fill('input', 'eau')
  const overtaken = await asked
  const failed = page.waitForEvent('requestfailed')
  await page.fill('input', 'eau de')
  const heading = page.getByRole('heading', { name: formatSearchHeading('eau de') })
  await heading.waitFor()
  expect(await failed).toBe(overtaken)
  held.resolve()
  expect(await heading.count()).toBe(1)
})

test('without an answer the form of the search works as it does without scripts', async () => {
  const { page } = await visit('/', { hasClock: true })
  let isOffline = true
  const busy = { ...world, isAllowed: async () => false }
  const queries = await serve(page, async (request) => (isOffline ? null : answerSearch(request, busy)))
  const type = async (query: string): Promise<void> => {
    const answered = isOffline ? page.waitForEvent('requestfailed') : page.waitForResponse('**/buscar*')
    await page.fill('input', query)
    await answered
  }
  await type('eau')
  isOffline = false
  await type('eau de')
  expect(await page.textContent('h1')).toBe(HOME_TITLE)
  // No request follows a refusal.
  await page.fill('input', 'eau de parfum')
  await page.clock.runFor(10_000)
  expect(queries).toEqual(['eau', 'eau de'])
  await page.press('input', 'Enter')
  await page.getByRole('heading', { name: SEARCH_BUSY_HEADING }).waitFor()
  expect(queries).toEqual(['eau', 'eau de', 'eau de parfum'])
  expect(await page.inputValue('input')).toBe('eau de parfum')
})

test('a catalogue offers its words for all catalogues', async () => {
  const { page } = await visit(formatAddress(THIRTY))
  await serve(page)
  const button = page.getByRole('button', { name: SEARCH_ALL_CATALOGUES })
  expect(await button.isVisible()).toBe(false)
  await page.fill('input', 'eau')
  await button.click()
  await page.waitForURL('**/buscar?q=eau')
  expect(await page.textContent('h1')).toBe(formatSearchHeading('eau'))
})

test('axe finds nothing to say of the search, light and dark', async () => {
  const { page } = await visit('/', { bypassCSP: true })
  const pages = PAGES.filter(([query, , notice]) => query !== 'a' && query !== '"<b>' && notice !== 'failed')
  const next = pages.values()
  await serve(page, async () => {
    const { value } = next.next()
    return new Response(value === undefined ? '' : render(value), {
      headers: { 'content-type': 'text/html; charset=utf-8' },
    })
  })
  for (const [query, , notice] of pages) {
    await page.goto(`${inject('origin')}/buscar?q=${encodeURIComponent(query)}&${notice}`)
    expect(await findViolationsInBothSchemes(page), `${query} ${notice}`).toEqual([])
  }
})

async function submit(page: Page, query: string): Promise<void> {
  await page.fill('input', query)
  const button = page.getByRole('button', { name: SEARCH_LABEL, exact: true })
  await Promise.all([page.waitForNavigation(), button.click()])
}

/** Returns the paths of the cheapest available products whose names have a word. */
function findBest(word: RegExp): readonly string[] {
  const found = CATALOGUES.flatMap(({ seller, products }) =>
    products
      .filter(({ name, available }) => available && word.test(name))
      .map((product) => ({ path: formatProductPath(seller, product.id), rank: rankPrice(product) })),
  )
  const best = Math.min(...found.map(({ rank }) => rank))
  return found.filter(({ rank }) => rank === best).map(({ path }) => path)
}

function weigh(text: string): number {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length
}
