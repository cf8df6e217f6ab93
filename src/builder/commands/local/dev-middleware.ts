/** Middleware of the development server: reads the source at each request, and passes the data to the page. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MiddlewareHandler } from 'astro'
import { HOME_STORES } from '../../../domain/pages/home.ts'
import type { Catalogue } from '../../../domain/catalogue/catalogue.ts'
import type { Page } from '../../../domain/pages/page.ts'
import {
  createProductPage,
  createUnknownCataloguePage,
  createUnknownProductPage,
} from '../../../domain/pages/page.ts'
import { SEARCH_PATH } from '../../../domain/documents/page-table.ts'
import { formatRoutePath } from '../../../domain/documents/page-address.ts'
import { fillSearchPage } from '../../../domain/search/format-results.ts'
import { formatSearchFile } from '../../../domain/search/format-search-file.ts'
import { parseSearchFile } from '../../../domain/search/search-file.ts'
import { openSearchFiles, parseAsked } from '../../../domain/search/search-files.ts'
import type { Configuration } from '../configuration.ts'
import { parseConfiguration } from '../configuration.ts'
import type { SiteState } from '../../state/site-state.ts'
import { openState } from '../../state/site-state.ts'
import { openConfigured } from '../rebuild/open-configured-source.ts'
import { ROOT } from '../../files/project-folder.ts'
import { NO_PICTURES } from '../../../domain/photos/picture.ts'

interface Development {
  readonly configuration: Configuration
  readonly state: SiteState
}

const FOLDER = join(ROOT, '.vitrina/dev')

let development: Promise<Development> | undefined
let reading: Promise<unknown> = Promise.resolve()
/** `null` until this code has read the whole source: other code may have parsed what the state has. */
let cursor: string | null = null

export const onRequest: MiddlewareHandler = async (context, next) => {
  const { configuration, state } = await (development ??= openDevelopment().catch(forgetFailed))
  const refresh = (): Promise<void> => readSource({ configuration, state })
  reading = reading.then(refresh, refresh)
  await reading
  const page = readPage({ configuration, state }, context.url)
  Object.assign(context.locals, { site: configuration.site, page })
  if (page.kind === 'search') return showSearch(await next(), { configuration, state }, context.url)
  const unknown = UNKNOWN[page.kind]
  if (unknown === undefined) return next()
  const response = await next(unknown)
  return new Response(response.body, { headers: response.headers, status: 404 })
}

/** Paths of the pages for unknown addresses. Their status is 404. */
const UNKNOWN: Partial<Readonly<Record<Page['kind'], string>>> = {
  'not-found': formatRoutePath('not-found'),
  'unknown-catalogue': formatRoutePath('unknown-catalogue'),
  'unknown-product': formatRoutePath('unknown-product'),
}

/** Called again after a change of the code, because the server then evaluates this module again. */
async function openDevelopment(): Promise<Development> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  mkdirSync(FOLDER, { recursive: true })
  const configuration = parseConfiguration(process.env)
  return { configuration, state: openState(join(FOLDER, 'state.sqlite')) }
}

/** Lets the next request try again, because the cause may be corrected in a file whose change loads no code again. */
function forgetFailed(error: unknown): never {
  development = undefined
  throw error
}

async function readSource({ configuration, state }: Development): Promise<void> {
  const source = await openConfigured(configuration)
  state.begin()
  try {
    const changes = cursor === null ? null : await source.readChanges(cursor, [])
    const read = changes ?? (await source.readAll())
    await state.applyRead(read, { isExplained: false, progress: () => {} })
    state.commit()
    cursor = read.cursor
  } finally {
    state.rollBack()
    await source.close()
  }
}

function readPage({ configuration, state }: Development, { pathname: path }: URL): Page {
  const { site, maxProducts } = configuration
  if (path === '/') {
    return { kind: 'home', stores: HOME_STORES.filter((store) => state.hasSeller(store)), social: null }
  }
  if (path === SEARCH_PATH && site.search) return { kind: 'search' }
  if (path === UNKNOWN['unknown-catalogue']) return createUnknownCataloguePage()
  const [seller, product] = (/^\/catalogo\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? []).slice(1)
  if (seller === undefined) return { kind: 'not-found' }
  const catalogue = state.readCatalogue(decodeURIComponent(seller), maxProducts)
  if (catalogue === null) return createUnknownCataloguePage()
  return product === undefined
    ? { kind: 'catalogue', catalogue, pictures: NO_PICTURES }
    : showProduct(catalogue, decodeURIComponent(product))
}

/** Searches all products of the state, as the Worker searches the files of the site. */
async function showSearch(
  shell: Response,
  { configuration, state }: Development,
  { searchParams }: URL,
): Promise<Response> {
  const asked = parseAsked(searchParams)
  if (asked.query === '') return shell
  const entries = Array.from(state.readSellers(), (seller) =>
    state.readCatalogue(seller, configuration.maxProducts),
  )
    .filter((catalogue) => catalogue !== null)
    .map((catalogue) => ({ ...catalogue, ...NO_PICTURES }))
  const file = parseSearchFile(formatSearchFile(entries, { files: 1, switches: configuration.site }))
  const answer = openSearchFiles([file])(asked)
  return new Response(fillSearchPage(await shell.text(), asked, answer), { headers: shell.headers })
}

function showProduct(catalogue: Catalogue, product: string): Page {
  const parts = { catalogue, pictures: NO_PICTURES, previews: {} }
  return createProductPage(parts, product) ?? createUnknownProductPage(parts)
}
