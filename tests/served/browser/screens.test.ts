/** The content of each screen, according to the specification. */
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import type { Catalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { HOME_ITEMS } from '../../../src/domain/pages/home.ts'
import { formatPrice } from '../../../src/domain/documents/price.ts'
import type { Decant } from '../../../src/domain/documents/product.ts'
import {
  BACK_HOME,
  FIVE_STARS,
  NO_CATALOGUE,
  SEARCH_PLACEHOLDER,
  SOLD_OUT,
} from '../../../src/domain/messages.ts'
import { formatAddress } from '../../support/browser/catalogue-screen.ts'
import { formatProductAnchor, formatProductPath, NO_PHOTO } from '../../../src/domain/pages/paths.ts'
import { CATALOGUES, THIRTY } from '../../support/run/sample-catalogues.ts'
import { useVisits, waitForFrames } from '../../support/browser/visit.ts'

const visit = useVisits()

test('home has two equal rows of the four samples, whose cards lead to the store of the sample', async () => {
  const { page, messages } = await visit('/')
  expect(await page.title()).toMatch(/^Inicio \| ./)
  expect(await page.locator('h2').allTextContents()).toEqual(['Categorias polulares', 'Categorias polulares'])
  const cards = await page.locator('main li').evaluateAll((items) =>
    items.map((item) => ({
      texts: [...item.querySelectorAll('h3, p:not([role])')].map((element) => element.textContent),
      cover: item.querySelector('img')?.getAttribute('src'),
      fit: getComputedStyle(item.querySelector('img') ?? item).objectFit,
      stars: item.querySelectorAll('svg').length,
      rating: item.querySelector('[role=img]')?.getAttribute('aria-label'),
    })),
  )
  const expected = HOME_ITEMS.map(({ name, category, price, cover }) => ({
    texts: [name, category, formatPrice(price, ' ')],
    cover: cover.uri,
    fit: cover.mode,
    stars: 5,
    rating: FIVE_STARS,
  }))
  expect(cards).toEqual([...expected, ...expected])
  await expectHeader(page)
  expect(messages).toEqual([])
  const links = page.locator('main li a')
  expect(await links.count()).toBe(2 * HOME_ITEMS.length)
  await links.last().click()
  await page.waitForURL('**/catalogo/1')
})

test('a catalogue shows each product of the sample with all its prices', async () => {
  const { page, messages } = await visit('/')
  for (const catalogue of CATALOGUES.filter(({ products }) => products.length > 0).slice(0, 2)) {
    await page.goto(inject('origin') + formatAddress(catalogue))
    expect(await page.title()).toMatch(`${catalogue.name} | `)
    expect(await page.locator('h1').textContent()).toBe(catalogue.name)
    expect(await page.locator('main li').evaluateAll(readCards)).toEqual(expectCards(catalogue))
    expect(await page.locator('meta[name=robots]').count()).toBe(0)
    await expectHeader(page)
    expect(messages).toEqual([])
  }
})

test('the drawn bottle is in the place of a photo that fails before the rest of the page is there', async () => {
  const prepare = async (page: Page): Promise<void> => {
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/muestra/'))
    await page.route('**/muestra/**', (route) => route.abort())
    await page.route('**/rest.js', async (route) => {
      await failed
      await waitForFrames(page, 2)
      await route.fulfill({ contentType: 'text/javascript', body: '' })
    })
    await page.route('**/catalogo/**', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace(/<img [^>]*>/, '$&<script src="/rest.js"></script>')
      await route.fulfill({ response: answer, body })
    })
  }
  for (const path of [
    formatAddress(THIRTY),
    formatProductPath(THIRTY.seller, THIRTY.products[0]?.id ?? ''),
  ]) {
    const { page } = await visit(path, { prepare })
    const photo = page.locator('main img').first()
    await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(NO_PHOTO)
    expect(await photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  }
})

test('the photo itself is shown where its smaller sizes fail', async () => {
  const prepare = (page: Page): Promise<unknown> =>
    page.route('**' + formatAddress(THIRTY), async (route) => {
      const answer = await route.fetch()
      const sizes = '<picture><source srcset="/cdn-cgi/image/width=172/x.png 172w">'
      const body = (await answer.text())
        .replaceAll(/<picture>(<source[^>]*>)?/g, '')
        .replaceAll('<img ', `${sizes}<img `)
      await route.fulfill({ response: answer, body })
    })
  const { page } = await visit(formatAddress(THIRTY), { prepare })
  const photo = page.locator('main li img').first()
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect(await photo.evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(/\/muestra\//)
})

test('only the first photos load eagerly', async () => {
  const { page } = await visit(formatAddress(THIRTY))
  const photos = await page.locator('main img').evaluateAll((images) =>
    images.map((image) => ({
      alt: image.getAttribute('alt'),
      loading: image.getAttribute('loading'),
      priority: image.getAttribute('fetchpriority'),
    })),
  )
  for (const [index, photo] of photos.entries()) {
    const first = index < 2
    expect(photo).toEqual({
      alt: 'not found',
      loading: first ? 'eager' : 'lazy',
      priority: index === 0 ? 'high' : null,
    })
  }
})

test('an unknown catalogue shows the placeholder names and an empty list, says so and leads home', async () => {
  const { page } = await visit('/catalogo/nadie')
  expect(await page.title()).toMatch(/^Jhon Doe \| ./)
  expect(await page.locator('h1').textContent()).toBe('Jhon Doe')
  expect(await page.locator('main ul').count()).toBe(1)
  expect(await page.locator('main li').count()).toBe(0)
  expect(await page.getByText(NO_CATALOGUE).isVisible()).toBe(true)
  expect(await page.getByRole('link', { name: BACK_HOME }).getAttribute('href')).toBe('/')
  expect(await page.getAttribute('meta[name=robots]', 'content')).toBe('noindex')
  await expectHeader(page)
})

test('any other unknown address shows a page with a link home', async () => {
  const { page } = await visit('/no-existe')
  expect(await page.locator('main ul').count()).toBe(0)
  expect(await page.locator('main a').getAttribute('href')).toBe('/')
  expect(await page.getAttribute('meta[name=robots]', 'content')).toBe('noindex')
  await expectHeader(page)
})

test("the browser's own frame has the colour of the header, light and dark", async () => {
  const { page } = await visit('/')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const [frame, header] = await page.evaluate((scheme) => {
      const meta = document.querySelector(`meta[name=theme-color][media*=${scheme}]`)
      const paint = document.createElement('i')
      paint.style.color = meta?.getAttribute('content') ?? ''
      document.body.append(paint)
      const top = document.querySelector('.top') ?? document.body
      return [getComputedStyle(paint).color, getComputedStyle(top).backgroundColor]
    }, colorScheme)
    expect(frame, colorScheme).toBe(header)
  }
})

/** Every page has the brand with a link home, the search box and the sign-in button. */
async function expectHeader(page: Page): Promise<void> {
  expect(await page.locator('header a').first().getAttribute('href')).toBe('/')
  expect(await page.getByRole('searchbox').getAttribute('placeholder')).toBe(SEARCH_PLACEHOLDER)
  expect(await page.getByText('Acceder').isVisible()).toBe(true)
}

/** Runs in the page. */
function readCards(cards: readonly Element[]): readonly unknown[] {
  const text = (element: Element | null | undefined): string => element?.textContent ?? ''
  return cards.map((card) => {
    const article = card.querySelector('article')
    return {
      id: card.id,
      available: card.hasAttribute('data-available'),
      label: text(document.getElementById(article?.getAttribute('aria-labelledby') ?? '')),
      name: text(card.querySelector('h2')),
      hasPhoto: card.querySelector('img')?.getAttribute('src') !== '/sin-foto.svg',
      price: text(card.querySelector('.price')),
      badge: text(card.querySelector('.sold-out')),
      decants: [...card.querySelectorAll('dl > div')].map((line) => ({
        text: text(line),
        available: line.hasAttribute('data-available'),
      })),
    }
  })
}

function expectCards({ products }: Catalogue): readonly unknown[] {
  return products.map(({ id, name, photo, price, available, _5ml, _10ml }) => ({
    id: formatProductAnchor(id),
    available,
    label: name,
    name,
    hasPhoto: photo !== null,
    price: formatPrice(price),
    badge: available ? '' : SOLD_OUT,
    decants: [expectLine('5ML', _5ml), expectLine('10ML', _10ml)],
  }))
}

function expectLine(size: string, { price, available }: Decant): unknown {
  return { text: `${size}${formatPrice(price)}, ${available ? '' : 'no '}disponible`, available }
}
