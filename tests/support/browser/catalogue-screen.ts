/** Reads the visible state of a catalogue, and the expected state from the sample. */
import type { Page } from 'playwright-core'
import type { Catalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import { createNaturalSearch } from '../../../src/domain/catalogue/natural-search.ts'
import { createSearchText } from '../../../src/domain/catalogue/search.ts'
import type { Filter, View } from '../../../src/domain/catalogue/view.ts'
import { EVERYTHING, formatView, isKept, orderProducts } from '../../../src/domain/catalogue/view.ts'
import { formatProductCount } from '../../../src/domain/messages.ts'

export interface Seen {
  readonly names: readonly string[]
  readonly pressed: readonly string[]
  readonly status: string
  readonly query: string
  /** Path and search. */
  readonly address: string
}

export function formatAddress({ seller }: Catalogue, view: Partial<View> = {}): string {
  return formatCataloguePath(seller) + formatView({ ...EVERYTHING, ...view }, '')
}

export function expectSeen(catalogue: Catalogue, view: Partial<View> = {}): Seen {
  const whole = { ...EVERYTHING, ...view }
  const isFound = createNaturalSearch(whole.query)
  const names = orderProducts(catalogue.products, whole.order)
    .filter(({ name, available, _5ml, _10ml }) => {
      const decants = { '5ml': _5ml.available, '10ml': _10ml.available }
      return isFound({ text: createSearchText(name), decants }) && isKept(whole, { available, decants })
    })
    .map(({ name }) => name)
  return {
    names,
    pressed: [whole.filter],
    status: formatProductCount(names.length, whole),
    query: whole.query,
    address: formatAddress(catalogue, view),
  }
}

/** Waits until each list has shown every card of its view: after a tap, later cards come in the frames after. */
export async function waitForCards(page: Page): Promise<void> {
  await page.locator('main ul[aria-busy=true]').first().waitFor({ state: 'detached' })
}

/** Returns what is seen once every card is shown. */
export async function readSeen(page: Page): Promise<Seen> {
  await waitForCards(page)
  return page.evaluate(() => {
    const isShown = (element: Element): boolean => element.getClientRects().length > 0
    const cards = [...document.querySelectorAll('main li')].filter(isShown)
    const pressed = document.querySelectorAll<HTMLButtonElement>('button[aria-pressed=true]')
    return {
      names: cards.map((card) => card.querySelector('h2')?.textContent ?? ''),
      pressed: [...pressed].map((button) => button.value),
      status: document.querySelector('[role=status]')?.textContent ?? '',
      query: document.querySelector('input')?.value ?? '',
      address: location.pathname + location.search,
    }
  })
}

export async function tapFilter(page: Page, filter: Filter): Promise<void> {
  await page.click(`button[value=${filter}]`)
}
