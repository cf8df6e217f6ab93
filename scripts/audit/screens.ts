/** Every screen that is photographed, and the steps that lead a visitor to it. */
import type { Page } from 'playwright-core'
import { formatCataloguePath, formatProductAnchor } from '../../src/domain/pages/paths.ts'
import { EMPTY, THIRTY } from './sample-catalogues.ts'

export interface Screen {
  /** The first part of its file names. */
  readonly name: string
  readonly show: (page: Page, origin: string) => Promise<unknown>
}

const CATALOGUE = formatCataloguePath(THIRTY.seller)
const PRODUCT = formatProductAnchor(THIRTY.products.at(9)?.id ?? '')

export const SCREENS: readonly Screen[] = [
  { name: 'home', show: open('/') },
  { name: 'catalogue', show: open(CATALOGUE) },
  { name: 'filtered', show: open(`${CATALOGUE}?filtro=no-disponible`) },
  { name: 'search', show: open(`${CATALOGUE}?q=eau`) },
  { name: 'nothing-found', show: open(`${CATALOGUE}?q=zzz`) },
  { name: 'empty', show: open(formatCataloguePath(EMPTY.seller)) },
  { name: 'unknown-catalogue', show: open('/catalogo/nadie') },
  { name: 'not-found', show: open('/no-existe') },
  { name: 'arrival', show: open(`${CATALOGUE}#${PRODUCT}`) },
  { name: 'copied', show: copyLink },
  { name: 'offline', show: showKept },
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

/** Shows the catalogue from the service worker's cache, with the network switched off. */
async function showKept(page: Page, origin: string): Promise<void> {
  await open(CATALOGUE)(page, origin)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.context().setOffline(true)
  await page.goto(origin + CATALOGUE)
}
