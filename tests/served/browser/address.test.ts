/** The address stores the view: reloads, shared links and history navigation restore it. */
import { expect, inject, test } from 'vitest'
import { expectSeen, formatAddress, readSeen, tapFilter } from '../../support/browser/catalogue-screen.ts'
import { THIRTY } from '../../../scripts/audit/sample-catalogues.ts'
import { openSlowSite } from '../../support/browser/slow-site.ts'
import { blockScripts, useVisits, waitForReact } from '../../support/browser/visit.ts'

const visit = useVisits()

test('gives the same view after a reload, for each filter and a search', async () => {
  const { page, messages } = await visit(formatAddress(THIRTY))
  for (const [filter, query] of [
    ['todos', 'eau de'],
    ['disponible', ''],
    ['no-disponible', 'eau de'],
  ] as const) {
    const expected = expectSeen(THIRTY, { filter, query })
    await page.fill('input', query)
    await tapFilter(page, filter)
    expect(await readSeen(page), filter).toEqual(expected)
    await page.reload()
    expect(await readSeen(page), filter).toEqual(expected)
    await waitForReact(page)
    expect(await readSeen(page), filter).toEqual(expected)
  }
  expect(messages).toEqual([])
})

for (const view of [{ filter: 'disponible' }, { query: 'parfum' }] as const) {
  test(`never shows a card that the address excludes, while the page is loading: ${JSON.stringify(view)}`, async () => {
    const slow = await openSlowSite(inject('origin'), (html) => html.lastIndexOf('<li'))
    const { page } = await visit('/', { prepare: blockScripts, scripts: [rememberFrames] })
    await page.goto(slow.origin + formatAddress(THIRTY, view), { waitUntil: 'commit' })
    await page.waitForFunction(() => document.documentElement.dataset['said']?.includes('producto'))
    slow.finish()
    await page.waitForLoadState()
    const { shown, said } = await page.evaluate(() => ({ ...document.documentElement.dataset }))
    const whole = expectSeen(THIRTY)
    const seen = expectSeen(THIRTY, view)
    expect(JSON.parse(shown ?? '')).toEqual(seen.names)
    expect(JSON.parse(said ?? '')).toEqual([whole.status, seen.status])
  })
}

test('shows an unknown filter as no filter', async () => {
  const { page } = await visit(`${formatAddress(THIRTY)}?filtro=todo&utm_source=whatsapp`)
  await waitForReact(page)
  expect(await readSeen(page)).toMatchObject({ ...expectSeen(THIRTY), address: expect.any(String) })
  await tapFilter(page, 'disponible')
  expect(page.url()).toContain('?utm_source=whatsapp&filtro=disponible')
})

test('follows back and forward within the page', async () => {
  const { page } = await visit(formatAddress(THIRTY))
  await page.evaluate(() => {
    location.hash = 'contenido'
  })
  await tapFilter(page, 'no-disponible')
  await page.fill('input', 'a')
  await page.goBack()
  await expect.poll(() => readSeen(page)).toEqual(expectSeen(THIRTY))
  await page.goForward()
  const view = { filter: 'no-disponible', query: 'a' } as const
  await expect.poll(() => readSeen(page)).toEqual(expectSeen(THIRTY, view))
})

test('restores the view when the visitor returns from another page', async () => {
  const view = { filter: 'disponible', query: 'parfum' } as const
  const { page } = await visit(formatAddress(THIRTY))
  await waitForReact(page)
  await tapFilter(page, view.filter)
  await page.fill('input', view.query)
  await page.click('.brand')
  await page.waitForURL(`${inject('origin')}/`)
  await page.goBack()
  await expect.poll(() => readSeen(page)).toEqual(expectSeen(THIRTY, view))
  await tapFilter(page, 'todos')
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY, { query: view.query }))
})

/** Records in the root element the card names and the counts painted in any frame. */
function rememberFrames(): void {
  const names = new Set<string>()
  const counts = new Set<string>()
  const look = (): void => {
    for (const card of document.querySelectorAll('main li')) {
      // The name of the last card may not have arrived yet.
      const name = card.querySelector('h2')?.textContent ?? ''
      if (name !== '' && card.getClientRects().length > 0) names.add(name)
    }
    const status = document.querySelector('[role=status]')
    if (status !== null) counts.add(status.textContent)
    document.documentElement.dataset['shown'] = JSON.stringify([...names])
    document.documentElement.dataset['said'] = JSON.stringify([...counts])
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  addEventListener('load', look)
}
