/** The search box filters a catalogue by name, together with the filter buttons. */
import { expect, test } from 'vitest'
import { expectSeen, formatAddress, readSeen, tapFilter } from '../../support/browser/catalogue-screen.ts'
import { THIRTY } from '../../../scripts/audit/sample-catalogues.ts'
import { useVisits, waitForReact } from '../../support/browser/visit.ts'

const visit = useVisits()

const WORD = readWord(THIRTY.products[0]?.name ?? '')

test('filters the list with each letter, together with the filters, and stays on the page at Enter', async () => {
  const { page } = await visit(formatAddress(THIRTY))
  await page.focus('input')
  for (let length = 1; length <= WORD.length; length += 1) {
    await page.keyboard.type(WORD.charAt(length - 1))
    const seen = expectSeen(THIRTY, { query: WORD.slice(0, length) })
    expect(seen.names.length).toBeGreaterThan(0)
    expect(await readSeen(page)).toEqual(seen)
  }
  await page.evaluate(() => document.body.setAttribute('data-same', ''))
  await page.press('input', 'Enter')
  expect(await page.locator('body[data-same]').count()).toBe(1)
  expect(await page.locator('input:focus').count()).toBe(0)
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY, { query: WORD }))
  await waitForReact(page)
  await tapFilter(page, 'disponible')
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY, { filter: 'disponible', query: WORD }))
  await tapFilter(page, 'no-disponible')
  await page.fill('input', WORD.slice(0, 2))
  const view = { filter: 'no-disponible', query: WORD.slice(0, 2) } as const
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY, view))
  await page.fill('input', '')
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY, { filter: 'no-disponible' }))
})

test('fast typing changes the address no oftener than browsers allow, and at last to what was typed', async () => {
  const { page, messages } = await visit(formatAddress(THIRTY), { hasClock: true, scripts: [allowChanges] })
  await page.evaluate(() => {
    const box = document.querySelector('input')
    for (let key = 0; key < 260; key += 1) {
      if (box !== null) box.value = `${key}`
      box?.dispatchEvent(new Event('input'))
    }
  })
  await page.clock.runFor(11_000)
  expect((await readSeen(page)).address).toBe(formatAddress(THIRTY, { query: '259' }))
  expect(Number(await page.getAttribute('html', 'data-changes'))).toBeLessThan(50)
  expect(messages).toEqual([])
})

function readWord(name: string): string {
  const word = name.split(' ').find((part) => part.length > 3)
  if (word === undefined) throw new Error(`${name} has no word to search for`)
  return word
}

/** Runs in the page. Like WebKit, throws at a change of the address after 100. */
function allowChanges(): void {
  const { replaceState } = history
  let changes = 0
  history.replaceState = (...entry) => {
    changes += 1
    document.documentElement.dataset['changes'] = `${changes}`
    if (changes > 100) throw new DOMException('too often', 'SecurityError')
    Reflect.apply(replaceState, history, entry)
  }
}
