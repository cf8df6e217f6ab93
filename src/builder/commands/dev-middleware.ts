/** Middleware of the development server: reads the source at each request, and passes the data to the page. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MiddlewareHandler } from 'astro'
import { HOME_STORES } from '../../domain/pages/home.ts'
import type { Page } from '../../domain/pages/page.ts'
import { createUnknownCataloguePage } from '../../domain/pages/page.ts'
import type { Configuration } from './configuration.ts'
import { parseConfiguration } from './configuration.ts'
import { readSource } from '../rebuild/read-source.ts'
import { openSnapshot } from '../state/snapshot/open-snapshot.ts'
import type { Snapshot } from '../state/snapshot/snapshot.ts'
import { openConfigured } from './rebuild/open-configured-source.ts'
import { ROOT } from '../state/project-folder.ts'
import { NO_PICTURES } from '../../domain/photos/picture.ts'

interface Development {
  readonly configuration: Configuration
  readonly snapshot: Snapshot
}

const FOLDER = join(ROOT, '.vitrina/dev')

let development: Development | undefined
let reading: Promise<unknown> = Promise.resolve()

export const onRequest: MiddlewareHandler = async (context, next) => {
  const { configuration, snapshot } = (development ??= openDevelopment())
  const refresh = (): Promise<void> => readEverything({ configuration, snapshot })
  reading = reading.then(refresh, refresh)
  await reading
  const page = readPage(snapshot, context.url.pathname)
  Object.assign(context.locals, { site: configuration.site, page })
  if (page.kind !== 'unknown-catalogue') return next()
  const response = await next('/catalogo/404')
  return new Response(response.body, { headers: response.headers, status: 404 })
}

function openDevelopment(): Development {
  if (existsSync('.env')) process.loadEnvFile('.env')
  mkdirSync(FOLDER, { recursive: true })
  return {
    configuration: parseConfiguration(process.env),
    snapshot: openSnapshot(join(FOLDER, 'snapshot.sqlite')),
  }
}

async function readEverything({ configuration, snapshot }: Development): Promise<void> {
  const opened = await openConfigured(configuration, '.')
  try {
    await readSource(opened, snapshot, {
      sellers: [],
      isFull: false,
      intake: '',
      accept: () => {},
      progress: () => {},
    })
  } finally {
    opened.close()
  }
}

function readPage(data: Snapshot, path: string): Page {
  if (path === '/') {
    return { kind: 'home', stores: HOME_STORES.filter((store) => data.hasSeller(store)), social: null }
  }
  if (path === '/catalogo/404') return createUnknownCataloguePage()
  const seller = /^\/catalogo\/([^/]+)$/.exec(path)?.[1]
  if (seller === undefined) return { kind: 'not-found' }
  const catalogue = data.readCatalogue(decodeURIComponent(seller))
  return catalogue === null
    ? createUnknownCataloguePage()
    : { kind: 'catalogue', catalogue, pictures: NO_PICTURES }
}
