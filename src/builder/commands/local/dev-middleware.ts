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
import type { Site } from '../../../domain/pages/site.ts'
import { addDecants, keepOffered, parseAsked } from '../../../domain/search/asked-search.ts'
import { fillSearchPage } from '../../../domain/search/format-results.ts'
import { createSearchEntry } from '../../../domain/search/search-entry.ts'
import { formatSearchFile } from '../../../domain/search/format-search-file.ts'
import { parseSearchFile } from '../../../domain/search/search-file.ts'
import { openSearchFiles } from '../../../domain/search/search-files.ts'
import type { Configuration } from '../configuration.ts'
import { parseConfiguration } from '../configuration.ts'
import { readSource } from '../../rebuild/read/read-source.ts'
import { openSnapshot } from '../../state/snapshot/open-snapshot.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import { openConfigured } from '../rebuild/open-configured-source.ts'
import { hashManifest, readManifest } from '../../state/manifest.ts'
import { ROOT } from '../../state/project-folder.ts'
import { NO_PICTURES } from '../../../domain/photos/picture.ts'

interface Development {
  readonly configuration: Configuration
  readonly snapshot: Snapshot
  /** Hash of the code: entries that other code parsed are read again. */
  readonly intake: string
}

const FOLDER = join(ROOT, '.vitrina/dev')

let development: Promise<Development> | undefined
let reading: Promise<unknown> = Promise.resolve()

export const onRequest: MiddlewareHandler = async (context, next) => {
  const { configuration, snapshot, intake } = await (development ??= openDevelopment().catch(forgetFailed))
  const refresh = (): Promise<void> => readEverything({ configuration, snapshot, intake })
  reading = reading.then(refresh, refresh)
  await reading
  const page = readPage(snapshot, configuration.site, context.url)
  Object.assign(context.locals, { site: configuration.site, page })
  if (page.kind === 'search') return showSearch(await next(), { configuration, snapshot }, context.url)
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
  const intake = hashManifest(readManifest(ROOT, 'src'))
  return { configuration, intake, snapshot: openSnapshot(join(FOLDER, 'snapshot.sqlite')) }
}

/** Lets the next request try again, because the cause may be corrected in a file whose change loads no code again. */
function forgetFailed(error: unknown): never {
  development = undefined
  throw error
}

async function readEverything({ configuration, snapshot, intake }: Development): Promise<void> {
  const opened = await openConfigured(configuration, '.')
  try {
    await readSource(opened, snapshot, {
      sellers: [],
      isFull: false,
      intake,
      accept: () => {},
      progress: () => {},
    })
  } finally {
    await opened.close()
  }
}

function readPage(data: Snapshot, site: Site, { pathname: path }: URL): Page {
  if (path === '/') {
    return { kind: 'home', stores: HOME_STORES.filter((store) => data.hasSeller(store)), social: null }
  }
  if (path === SEARCH_PATH && site.search) return { kind: 'search' }
  if (path === UNKNOWN['unknown-catalogue']) return createUnknownCataloguePage()
  const [seller, product] = (/^\/catalogo\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? []).slice(1)
  if (seller === undefined) return { kind: 'not-found' }
  const catalogue = data.readCatalogue(decodeURIComponent(seller))
  if (catalogue === null) return createUnknownCataloguePage()
  return product === undefined
    ? { kind: 'catalogue', catalogue, pictures: NO_PICTURES }
    : showProduct(catalogue, decodeURIComponent(product))
}

/** Searches all products of the snapshot, as the Worker searches the files of the site. */
async function showSearch(
  shell: Response,
  { configuration, snapshot }: Pick<Development, 'configuration' | 'snapshot'>,
  { searchParams }: URL,
): Promise<Response> {
  const asked = parseAsked(searchParams)
  if (asked.query === '') return shell
  const entries = Array.from(snapshot.readSellers(), (seller) => snapshot.readCatalogue(seller))
    .filter((catalogue) => catalogue !== null)
    .flatMap((catalogue) => createSearchEntry(catalogue, NO_PICTURES) ?? [])
  const file = parseSearchFile(formatSearchFile(entries, { files: 1, switches: configuration.site }))
  const answer = keepOffered(openSearchFiles([file])(addDecants(asked)), asked.decants)
  return new Response(fillSearchPage(await shell.text(), asked, answer), { headers: shell.headers })
}

function showProduct(catalogue: Catalogue, product: string): Page {
  const parts = { catalogue, pictures: NO_PICTURES, previews: {} }
  return createProductPage(parts, product) ?? createUnknownProductPage(parts)
}
