/** The visitor stories that are played in every browser engine. */
import { setTimeout as wait } from 'node:timers/promises'
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import type { UnsteadySite } from '../unsteady-site.ts'
import type { WrittenSeller } from '../write-sellers.ts'
import { repeatSample } from '../write-sellers.ts'
import type { Tab } from './tab.ts'
import { ask, tapOn, waitFor } from './tab.ts'

/** Rejects if the page does not behave as the story expects. */
type Story = (tab: Tab, site: UnsteadySite) => Promise<void>

export const VISITOR_STORIES: Readonly<Record<string, Story>> = {
  'an order is made, emptied, restored and sent': order,
  'products are filtered and sorted, 30 and 2,000 of them, and the address keeps it': filterAndSort,
  'a search is still there after a product was seen, and finds products of all catalogues': search,
  'without a network, pages visited before are shown, and any other address shows a plain page': goOffline,
  'Arabic names are read from the right': readArabic,
  'without scripts, pages show products, and a search leads to them': goWithoutScripts,
}

const PROFILE = { fName: 'محمد', lName: 'Peña', whatsapp: '809-555-0100' }
const PERFUME = 'عطر العود الملكي 100 مل'

/** The sellers whose catalogues the stories visit. */
export const STORY_SELLERS: readonly WrittenSeller[] = [
  { id: 'treinta', profile: PROFILE, products: repeatSample(30) },
  { id: 'largo', profile: PROFILE, products: repeatSample(2000) },
  {
    id: 'arabe',
    profile: { ...PROFILE, lName: 'العطار' },
    products: [{ name: PERFUME, price: 3500, available: true }],
  },
]

const THIRTY = formatCataloguePath('treinta')
const LONG = formatCataloguePath('largo')
/** A product that is available in several sizes, so that a tap asks for one. */
const SIZED = '[data-available][data-5ml] .add'
/** Max milliseconds from the start of the navigation until 2,000 products are laid out. */
const MOST_TIME = 1_700

async function order(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(origin + THIRTY)
  await tapOn(tab, SIZED)
  await waitFor(tab, countShown, 1, '.sheet[open]')
  // A tap outside a sheet closes it.
  await tab.tap(225, 60)
  await waitFor(tab, countShown, 0, '.sheet[open]')
  await tapOn(tab, SIZED)
  await tapOn(tab, '.sheet[open] .choice')
  await waitFor(tab, countShown, 0, '.sheet[open]')
  await tapOn(tab, 'a.order')
  await tapOn(tab, '.empty')
  await waitFor(tab, readFocus, 'Deshacer')
  await tapOn(tab, '.nothing-ordered button')
  // The browser removes the focus from the hidden button only in a later frame.
  await wait(500)
  await waitFor(tab, readFocus, 'Tu pedido')
  await waitFor(tab, isSendable, true)
  await tab.back()
  await waitFor(tab, countShown, 0, '.sheet[open]')
}

async function filterAndSort(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(origin + THIRTY)
  await tapOn(tab, 'button[value=disponible]')
  await waitFor(tab, readAddress, '?filtro=disponible')
  await ask(tab, chooseCheapest)
  await waitFor(tab, readAddress, '?filtro=disponible&orden=precio-menor')
  await tab.reload()
  await waitFor(tab, isSorted, true, 30)
  await waitFor(tab, readPressed, 'disponible')
  await tab.open(origin + LONG)
  const time = Number(await ask(tab, readLayoutTime))
  if (time > MOST_TIME)
    throw new Error(`2,000 products took ${Math.round(time)} ms, allowed are ${MOST_TIME}`)
  await tapOn(tab, 'button[value=no-disponible]')
  await waitFor(tab, readPressed, 'no-disponible')
  await tab.open(`${origin}${LONG}?orden=precio-menor`)
  await waitFor(tab, isSorted, true, 2000)
}

async function search(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(origin + THIRTY)
  await tapOn(tab, 'input')
  await tab.type('zzz')
  await waitFor(tab, readFound, [0, 'zzz', '?q=zzz'])
  await tapOn(tab, '[data-nothing] button')
  await waitFor(tab, readFound, [30, '', ''])
  await tapOn(tab, 'input')
  await tab.type('dior')
  await waitFor(tab, readAddress, '?q=dior')
  const before = await ask(tab, readFound)
  await tapOn(tab, 'h2 a')
  await waitFor(tab, isProduct, true)
  await tab.back()
  await waitFor(tab, isProduct, false)
  // The engine may still change the text in the search box after the page is shown.
  await wait(500)
  await waitFor(tab, readFound, before)
  await tab.open(`${origin}/`)
  await tapOn(tab, 'input')
  await tab.type('dior')
  await tapOn(tab, '.find')
  await waitFor(tab, readAddress, '?q=dior')
  await tapOn(tab, '.found a')
  await waitFor(tab, isProduct, true)
}

