/** The visitor stories that are played in every browser engine. Each story once failed in at least one engine. */
import { setTimeout as wait } from 'node:timers/promises'
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import type { UnsteadySite } from '../unsteady-site.ts'
import type { Scheme, Tab } from './engine.ts'
import { focusBack, openPhoto, orderProduct } from './product-stories.ts'
import { buyByKeyboard, buyByReader, order, orderAfterLoss } from './purchase-stories.ts'
import {
  chooseCheapest,
  countShown,
  readBrightness,
  readDirections,
  readText,
  countCards,
  collectErrors,
  enterFast,
  isControlled,
  isFirstDrawn,
  isProduct,
  isSent,
  isSorted,
  isWide,
  readAddress,
  readErrors,
  readKept,
  readLayoutTime,
  readLinks,
  readPressed,
  readEngineSeen,
} from './page-reads.ts'
import { ask, tapOn, waitFor } from './steps.ts'

export interface VisitorStory {
  readonly name: string
  /** The colour scheme that the visitor's system prefers; light by default. */
  readonly scheme?: Scheme
  /** Rejects if the page does not behave as the story expects. */
  readonly play: (tab: Tab, site: UnsteadySite) => Promise<void>
}

const THIRTY = formatCataloguePath('treinta')
const LONG = formatCataloguePath('largo')
/** Max milliseconds from the start of the navigation until 2,000 products are laid out. */
const MOST_TIME = 1_500
const KEYS = 260

export const VISITOR_STORIES: readonly VisitorStory[] = [
  { name: 'pages do not scroll sideways, with text at 100 % and at 200 %', play: fit },
  { name: 'a filter and a search show only the matching products', play: filter },
  { name: 'the address keeps how the products are sorted', play: sort },
  { name: 'back from a product, a search shows the same query and the same products', play: returnToSearch },
  { name: 'fast typing causes no error, and the address shows the last query', play: typeFast },
  { name: 'a tap outside a sheet closes it; an order is made, emptied, restored and sent', play: order },
  {
    name: 'a product is ordered after its first touch had no network, and its list leaves no entry',
    play: orderAfterLoss,
  },
  {
    name: 'a product is ordered in the size that the address names, and other products are shown below it',
    play: orderProduct,
  },
  { name: 'the sticky bar never covers the element with the focus', play: focusBack },
  { name: 'the whole purchase works by keyboard', play: buyByKeyboard },
  { name: 'the whole purchase works by accessible roles and names, and is announced', play: buyByReader },
  { name: 'Arabic names are read from the right', play: readArabic },
  { name: 'the page is dark if the system of the visitor prefers dark pages', scheme: 'dark', play: goDark },
  { name: 'without scripts, pages show products, and a search leads to them', play: goWithoutScripts },
  { name: 'the drawn bottle replaces a photo that fails to load', play: losePhotos },
  { name: 'a tap opens the large photo of a product, and back closes it', play: openPhoto },
  {
    name: 'without a network, pages visited before are shown, and any other address shows a plain page',
    play: goOffline,
  },
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
  await waitFor(tab, readEngineSeen, [30, '', ''])
  await tapOn(tab, 'button[value=disponible]')
  await waitFor(tab, readPressed, 'disponible')
  await tapOn(tab, 'button[value=todos]')
  await tapOn(tab, 'input')
  await tab.type('zzz')
  await waitFor(tab, readEngineSeen, [0, 'zzz', '?q=zzz'])
  await tapOn(tab, '[data-nothing] button')
  await waitFor(tab, readEngineSeen, [30, '', ''])
}

async function sort(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(origin + THIRTY)
  await tapOn(tab, 'button[value=disponible]')
  await waitFor(tab, readAddress, '?filtro=disponible')
  await ask(tab, chooseCheapest)
  await waitFor(tab, readAddress, '?filtro=disponible&orden=precio-menor')
  await waitFor(tab, isSorted, true, 30)
  await tab.reload()
  await waitFor(tab, isSorted, true, 30)
  await waitFor(tab, readPressed, 'disponible')
}

async function readArabic(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(`${origin}/catalogo/arabe`)
  await waitFor(tab, readDirections, ['rtl', 'rtl', true])
  await waitFor(tab, isWide, false)
  await tapOn(tab, '.card .add')
  await tapOn(tab, 'a.order')
  await waitFor(tab, isSent, true)
  await tab.open(`${origin}/catalogo/arabe/arabe0`)
  await waitFor(tab, readText, 'عطر العود الملكي 100 مل', 'h1')
}

async function goDark(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  for (const path of [THIRTY, '/', '/buscar?q=dior', `${THIRTY}/treinta0`]) {
    await tab.open(origin + path)
    await waitFor(tab, readBrightness, [true, true], 'html')
  }
  await tab.open(origin + THIRTY)
  await tapOn(tab, '[data-available][data-5ml] .add')
  await waitFor(tab, readBrightness, [true, true], '.sheet[open]')
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
  await waitFor(tab, readAddress, '?q=dior')
  await tapOn(tab, '.narrow a:last-child')
  await waitFor(tab, readAddress, '?decants=10ml&q=dior')
  await tapOn(tab, '.found a')
  await waitFor(tab, isProduct, true)
  await waitFor(tab, countShown, 0, '.share, .add')
}

async function returnToSearch(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(origin + THIRTY)
  await tapOn(tab, 'input')
  await tab.type('dior')
  await waitFor(tab, readAddress, '?q=dior')
  const before = await ask(tab, readEngineSeen)
  await tapOn(tab, 'h2 a')
  await waitFor(tab, isProduct, true)
  await tab.back()
  await waitFor(tab, isProduct, false)
  // Waits before the check, because the engine may still change the text in the search box after the page is shown.
  await wait(500)
  await waitFor(tab, readEngineSeen, before)
}

async function typeFast(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(origin + THIRTY)
  await ask(tab, collectErrors)
  await ask(tab, enterFast, KEYS)
  await waitFor(tab, readErrors, '')
  await waitFor(tab, readAddress, `?q=${KEYS - 1}`)
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
  await waitFor(tab, isSorted, true, 2000)
  await tapOn(tab, 'input')
  await tab.type('zzz')
  await waitFor(tab, countCards, 0)
  if (time > MOST_TIME)
    throw new Error(
      `the products were laid out after ${Math.round(time)} ms, but at most ${MOST_TIME} ms are allowed`,
    )
}

/** Removes all scripts except structured data, and activates the style rules for browsers without scripts. */
function removeScripts(html: string): string {
  return html
    .replace(/<script(?![^>]*ld\+json).*?<\/script>/gs, '')
    .replace(/\(scripting: ?none\)/g, 'all')
    .replace(/\(scripting: ?enabled\)/g, 'not all')
}

function losePhotosOf(html: string): string {
  return html.replace(/(?:src|srcset|imagesrcset)="\/(?!sin-foto)[^"]*"/g, 'src="/falta.svg"')
}
