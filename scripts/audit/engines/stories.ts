/** The stories that every engine must play: each once broke in one of them. */
import { setTimeout as wait } from 'node:timers/promises'
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import type { UnsteadySite } from '../unsteady-site.ts'
import type { Tab } from './engine.ts'
import { ask, tapOn, waitFor } from './steps.ts'

export interface Story {
  readonly name: string
  /** Rejects if the story goes otherwise. */
  readonly play: (tab: Tab, site: UnsteadySite) => Promise<void>
}

const THIRTY = formatCataloguePath('treinta')
const LONG = formatCataloguePath('largo')
/** Most milliseconds until 2,000 products are laid out. */
const MOST_TIME = 1_500
const KEYS = 260

export const STORIES: readonly Story[] = [
  { name: 'a catalogue does not pan sideways, at 100 % and at 200 % text', play: fit },
  { name: 'a filter and a search show what they keep', play: filter },
  { name: 'after a search, a product and back, box and list agree', play: returnToSearch },
  { name: 'fast typing throws nothing, and the address follows', play: typeFast },
  { name: 'a tap beside a sheet closes it; an order is made and sent', play: order },
  { name: 'what gets the focus is below the sticky bar', play: focusBack },
  { name: 'a photo that fails shows the drawn bottle', play: losePhotos },
  { name: 'without a network kept pages are shown, and a plain one', play: goOffline },
  { name: '2,000 products are laid out, filtered, sorted and searched', play: openLong },
]

async function fit(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  for (const path of [THIRTY, '/', '/catalogo/nadie', `${THIRTY}/treinta0`]) {
    await tab.open(origin + path)
    await waitFor(tab, isWide, false)
    await tab.run('document.documentElement.style.fontSize = "200%"')
    await waitFor(tab, isWide, false)
  }
}

async function filter(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(origin + THIRTY)
  await waitFor(tab, readSeen, [30, '', ''])
  await tapOn(tab, 'button[value=disponible]')
  await waitFor(tab, readPressed, 'disponible')
  await tapOn(tab, 'button[value=todos]')
  await tapOn(tab, 'input')
  await tab.type('zzz')
  await waitFor(tab, readSeen, [0, 'zzz', '?q=zzz'])
  await tapOn(tab, '[data-nothing] button')
  await waitFor(tab, readSeen, [30, '', ''])
}

async function returnToSearch(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(origin + THIRTY)
  await tapOn(tab, 'input')
  await tab.type('dior')
  await waitFor(tab, readAddress, '?q=dior')
  const before = await ask(tab, readSeen)
  await tapOn(tab, 'h2 a')
  await waitFor(tab, isProduct, true)
  await tab.back()
  await waitFor(tab, isProduct, false)
  // The engine may change the box after the page is shown.
  await wait(500)
  await waitFor(tab, readSeen, before)
}

async function typeFast(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(origin + THIRTY)
  await ask(tab, countErrors)
  await ask(tab, enterFast, KEYS)
  await waitFor(tab, readErrors, 0)
  await waitFor(tab, readAddress, `?q=${KEYS - 1}`)
}

async function order(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(origin + THIRTY)
  await tapOn(tab, '[data-available][data-5ml] .add')
  await waitFor(tab, countSheets, 1)
  await tab.tap(225, 60)
  await waitFor(tab, countSheets, 0)
  await tapOn(tab, '[data-available][data-5ml] .add')
  await waitFor(tab, countSheets, 1)
  await tapOn(tab, '.sheet[open] .choice')
  await waitFor(tab, countSheets, 0)
  await tapOn(tab, 'a.order')
  await waitFor(tab, countSheets, 1)
  await waitFor(tab, isSent, true)
  await tab.back()
  await waitFor(tab, countSheets, 0)
}

async function focusBack(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(origin + THIRTY)
  await waitFor(tab, countCovered, 0)
}

async function losePhotos(tab: Tab, site: UnsteadySite): Promise<void> {
  site.connection = { edit: losePhotosOf }
  for (const path of [THIRTY, `${THIRTY}/treinta0`]) {
    await tab.open(site.origin + path)
    await waitFor(tab, isFirstDrawn, true)
  }
}

