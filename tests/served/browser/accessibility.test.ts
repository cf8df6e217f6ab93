/** Accessibility: screen readers, keyboard, colour schemes, forced colours. */
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import type { Product } from '../../../src/domain/documents/product.ts'
import {
  formatProductAnchor,
  formatProductPath,
  parseProductAnchor,
} from '../../../src/domain/pages/paths.ts'
import { LINK_COPIED, SEARCH_CATALOGUE_LABEL, SHARE, SOLD_BY } from '../../../src/domain/messages.ts'
import { expectSeen, formatAddress, readSeen } from '../../support/browser/catalogue-screen.ts'
import { CATALOGUES, EMPTY, isAvailable, THIRTY } from '../../support/run/sample-catalogues.ts'
import type { FocusRing } from '../../support/browser/focus-rings.ts'
import { isFocusSeen, measureFocusRings } from '../../support/browser/focus-rings.ts'
import { findViolationsInBothSchemes } from '../../support/browser/axe.ts'
import { useVisits } from '../../support/browser/visit.ts'

const visit = useVisits()

/** Has every kind of card; the checker takes the longer, the more cards there are. */
const SHORT =
  CATALOGUES.filter(({ products }) => products.some(isMixed) && !products.every(isAvailable)).toSorted(
    (a, b) => a.products.length - b.products.length,
  )[0] ?? THIRTY
const PRODUCT = SHORT.products[4] ?? SHORT.products[0]
const PAGE = formatProductPath(SHORT.seller, PRODUCT?.id ?? '')
/** One page of each kind, and what is done in it. The last two are all that a catalogue can show. */
const SCREENS: readonly (readonly [address: string, enter?: (page: Page) => Promise<unknown>])[] = [
  ['/'],
  [PAGE],
  [formatAddress(EMPTY)],
  ['/no-existe'],
  [`${formatAddress(SHORT)}?en-vano`, (page) => page.fill('input', 'zzz')],
  [
    `${formatAddress(SHORT)}?todo#${formatProductAnchor(PRODUCT?.id ?? '')}`,
    async (page) => {
      await copyLink(page)
      await page.evaluate(lengthenNames)
      await showKeptLine(page)
    },
  ],
]

test('axe finds nothing to say of any screen, light and dark', async () => {
  // The policy blocks the injected checker.
  const { page } = await visit('/', { bypassCSP: true })
  for (const [address, enter] of SCREENS) {
    await page.goto(inject('origin') + address)
    await enter?.(page)
    expect(await findViolationsInBothSchemes(page), address).toEqual([])
  }
})

test('every focus ring has a contrast of 3:1 with the colours beside it, light and dark', async () => {
  const { page } = await visit('/')
  const rings: FocusRing[] = []
  const catalogue = formatAddress(SHORT)
  for (const path of ['/', catalogue, PAGE]) {
    await page.goto(inject('origin') + path)
    expect(path !== catalogue || (await isFocusSeen(page, page.locator('h2 a').first()))).toBe(true)
    await page.locator('.order').evaluateAll((bars) => bars[0]?.setAttribute('data-full', ''))
    await showKeptLine(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      rings.push(...(await measureFocusRings(page)))
    }
  }
  expect(rings.length).toBeGreaterThan(2 * SHORT.products.length)
  expect(rings.filter(({ contrast }) => contrast < 3)).toEqual([])
})

test('the pressed filter differs where colours are forced', async () => {
  const { page } = await visit(formatAddress(SHORT), { forcedColors: 'active' })
  const colours = await page
    .locator('.filters button')
    .evaluateAll((buttons) => buttons.map((button) => getComputedStyle(button).backgroundColor))
  expect(colours[0]).not.toBe(colours[1])
  expect(colours[1]).toBe(colours[2])
})

