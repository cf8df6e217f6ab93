/** The layers that handle input: inline script, React, both, neither. */
import { expect, test } from 'vitest'
import { FILTERS } from '../../../src/domain/catalogue/view.ts'
import {
  expectSeen,
  formatAddress,
  readSeen,
  tapFilter,
  watchChanges,
} from '../../support/catalogue-screen.ts'
import { isAvailable, THIRTY } from '../../../scripts/audit/sample-catalogues.ts'
import {
  blockScripts,
  holdScripts,
  removeInlineScript,
  useVisits,
  waitForIdle,
  waitForReact,
} from '../../support/visit.ts'

const visit = useVisits()
const path = formatAddress(THIRTY)
const available = expectSeen(THIRTY, { filter: 'disponible' })

test('filters and searches from the first tap when no chunk of script arrives', async () => {
  const { page } = await visit(path, { prepare: blockScripts })
  for (const filter of FILTERS.toReversed()) {
    const changes = await watchChanges(page)
    await tapFilter(page, filter)
    expect(await readSeen(page)).toEqual(expectSeen(THIRTY, { filter }))
    expect((await changes.jsonValue()).texts).toHaveLength(1)
  }
  await page.fill('input', 'parfum')
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY, { query: 'parfum' }))
})

test('filters and searches with React alone when the inline script is missing', async () => {
  const { page, messages } = await visit(path, { prepare: removeInlineScript })
  await waitForReact(page, 1)
  for (const filter of FILTERS.toReversed()) {
    const changes = await watchChanges(page)
    await tapFilter(page, filter)
    expect(await readSeen(page)).toEqual(expectSeen(THIRTY, { filter }))
    expect((await changes.jsonValue()).texts).toHaveLength(1)
  }
  await page.fill('input', 'parfum')
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY, { query: 'parfum' }))
  expect(messages).toEqual([])
})

test('keeps a tap and a typed word from before hydration when the inline script is missing', async () => {
  const held: { release?: () => void } = {}
  const { page } = await visit(path, {
    prepare: async (next) => {
      await removeInlineScript(next)
      held.release = await holdScripts(next)
    },
  })
  await tapFilter(page, 'disponible')
  await page.fill('input', 'parfum')
  expect(await readSeen(page)).toMatchObject({ names: expectSeen(THIRTY).names })
  held.release?.()
  await waitForReact(page, 1)
  await expect
    .poll(() => readSeen(page))
    .toEqual(expectSeen(THIRTY, { filter: 'disponible', query: 'parfum' }))
})

test('handles a tap once, with one change and one announcement, when both are present', async () => {
  const { page } = await visit(path)
  await waitForReact(page)
  const changes = await watchChanges(page)
  await tapFilter(page, 'disponible')
  expect(await changes.jsonValue()).toEqual({ filters: ['disponible'], texts: [available.status] })
  expect(await readSeen(page)).toEqual(available)
})

test('announces nothing when the active filter is tapped again', async () => {
  const { page } = await visit(path)
  await waitForReact(page)
  const changes = await watchChanges(page)
  await tapFilter(page, 'todos')
  expect((await changes.jsonValue()).texts).toEqual([])
})

test('announces nothing while it loads and hydrates', async () => {
  const { page, messages } = await visit(path, { scripts: [markAnnouncements] })
  await waitForReact(page)
  await waitForIdle(page)
  expect(await page.locator('html[data-announced]').count()).toBe(0)
  expect(messages).toEqual([])
})

test('handles a tap during loading of React once, and React keeps it', async () => {
  const held: { release?: () => void } = {}
  const { page, messages } = await visit(path, {
    prepare: async (next) => {
      held.release = await holdScripts(next)
    },
  })
  const changes = await watchChanges(page)
  await tapFilter(page, 'disponible')
  expect(await readSeen(page)).toEqual(available)
  held.release?.()
  await waitForReact(page)
  await waitForIdle(page)
  expect(await readSeen(page)).toEqual(available)
  expect((await changes.jsonValue()).texts).toEqual([available.status])
  await tapFilter(page, 'todos')
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY))
  expect((await changes.jsonValue()).texts).toHaveLength(2)
  expect(messages).toEqual([])
})

test('handles a tap during hydration once', async () => {
  const { page, messages } = await visit(path, { scripts: [tapWhileHydrating] })
  await waitForReact(page)
  await waitForIdle(page)
  expect(await readSeen(page)).toEqual(available)
  expect(await page.getAttribute('html', 'data-announced')).toBe('1')
  expect(messages).toEqual([])
})

test('does not load React with data saving on before an interaction', async () => {
  const asked: string[] = []
  const { page } = await visit(path, {
    hasClock: true,
    scripts: [saveData],
    prepare: async (next) => next.on('request', (request) => asked.push(request.url())),
  })
  await page.clock.runFor(60_000)
  expect(asked.filter((url) => url.includes('/_astro/'))).toEqual([])
  await tapFilter(page, 'disponible')
  await waitForReact(page)
  expect(await readSeen(page)).toEqual(available)
})

test('shows every product, and no control that needs JavaScript, without JavaScript', async () => {
  const { page } = await visit(formatAddress(THIRTY, { filter: 'disponible' }), { javaScriptEnabled: false })
  const cards = page.locator('main li')
  expect(await cards.count()).toBe(THIRTY.products.length)
  for (const card of await cards.all()) expect(await card.isVisible()).toBe(true)
  expect(await page.locator('.filters').isVisible()).toBe(false)
  expect(await page.locator('.choices').isVisible()).toBe(false)
  expect(await page.getByRole('search').isVisible()).toBe(false)
  expect(THIRTY.products.filter(isAvailable).length).toBeLessThan(THIRTY.products.length)
})

/** Runs in the page. */
function saveData(): void {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
}

/** Counts in the root element the texts that the live region receives after parsing. */
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

/** Taps after Astro has called React and before React starts. */
function tapWhileHydrating(): void {
  addEventListener('DOMContentLoaded', () => {
    const status = document.querySelector('[role=status]')
    const island = document.querySelector('astro-island')
    if (status === null || island === null) return
    let announced = 0
    new MutationObserver((records) => {
      announced += records.length
      document.documentElement.dataset['announced'] = `${announced}`
    }).observe(status, { childList: true })
    new MutationObserver(() => {
      document.querySelector<HTMLButtonElement>('button[value=disponible]')?.click()
    }).observe(island, { attributeFilter: ['ssr'] })
  })
}
