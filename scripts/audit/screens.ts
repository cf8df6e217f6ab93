/** Every screen that is photographed, with the steps that lead a visitor to it. */
import type { Page } from 'playwright-core'
import { SEARCH_PATH } from '../../src/domain/documents/page-table.ts'
import { formatCataloguePath, formatProductAnchor, formatProductPath } from '../../src/domain/pages/paths.ts'
import { EMPTY, THIRTY } from './sample-catalogues.ts'

export interface Screen {
  /** First part of the file names of the screen's screenshots. */
  readonly name: string
  readonly show: (page: Page, origin: string) => Promise<unknown>
}

const CATALOGUE = formatCataloguePath(THIRTY.seller)
const PRODUCT = THIRTY.products.at(9)?.id ?? ''
const PAGE = formatProductPath(THIRTY.seller, PRODUCT)

export const SCREENS: readonly Screen[] = [
  { name: 'home', show: open('/') },
  { name: 'catalogue', show: open(CATALOGUE) },
  { name: 'scrolled', show: scroll },
  { name: 'filtered', show: open(`${CATALOGUE}?filtro=no-disponible`) },
  { name: 'search', show: open(`${CATALOGUE}?q=eau`) },
  { name: 'nothing-found', show: open(`${CATALOGUE}?q=zzz`) },
  { name: 'empty', show: open(formatCataloguePath(EMPTY.seller)) },
  { name: 'unknown-catalogue', show: open('/catalogo/nadie') },
  { name: 'not-found', show: open('/no-existe') },
  { name: 'search-everywhere', show: open(SEARCH_PATH) },
  { name: 'found', show: open(`${SEARCH_PATH}?q=eau`) },
  { name: 'found-seller', show: open(`${SEARCH_PATH}?q=rosa`) },
  { name: 'found-nothing', show: open(`${SEARCH_PATH}?q=zzzz`) },
  { name: 'arrival', show: open(`${CATALOGUE}#${formatProductAnchor(PRODUCT)}`) },
  { name: 'copied', show: copyLink },
  { name: 'gone', show: followLostProduct },
  { name: 'product', show: open(PAGE) },
  { name: 'unknown-product', show: open(`${CATALOGUE}/nada`) },
  { name: 'sizes', show: askSize },
  { name: 'order', show: order },
  { name: 'order-changed', show: openChangedOrder },
  { name: 'offline', show: openOffline(CATALOGUE) },
  { name: 'never-seen', show: openOffline(formatCataloguePath(EMPTY.seller)) },
]

function open(path: string): Screen['show'] {
  return (page, origin) => page.goto(origin + path, { waitUntil: 'networkidle' })
}

async function copyLink(page: Page, origin: string): Promise<void> {
  await open(CATALOGUE)(page, origin)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
  await page.locator('.share').first().click()
  await page.locator('output:not(:empty)').waitFor()
}

/**
 * Clicks the add button of the first product that is available both as a bottle and as a decant of 5 ml. The click
 * opens the dialog that offers the sizes.
 */
async function askSize(page: Page, origin: string): Promise<void> {
  await open(CATALOGUE)(page, origin)
  await page.locator('.card[data-available][data-5ml] .add').first().click()
  await page.locator('dialog[open]').waitFor()
}

/** Adds every available size of a product to the order, and opens the order list. */
async function order(page: Page, origin: string): Promise<void> {
  await open(PAGE)(page, origin)
  for (const size of await page.locator('.size input:enabled').all()) {
    await size.check()
    await page.locator('.add').click()
  }
  await page.locator('a.order').click()
  await page.locator('dialog[open]').waitFor()
}

/** Shows an order as if the seller had since changed prices and removed a product in it. */
async function openChangedOrder(page: Page, origin: string): Promise<void> {
  await order(page, origin)
  await page.evaluate((product) => {
    for (const [key, stored] of Object.entries({ ...localStorage }))
      localStorage[key] = String(stored)
        .replace(`"${product}"`, '"gone"')
        .replaceAll(/,\d+\]/g, ',1]')
  }, PRODUCT)
  await page.reload()
  await page.locator('dialog[open]').waitFor()
}

async function scroll(page: Page, origin: string): Promise<void> {
  await open(CATALOGUE)(page, origin)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2))
}

async function followLostProduct(page: Page, origin: string): Promise<void> {
  await open(`${CATALOGUE}#${formatProductAnchor('gone')}`)(page, origin)
  await page.locator('output:not(:empty)').waitFor()
}

/** After a visit to the catalogue, switches off the network and shows the service worker's answer for a page. */
function openOffline(path: string): Screen['show'] {
  return async (page, origin) => {
    await open(CATALOGUE)(page, origin)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await page.context().setOffline(true)
    await page.goto(origin + path)
  }
}
