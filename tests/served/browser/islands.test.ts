/** A catalogue works before, while and after React arrives, and without any script. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { FILTERS } from '../../../src/domain/catalogue/view.ts'
import { expectSeen, formatAddress, readSeen, tapFilter } from '../../support/browser/catalogue-screen.ts'
import { THIRTY } from '../../support/run/sample-catalogues.ts'
import {
  blockScripts,
  holdScripts,
  useVisits,
  waitForFrames,
  waitForIdle,
  waitForReact,
} from '../../support/browser/visit.ts'

const visit = useVisits()
const path = formatAddress(THIRTY)

test('a catalogue filters and searches from the first tap when no chunk of script arrives', async () => {
  const { page } = await visit(path, { prepare: blockScripts, scripts: [markAnnouncements] })
  for (const [index, filter] of FILTERS.toReversed().entries()) {
    await tapFilter(page, filter)
    expect(await readSeen(page)).toEqual(expectSeen(THIRTY, { filter }))
    expect(await countAnnouncements(page)).toBe(index + 1)
  }
  await page.fill('input', 'parfum')
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY, { query: 'parfum' }))
})

test('each tap is announced once, and nothing else, while React is on its way and afterwards', async () => {
  const held: { release?: () => void } = {}
  const { page, messages } = await visit(path, {
    scripts: [markAnnouncements],
    prepare: async (next) => {
      held.release = await holdScripts(next)
    },
  })
  await tapFilter(page, 'disponible')
  expect(await countAnnouncements(page)).toBe(1)
  held.release?.()
  await waitForReact(page)
  await waitForIdle(page)
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY, { filter: 'disponible' }))
  await tapFilter(page, 'disponible')
  expect(await countAnnouncements(page)).toBe(1)
  await tapFilter(page, 'todos')
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY))
  expect(await countAnnouncements(page)).toBe(2)
  expect(messages).toEqual([])
})

test('the natural search replaces the plain one when it arrives', async () => {
  const { page } = await visit(path)
  const query = 'quiero un perfume'
  await page.fill('input', query)
  await waitForReact(page)
  await expect.poll(() => readSeen(page)).toEqual(expectSeen(THIRTY, { query }))
  expect((await readSeen(page)).names.length).toBeGreaterThan(0)
})

test('a choice that is shown while React compares the page throws nothing', async () => {
  const { page, messages } = await visit(path, { scripts: [showOtherCounts] })
  await tapFilter(page, 'disponible')
  await waitForReact(page)
  await waitForIdle(page)
  await tapFilter(page, 'todos')
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY))
  expect(messages).toEqual([])
})

test('React is fetched when the photos in view are there', async () => {
  const asked: string[] = []
  const photo = Promise.withResolvers<void>()
  const { page } = await visit(path, {
    prepare: async (next) => {
      next.on('request', (request) => asked.push(request.url()))
      await next.route('**/*?held', async (route) => {
        await photo.promise
        await route.continue()
      })
    },
  })
  await page.locator('main img').first().evaluate(showHeldPhoto)
  await expect.poll(() => asked.some((url) => url.endsWith('?held'))).toBe(true)
  await tapFilter(page, 'todos')
  await waitForFrames(page, 5)
  expect(asked.filter((url) => url.includes('/_astro/'))).toEqual([])
  photo.resolve()
  await page.waitForSelector('html[data-followed]', { state: 'attached' })
})

test('without JavaScript a catalogue shows every product and WhatsApp, and no control that needs it', async () => {
  const { page } = await visit(formatAddress(THIRTY, { filter: 'disponible' }), { javaScriptEnabled: false })
  const cards = page.locator('main li')
  expect(await cards.count()).toBe(THIRTY.products.length)
  for (const card of await cards.all()) expect(await card.isVisible()).toBe(true)
  for (const part of ['.filters', '.choices', 'form', '.share', '.add', '.order'])
    expect(await page.locator(part).first().isVisible(), part).toBe(false)
  const contact = await page.getByRole('link', { name: 'WhatsApp' }).getAttribute('href')
  expect(contact).toMatch(`https://wa.me/${THIRTY.whatsapp}?text=`)
})

async function countAnnouncements(page: Page): Promise<number> {
  return Number((await page.getAttribute('html', 'data-announced')) ?? 0)
}

/** Runs in the page. Counts in the root element the texts that the live region receives after parsing. */
function markAnnouncements(): void {
  addEventListener('DOMContentLoaded', () => {
    const status = document.querySelector('[role=status]')
    if (status === null) return
    let announced = 0
    new MutationObserver((records) => {
      announced += records.length
      document.documentElement.dataset['announced'] = `${announced}`
    }).observe(status, { childList: true, characterData: true, subtree: true })
  })
}

/** Runs in the page. Changes what React compares, as a choice does between its view and its look at the document. */
function showOtherCounts(): void {
  addEventListener('vitrina:follower', () =>
    queueMicrotask(() => {
      for (const text of document.querySelectorAll('.filters small, .chip span')) text.textContent = '0'
    }),
  )
}

/** Runs in the page. */
function showHeldPhoto(photo: HTMLElement | SVGElement): void {
  photo.previousElementSibling?.remove()
  photo.setAttribute('src', '/favicon.svg?held')
}
