/** A rebuild's world with real state and output folders, a source in memory, and a renderer of plain text. */
import type { PageSwitches } from '../../../src/domain/documents/page-switches.ts'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFileReader } from '../../../src/builder/rebuild/check/file-reader.ts'
import { DEFAULT_MAX_PRODUCTS } from '../../../src/domain/catalogue/product-limit.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import type { Page } from '../../../src/domain/pages/page.ts'
import type { KeptRenderer } from '../../../src/builder/renderer/compile.ts'
import { hashBytes, readManifest } from '../../../src/builder/state/manifest.ts'
import { createOutput } from '../../../src/builder/state/output/output.ts'
import { openRecord } from '../../../src/builder/state/record/open-record.ts'
import { createStorelessPictures } from '../../../src/builder/pictures/pictures.ts'
import type { RebuildOutcome } from '../../../src/builder/rebuild/rebuild.ts'
import { rebuild } from '../../../src/builder/rebuild/rebuild.ts'
import type { RebuildOptions, World } from '../../../src/builder/rebuild/world.ts'
import { openSnapshot } from '../../../src/builder/state/snapshot/open-snapshot.ts'
import { createMemorySource } from './memory-source.ts'
import { createSite } from '../site.ts'

export interface WorldSetup {
  readonly folder: string
  readonly documents: readonly SourceDocument[]
  readonly options?: Partial<RebuildOptions>
  /** Stands for the hash of the code; another value needs another compile. */
  readonly code?: string
  readonly siteName?: string
  readonly siteUrl?: string
  /** Throws to simulate a page that cannot be rendered. */
  readonly render?: (page: Page) => string
  readonly boot?: string
  readonly maxProducts?: number
  /** Products have no pages unless it says so. */
  readonly switches?: Partial<PageSwitches>
  /** Milliseconds since 1970. */
  readonly now?: number
  /** Wraps the world before the rebuild uses it. */
  readonly wrap?: (world: World) => World
}

const PUBLIC = { 'favicon.svg': '<svg/>', 'a/b.txt': 'b' }

/** Runs a rebuild with the state and output of the folder. */
export async function runInWorld(setup: WorldSetup): Promise<RebuildOutcome> {
  const world = createWorld(setup)
  try {
    return await rebuild(setup.wrap?.(world) ?? world)
  } finally {
    world.state.snapshot.close()
    world.state.record.close()
  }
}

export function createWorld({
  folder,
  documents,
  options,
  code = 'one',
  siteName = 'Vitrina',
  siteUrl = 'http://localhost',
  render,
  boot = 'boot 1',
  maxProducts = DEFAULT_MAX_PRODUCTS,
  now = 0,
  switches = {},
}: WorldSetup): World {
  mkdirSync(join(folder, 'state'), { recursive: true })
  const output = createOutput(join(folder, 'dist'), () => {})
  const settings = createSite({
    name: siteName,
    url: siteUrl,
    productPages: false,
    search: false,
    ...switches,
  })
  return {
    options: {
      sellers: [],
      isFull: false,
      isVerify: false,
      isShrinkAllowed: false,
      ...options,
    },
    inputs: {
      settings,
      maxProducts,
      keepsPages: true,
      isSearched: true,
      compiled: code,
      code: { intake: 'intake', pageData: 'page data', rendering: 'rendering' },
      runtime: 'the test',
      publicFiles: Object.fromEntries(Object.entries(PUBLIC).map(([path, text]) => [path, hashBytes(text)])),
      readPublicFile: (path) => Buffer.from(PUBLIC[path as keyof typeof PUBLIC]),
    },
    state: {
      snapshot: openSnapshot(join(folder, 'state/snapshot.sqlite')),
      record: openRecord(join(folder, 'state/record.sqlite')),
      output,
      pictures: createStorelessPictures({}),
    },
    renderers: {
      find: () => compile(folder, code),
      compile: async () => compile(folder, code),
      load: async () => ({
        render: async (page) => [`${code} ${siteName} ${(render ?? renderPlain)(page)}`],
      }),
      startWorkers: () => Promise.resolve(),
      openPool: () => Promise.reject(new Error('there are too few pages for a pool')),
    },
    boot,
    openSource: async () => createMemorySource(documents),
    startFar: null,
    files: createFileReader(output),
    now: () => 0,
    clock: () => now,
    progress: () => {},
  }
}

export function renderPlain(page: Page): string {
  return JSON.stringify(page)
}

/** Creates a renderer with one chunk per code and one shared chunk. */
function compile(folder: string, code: string): KeptRenderer {
  const client = join(folder, 'compiled', code, 'client')
  mkdirSync(join(client, '_astro'), { recursive: true })
  writeFileSync(join(client, '_astro', `app.${code}.js`), `export const code = '${code}'`)
  writeFileSync(join(client, '_astro', 'shared.js'), 'export {}')
  const kinds = {
    home: code,
    catalogue: code,
    product: code,
    'unknown-product': code,
    poster: code,
    'unknown-catalogue': code,
    'not-found': code,
    search: code,
  }
  const assets = readManifest(client, '_astro')
  return { server: '', client, assets, inline: { scripts: [`script-${code}`], styles: [] }, kinds }
}
