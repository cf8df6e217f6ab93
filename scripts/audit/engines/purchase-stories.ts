/** Stories of a whole purchase: with the keyboard only, as a screen reader user, and with taps. */
import {
  ADD,
  CLOSE,
  formatAdded,
  formatOrderBar,
  formatOrdered,
  SIZE_NAMES,
  ORDER,
  ORDER_BY_WHATSAPP,
  ORDER_LOST,
  SEARCH_CATALOGUE_LABEL,
  SEE_ORDER,
} from '../../../src/domain/messages.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { UnsteadySite } from '../unsteady-site.ts'
import type { Tab } from './engine.ts'
import {
  countEntries,
  countSheets,
  isAnnounced,
  isFocusInSheet,
  isFocusOn,
  isSent,
  readSized,
  readFocus,
  readFragment,
  readText,
} from './page-reads.ts'
import { activate, ask, perceive, tabTo, tapOn, waitFor } from './steps.ts'

const CATALOGUE = '/catalogo/treinta'
const SIZED = '[data-available][data-5ml] .add'

export async function buyByKeyboard(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(origin + CATALOGUE)
  await tabTo(tab, '.skip')
  await tab.press('Enter')
  await tabTo(tab, 'h2 a')
  await tabTo(tab, SIZED)
  await tab.press('Enter')
  await waitFor(tab, isFocusInSheet, true)
  await tabTo(tab, '.choice')
  await tab.press('Enter')
  await waitFor(tab, countSheets, 0)
  await waitFor(tab, isFocusOn, true, SIZED)
  await tabTo(tab, 'a.order')
  await tab.press('Enter')
  await waitFor(tab, isFocusInSheet, true)
  await tabTo(tab, '.send')
  await waitFor(tab, isSent, true)
  await tab.press('Escape')
  await waitFor(tab, countSheets, 0)
  await waitFor(tab, isFocusOn, true, 'a.order')
}

/** Buys as a screen reader user: finds elements by role and name, and expects announcements. */
export async function buyByReader(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(origin + CATALOGUE)
  await perceive(tab, 'heading', String(await ask(tab, readText, 'h1')))
  await perceive(tab, 'searchbox', SEARCH_CATALOGUE_LABEL)
  const [name = '', price = ''] = (await ask(tab, readSized)) as readonly string[]
  await perceive(tab, 'link', name)
  await activate(tab, 'button', `${ADD} ${name}`)
  await perceive(tab, 'dialog', name)
  const size = SIZE_NAMES['5ml']
  // The accessible name differs between engines: some include the plus sign that the styles draw, and spaces vary.
  await activate(tab, 'button', `${size} ${price} +`, `${size} ${price}`, `${size}${price}+`, size + price)
  await waitFor(tab, isAnnounced, true, formatAdded(formatOrdered(name, '5ml')))
  await activate(tab, 'link', `${SEE_ORDER} ${formatOrderBar({ count: 1, total: price })}`)
  await perceive(tab, 'dialog', ORDER)
  await perceive(tab, 'link', ORDER_BY_WHATSAPP)
  await waitFor(tab, isSent, true)
  await activate(tab, 'button', CLOSE)
  await waitFor(tab, countSheets, 0)
}

export async function order(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(origin + CATALOGUE)
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
  await tapOn(tab, '.empty')
  await waitFor(tab, readFocus, 'Deshacer')
  await tapOn(tab, '.nothing-ordered button')
  // The tap hides the focused button. Waits before the check, because the browser removes the focus from a hidden
  // element only in a later frame.
  await wait(500)
  await waitFor(tab, readFocus, 'Tu pedido')
  await waitFor(tab, isSent, true)
  await tab.back()
  await waitFor(tab, countSheets, 0)
}

/** Touches a product without a network, orders it with one, and closes the list twice. */
export async function orderAfterLoss(tab: Tab, site: UnsteadySite): Promise<void> {
  await tab.open(site.origin + CATALOGUE)
  site.connection = { isOff: true }
  await tapOn(tab, SIZED)
  await waitFor(tab, isAnnounced, true, ORDER_LOST)
  site.connection = {}
  await tapOn(tab, SIZED)
  await waitFor(tab, countSheets, 1)
  await tapOn(tab, '.sheet[open] .choice')
  await waitFor(tab, countSheets, 0)
  await openAndClose(tab)
  const entries = await ask(tab, countEntries)
  await openAndClose(tab)
  await waitFor(tab, countEntries, entries)
}

async function openAndClose(tab: Tab): Promise<void> {
  await tapOn(tab, 'a.order')
  await waitFor(tab, countSheets, 1)
  await tapOn(tab, '.sheet[open] .close')
  await waitFor(tab, countSheets, 0)
  await waitFor(tab, readFragment, '')
  await waitFor(tab, isFocusOn, true, 'a.order')
}