async function goOffline(tab: Tab, site: UnsteadySite): Promise<void> {
  await tab.open(site.origin + THIRTY)
  await waitFor(tab, isControlled, true)
  await tab.reload()
  site.connection = { isOff: true }
  await tab.reload()
  await waitFor(tab, countShown, 1, '.kept')
  await waitFor(tab, readFound, [30, '', ''])
  await tab.open(`${site.origin}/catalogo/nunca`)
  await waitFor(tab, readLinks, [THIRTY])
}

async function readArabic(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(`${origin}/catalogo/arabe`)
  await waitFor(tab, readDirections, ['rtl', 'rtl', true])
  await waitFor(tab, isWide, false)
  await tapOn(tab, '.card .add')
  await tapOn(tab, 'a.order')
  await waitFor(tab, isSendable, true)
  await tab.open(`${origin}/catalogo/arabe/arabe0`)
  await waitFor(tab, readHeading, PERFUME)
}

async function goWithoutScripts(tab: Tab, site: UnsteadySite): Promise<void> {
  site.connection = { edit: removeScripts, hasNoPolicy: true }
  await tab.open(site.origin + THIRTY)
  await waitFor(tab, countShown, 30, '.card h2 a')
  await waitFor(tab, countShown, 0, 'form, .filters, .choices, .share, .add')
  await tab.open(`${site.origin}/`)
  await tapOn(tab, 'input')
  await tab.type('dior')
  await tapOn(tab, '.find')
  await tapOn(tab, '.narrow a:last-child')
  await waitFor(tab, readAddress, '?decants=10ml&q=dior')
  await tapOn(tab, '.found a')
  await waitFor(tab, isProduct, true)
  await waitFor(tab, countShown, 0, '.share, .add')
}

/** Removes all scripts except structured data, and activates the style rules for browsers without scripts. */
function removeScripts(html: string): string {
  return html
    .replace(/<script(?![^>]*ld\+json).*?<\/script>/gs, '')
    .replace(/\(scripting: ?none\)/g, 'all')
    .replace(/\(scripting: ?enabled\)/g, 'not all')
}

// The functions below run in the page. Each is sent there as source text, so it must not refer to other code.

function countShown(selector: string): number {
  return [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length > 0).length
}

function readFocus(): string | undefined {
  return document.activeElement?.textContent
}

function isSendable(): boolean {
  const address = document.querySelector('.sheet[open] a.send')?.getAttribute('href')
  return address?.includes('wa.me/18095550100') === true
}

function readAddress(): string {
  return location.search
}

function readPressed(): string | undefined {
  return document.querySelector<HTMLButtonElement>('[aria-pressed=true]')?.value
}

/** Sorts by lowest price: sets the select and fires the events that a visitor's choice fires. */
function chooseCheapest(): void {
  const option = document.querySelector<HTMLOptionElement>('option[value=precio-menor]')
  const select = option?.closest('select') ?? null
  if (option === null || select === null) throw new Error('the page has no option precio-menor')
  select.value = option.value
  select.dispatchEvent(new Event('input', { bubbles: true }))
  select.dispatchEvent(new Event('change', { bubbles: true }))
}

function isSorted(count: number): boolean {
  const cards = document.querySelectorAll<HTMLElement>('.card')
  const prices = [...cards].map(({ dataset }) => Number(dataset['price']) || Infinity)
  return prices.length === count && prices.every((price, index) => price >= (prices[index - 1] ?? 0))
}

/** Forces a layout. Returns the milliseconds since the start of the navigation. */
function readLayoutTime(): number {
  return document.body.offsetHeight > 0 ? performance.now() : Infinity
}

/** Returns the number of cards that are not hidden, the text in the search box, and the query of the address. */
function readFound(): readonly (number | string | undefined)[] {
  const cards = document.querySelectorAll('.card:not([hidden])')
  return [cards.length, document.querySelector('input')?.value, location.search]
}

function isProduct(): boolean {
  return document.querySelector('.product') !== null
}

function isControlled(): boolean {
  return navigator.serviceWorker.controller !== null
}

function readLinks(): readonly (string | null)[] {
  return [...document.querySelectorAll('main nav a')].map((link) => link.getAttribute('href'))
}

/** Returns the directions of the seller's name and a product's name, and whether the latter fits into its card. */
function readDirections(): readonly (string | boolean)[] {
  const names = [...document.querySelectorAll('h1 bdi, .card h2 bdi')].slice(0, 2)
  const inner = names[1]?.getBoundingClientRect() ?? { left: NaN, right: NaN }
  const outer = document.querySelector('.card')?.getBoundingClientRect() ?? { left: NaN, right: NaN }
  const isInside = inner.left >= outer.left && inner.right <= outer.right
  return [...names.map((name) => getComputedStyle(name).direction), isInside]
}

function isWide(): boolean {
  const { scrollWidth, clientWidth } = document.documentElement
  return scrollWidth > clientWidth
}

function readHeading(): string | undefined {
  return document.querySelector('h1')?.textContent.replace(/\s+/g, ' ').trim()
}