test('a keyboard suffices to open a catalogue, search and filter it, share a product and return home', async () => {
  const { page } = await visit('/', { permissions: ['clipboard-read', 'clipboard-write'] })
  await tabTo(page, 'perfume')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/catalogo/*')
  await tabTo(page, SEARCH_CATALOGUE_LABEL)
  await page.keyboard.type('eau')
  await page.keyboard.press('Enter')
  for (const name of ['Acceder', 'WhatsApp', 'Todos', 'Disponible']) await tabTo(page, name)
  await page.keyboard.press('Space')
  const opened = CATALOGUES.find(({ seller }) => page.url().includes(`/catalogo/${seller}?`)) ?? EMPTY
  expect(await readSeen(page)).toEqual(expectSeen(opened, { filter: 'disponible', query: 'eau' }))
  await tabTo(page, SHARE)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('output').textContent()).toBe(LINK_COPIED)
  const shared = await page.evaluate(() => navigator.clipboard.readText())
  const [, address = ''] = shared.split('\n')
  const first = await page.locator('.card:visible').first().getAttribute('id')
  expect(address).toContain(parseProductAnchor(first ?? ''))
  await page.goto(address)
  await tabTo(page, SOLD_BY)
  await page.keyboard.press('Control+Home')
  await page.reload()
  await tabTo(page, 'Vitrina')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${inject('origin')}/`)
})

test('on the home page the first tab stop skips to the content, and a row scrolls by keyboard', async () => {
  const { page } = await visit('/')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  const row = page.locator('main [tabindex="0"]').first()
  await row.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => row.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0)
})

test('an available decant is marked by shape, colour and text', async () => {
  const catalogue = CATALOGUES.find(({ products }) => products.some(isMixed))
  if (catalogue === undefined) throw new Error('the sample has no product with just its 5ML')
  for (const forcedColors of ['none', 'active'] as const) {
    const { page } = await visit(formatAddress(catalogue), { forcedColors })
    const looks = await page.locator('main dl').evaluateAll((lists) => {
      const read = (line: Element | null | undefined): string => {
        if (line === null || line === undefined) return ''
        const dot = getComputedStyle(line, '::before')
        const price = getComputedStyle(line.querySelector('dd') ?? line)
        return [dot.borderTopWidth, price.textDecorationLine, price.fontWeight].join()
      }
      const mixed = lists.find(
        ({ children: [first, second] }) =>
          first?.hasAttribute('data-available') && !second?.hasAttribute('data-available'),
      )
      return {
        available: read(mixed?.children[0]),
        unavailable: read(mixed?.children[1]),
        text: mixed?.textContent,
      }
    })
    expect(looks.available).not.toBe(looks.unavailable)
    expect(looks.text).toMatch(/, disponible.*, no disponible/)
  }
})

test('nothing moves without interaction', async () => {
  for (const path of ['/', formatAddress(THIRTY)]) {
    const html = await (await fetch(inject('origin') + path)).text()
    expect(html).not.toMatch(/animation|transition|scroll-behavior/)
  }
})

function isMixed({ _5ml, _10ml }: Product): boolean {
  return _5ml.available && !_10ml.available
}

async function copyLink(page: Page): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.locator('.share').first().click()
  await page.locator('output:not(:empty)').waitFor()
}

function showKeptLine(page: Page): Promise<void> {
  return page.locator('.kept').evaluate((line) => line.removeAttribute('hidden'))
}

/** Presses Tab until an element of this name has a visible focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let stop = 0; stop < 60; stop += 1) {
    await page.keyboard.press('Tab')
    if (!(await page.evaluate(readFocusedName)).startsWith(name)) continue
    expect(await page.evaluate(hasOutline)).toBe(true)
    return
  }
  throw new Error(`the keyboard does not reach ${name}`)
}

/** Runs in the page. */
function lengthenNames(): void {
  for (const name of document.querySelectorAll('h1 bdi, h2 bdi')) name.textContent = 'Perfume '.repeat(25)
}

/** Runs in the page. Returns the name that screen readers say. */
function readFocusedName(): string {
  const focused = document.activeElement
  const labels = focused?.getAttribute('aria-labelledby')?.split(' ') ?? []
  const named = labels.length === 0 ? [focused] : labels.map((id) => document.getElementById(id))
  return named
    .map((element) => element?.getAttribute('aria-label') ?? element?.textContent.trim() ?? '')
    .join(' ')
}

/** Runs in the page. */
function hasOutline(): boolean {
  const focused = document.activeElement
  return focused !== null && getComputedStyle(focused).outlineStyle === 'solid'
}