async function goOffline(tab: Tab, site: UnsteadySite): Promise<void> {
  await tab.open(site.origin + THIRTY)
  await waitFor(tab, isControlled, true)
  await tab.reload()
  site.connection = { isOff: true }
  await tab.reload()
  await waitFor(tab, readKept, [true, 30])
  await tab.open(`${site.origin}/catalogo/nunca`)
  await waitFor(tab, readLinks, [THIRTY])
}

async function openLong(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(origin + LONG)
  const time = Number(await ask(tab, readLayoutTime))
  await waitFor(tab, countCards, 2000)
  await tapOn(tab, 'button[value=no-disponible]')
  await waitFor(tab, readPressed, 'no-disponible')
  await tab.open(`${origin}${LONG}?orden=precio-menor`)
  await waitFor(tab, isSorted, true)
  await tapOn(tab, 'input')
  await tab.type('zzz')
  await waitFor(tab, countCards, 0)
  if (time > MOST_TIME) throw new Error(`laid out after ${Math.round(time)} ms, ${MOST_TIME} are allowed`)
}

function losePhotosOf(html: string): string {
  return html.replace(/(?:src|srcset|imagesrcset)="\/(?!sin-foto)[^"]*"/g, 'src="/falta.svg"')
}

// Run in the page.

function isWide(): boolean {
  const { scrollWidth, clientWidth } = document.documentElement
  return scrollWidth > clientWidth
}

/** Returns the number of cards, what the box has, and the address. */
function readSeen(): readonly (number | string | undefined)[] {
  const shown = document.querySelectorAll('.card:not([hidden])')
  return [shown.length, document.querySelector('input')?.value, location.search]
}

function countCards(): number {
  return document.querySelectorAll('.card:not([hidden])').length
}

function readPressed(): string | undefined {
  return document.querySelector<HTMLButtonElement>('[aria-pressed=true]')?.value
}

function readAddress(): string {
  return location.search
}

function isProduct(): boolean {
  return document.querySelector('.product') !== null
}

function countErrors(): void {
  document.documentElement.dataset['errors'] = '0'
  addEventListener('error', () => {
    const { dataset } = document.documentElement
    dataset['errors'] = `${Number(dataset['errors']) + 1}`
  })
}

function readErrors(): number {
  return Number(document.documentElement.dataset['errors'])
}

async function enterFast(keys: number): Promise<void> {
  const box = document.querySelector('input')
  for (let key = 0; key < keys; key += 1) {
    if (box !== null) box.value = `${key}`
    box?.dispatchEvent(new Event('input', { bubbles: true }))
    await new Promise((resolve) => {
      setTimeout(resolve, 10)
    })
  }
}

function countSheets(): number {
  return document.querySelectorAll('.sheet[open]').length
}

function isSent(): boolean {
  return (
    document.querySelector('.sheet[open] a.send')?.getAttribute('href')?.includes('wa.me/18095550100') ===
    true
  )
}

/** Focuses every control, from the last to the first. Returns the number of those that the bar covers then. */
function countCovered(): number {
  const bar = document.querySelector('.bar')
  const controls = [...document.querySelectorAll<HTMLElement>('main a, main button')].toReversed()
  return controls.filter((control) => {
    control.focus()
    const { top, height } = control.getBoundingClientRect()
    return height > 0 && top < (bar?.getBoundingClientRect().bottom ?? 0) - 1
  }).length
}

function isFirstDrawn(): boolean {
  const photo = document.querySelector<HTMLImageElement>('main img')
  return photo?.currentSrc.endsWith('/sin-foto.svg') === true && photo.naturalWidth > 0
}

function isControlled(): boolean {
  return navigator.serviceWorker.controller !== null
}

function readKept(): readonly [boolean, number] {
  const line = document.querySelector<HTMLElement>('.kept')
  return [line?.hidden === false, document.querySelectorAll('.card').length]
}

function readLinks(): readonly (string | null)[] {
  return [...document.querySelectorAll('main nav a')].map((link) => link.getAttribute('href'))
}

/** Returns the time since the navigation at which the page can be laid out. */
function readLayoutTime(): number {
  return document.body.offsetHeight > 0 ? performance.now() : Infinity
}

function isSorted(): boolean {
  const cards = document.querySelectorAll<HTMLElement>('.card')
  const prices = [...cards].map(({ dataset }) => Number(dataset['price']) || Infinity)
  return prices.length === 2000 && prices.every((price, index) => price >= (prices[index - 1] ?? 0))
}
