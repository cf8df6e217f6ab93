/** Takes screenshots of every screen at several widths, in light and dark colours, in forced colours and zoomed. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { ROOT } from '../../src/builder/files/project-folder.ts'
import { SEARCH_PATH } from '../../src/domain/documents/page-table.ts'
import { formatCataloguePath, formatProductAnchor, formatProductPath } from '../../src/domain/pages/paths.ts'
import { launchBrowser } from './chromium.ts'
import { openTemporarySite } from './temporary-site.ts'
import { repeatSample, writeSellers } from './write-sellers.ts'

/** Leads a visitor to the screen. Addresses are relative to the site's origin. */
type Show = (page: Page) => Promise<unknown>

const FOLDER = join(ROOT, '.vitrina/screenshots')
const SELLERS = [
  { id: 'treinta', products: repeatSample(30) },
  { id: 'vacio', products: [] },
]
const CATALOGUE = formatCataloguePath('treinta')
const EMPTY = formatCataloguePath('vacio')
const PRODUCT = 'treinta9'

const SCREENS: Readonly<Record<string, Show>> = {
  home: open('/'),
  catalogue: open(CATALOGUE),
  scrolled: async (page) => {
    await open(CATALOGUE)(page)
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2))
  },
  filtered: open(`${CATALOGUE}?filtro=no-disponible`),
  'nothing-found': open(`${CATALOGUE}?q=zzz`),
  empty: open(EMPTY),
  'unknown-catalogue': open('/catalogo/nadie'),
  'not-found': open('/no-existe'),
  search: open(SEARCH_PATH),
  found: open(`${SEARCH_PATH}?q=eau`),
  'found-nothing': open(`${SEARCH_PATH}?q=zzzz`),
  arrival: open(`${CATALOGUE}#${formatProductAnchor(PRODUCT)}`),
  gone: open(`${CATALOGUE}#${formatProductAnchor('gone')}`),
  product: open(formatProductPath('treinta', PRODUCT)),
  'unknown-product': open(`${CATALOGUE}/nada`),
  sizes: async (page) => {
    await open(CATALOGUE)(page)
    await page.locator('.card[data-available][data-5ml] .add').first().click()
    await page.locator('dialog[open]').waitFor()
  },
  order,
  'order-changed': openChangedOrder,
  offline: openOffline(CATALOGUE),
  'never-seen': openOffline(EMPTY),
}

const MAIN = ['home', 'found', 'catalogue', 'scrolled']
const SCHEMES = ['light', 'dark'] as const

/** The looks of all screens, then those of the main screens only. A zoomed window has a smaller viewport. */
const LOOKS: readonly (readonly [
  screens: readonly string[],
  Readonly<Record<string, BrowserContextOptions>>,
])[] = [
  [Object.keys(SCREENS), createLooks([360, 740], [1280, 800])],
  [MAIN, createLooks([320, 640], [640, 960], [768, 1024], [1920, 1080])],
  [
    MAIN,
    {
      'forced-light': { ...createLook([360, 740]), forcedColors: 'active', colorScheme: 'light' },
      'forced-dark': { ...createLook([360, 740]), forcedColors: 'active', colorScheme: 'dark' },
      'zoom-200': { ...createLook([640, 400]), deviceScaleFactor: 2 },
      'zoom-400': { ...createLook([320, 200]), deviceScaleFactor: 4 },
    },
  ],
]

export const command: CommandDefinition<object> = {
  parse: () => ({}),
  run: async (_, { print, progress }) => {
    progress.update('Building the pages')
    const site = await openTemporarySite((folder) => writeSellers(folder, SELLERS))
    const browser = await launchBrowser()
    rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER, { recursive: true })
    let taken = 0
    try {
      for (const [screens, looks] of LOOKS)
        for (const [look, options] of Object.entries(looks))
          for (const screen of screens) {
            progress.update(`${screen}-${look}`)
            const context = await browser.newContext({ ...options, baseURL: site.origin })
            const page = await context.newPage()
            await SCREENS[screen]?.(page)
            await page.waitForFunction(arePhotosSettled)
            await page.screenshot({ path: join(FOLDER, `${screen}-${look}.png`) })
            await context.close()
            taken += 1
          }
    } finally {
      await browser.close()
      await site.close()
    }
    progress.done('')
    print(`${taken} pictures named <screen>-<look>.png are in ${FOLDER}`)
    return { exit: EXIT.done }
  },
}

type Size = readonly [width: number, height: number]

function createLooks(...sizes: readonly Size[]): Readonly<Record<string, BrowserContextOptions>> {
  const looks = sizes.flatMap((size) =>
    SCHEMES.map((colorScheme) => [`${size[0]}-${colorScheme}`, { ...createLook(size), colorScheme }]),
  )
  return Object.fromEntries(looks)
}

function createLook([width, height]: Size): BrowserContextOptions {
  return { viewport: { width, height } }
}

function open(path: string): Show {
  return (page) => page.goto(path, { waitUntil: 'networkidle' })
}

/** Adds every available size of a product to the order, and opens the order list. */
async function order(page: Page): Promise<void> {
  await open(formatProductPath('treinta', PRODUCT))(page)
  for (const size of await page.locator('.size input:enabled').all()) {
    await size.check()
    await page.locator('.add').click()
  }
  await page.locator('a.order').click()
  await page.locator('dialog[open]').waitFor()
}

/** Shows an order as if the seller had since changed prices and removed a product in it. */
async function openChangedOrder(page: Page): Promise<void> {
  await order(page)
  await page.evaluate((product) => {
    for (const [key, stored] of Object.entries({ ...localStorage }))
      localStorage[key] = String(stored)
        .replace(`"${product}"`, '"gone"')
        .replaceAll(/,\d+\]/g, ',1]')
  }, PRODUCT)
  await page.reload()
  await page.locator('dialog[open]').waitFor()
}

/** After a visit to the catalogue, switches off the network and shows the service worker's answer for a page. */
function openOffline(path: string): Show {
  return async (page) => {
    await open(CATALOGUE)(page)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await page.context().setOffline(true)
    await page.goto(path)
  }
}

/** Runs in the page. Returns whether every photo in the window has loaded or has failed to load. */
function arePhotosSettled(): boolean {
  return [...document.images].every((photo) => {
    const { top, bottom } = photo.getBoundingClientRect()
    return photo.complete || top >= innerHeight || bottom <= 0
  })
}
