/** Middleware of the development server: reads the source at each request, and passes the data to the page. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MiddlewareHandler } from 'astro'
import { findPage, formatRoutePath } from '../../../domain/documents/page-address.ts'
import type { AnyKind } from '../../../domain/documents/page-table.ts'
import { isOn, listSellerKinds } from '../../../domain/documents/page-table.ts'
import { createAddressFinder } from '../../../domain/pages/find-pictures.ts'
import type { Page } from '../../../domain/pages/page.ts'
import { createUnknownProductPage, SELLER_PAGES } from '../../../domain/pages/page.ts'
import { NO_PICTURES } from '../../../domain/photos/picture.ts'
import { parseSearchFile } from '../../../domain/search/search-file.ts'
import { openSearchFiles, parseAsked } from '../../../domain/search/search-files.ts'
import { fillSearchPage } from '../../../site/markup/search-results.ts'
import { listFiles } from '../../files/file-hashes.ts'
import { ROOT } from '../../files/project-folder.ts'
import { createListPage } from '../../rebuild/list-pages.ts'
import type { SiteState } from '../../state/site-state.ts'
import { openState } from '../../state/site-state.ts'
import type { Configuration } from '../configuration.ts'
import { parseConfiguration } from '../configuration.ts'
import { openConfigured } from '../rebuild/open-configured-source.ts'

interface Development {
  readonly configuration: Configuration
  readonly state: SiteState
}

const FOLDER = join(ROOT, '.vitrina/dev')

/** Opened again after a change of the code, because the server then evaluates this module again. */
let opened: Development | undefined
let reading: Promise<unknown> = Promise.resolve()
/** `null` until this code has read the whole source: other code may have parsed what the state has. */
let cursor: string | null = null

export const onRequest: MiddlewareHandler = async (context, next) => {
  const { configuration, state } = (opened ??= openDevelopment())
  const refresh = (): Promise<void> => readSource({ configuration, state })
  reading = reading.then(refresh, refresh)
  await reading
  const page = readPage({ configuration, state }, context.url)
  Object.assign(context.locals, { site: configuration.site, page })
  if (page.kind === 'search') return showSearch(await next(), { configuration, state }, context.url)
  if (!UNKNOWN.includes(page.kind)) return next()
  const response = await next(formatRoutePath(page.kind))
  return new Response(response.body, { headers: response.headers, status: 404 })
}

/** The pages for unknown addresses. Their status is 404. */
const UNKNOWN: readonly AnyKind[] = ['not-found', 'unknown-catalogue', 'unknown-product']

function openDevelopment(): Development {
  if (existsSync('.env')) process.loadEnvFile('.env')
  mkdirSync(FOLDER, { recursive: true })
  const configuration = parseConfiguration(process.env)
  return { configuration, state: openState(join(FOLDER, 'state.sqlite')) }
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

function readPage(development: Development, { pathname }: URL): Page {
  const { configuration, state } = development
  const key = findPage(`${decodeURIComponent(pathname.slice(1)) || 'index'}.html`)
  if (key === null || !isOn(key.kind, configuration.site)) return createFixed('not-found', development)
  const kind = listSellerKinds().find((one) => one === key.kind)
  if (kind === undefined) return createFixed(key.kind, development)
  const catalogue = state.readCatalogue(key.seller ?? '', configuration.maxProducts)
  if (catalogue === null) return createFixed('unknown-catalogue', development)
  const parts = { catalogue, pictures: NO_PICTURES, previews: {} }
  return SELLER_PAGES[kind](parts, key.product ?? '') ?? createUnknownProductPage(parts)
}

/** Creates a page that belongs to no seller, or the one search file of all sellers. */
function createFixed(kind: AnyKind, { configuration, state }: Development): Page {
  const key = { kind, seller: null, product: null, bucket: '00' }
  const tools = {
    ...configuration,
    reads: state,
    pictures: createAddressFinder(() => null),
    publicFiles: new Set(listFiles(join(ROOT, 'public'), '.')),
  }
  const page = createListPage(key, { searchFiles: 1, buckets: [], omitted: new Set() }, tools)
  if (page === null) throw new Error(`${kind} is no page of a site`)
  return page
}

/** Searches all products of the state, as the Worker searches the files of the site. */
async function showSearch(shell: Response, development: Development, url: URL): Promise<Response> {
  const asked = parseAsked(url.search)
  const page = createFixed('search-file', development)
  if (asked.query === '' || page.kind !== 'search-file') return shell
  const answer = openSearchFiles([parseSearchFile(page.text)])(asked)
  return new Response(fillSearchPage(await shell.text(), asked, answer), { headers: shell.headers })
}
