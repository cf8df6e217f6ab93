/** A rebuild's world with real state and output folders, a source in memory, and a renderer of plain text. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createStorelessPictures } from '../../../src/builder/pictures/pictures.ts'
import type { RebuildOutcome } from '../../../src/builder/rebuild/rebuild.ts'
import { rebuild } from '../../../src/builder/rebuild/rebuild.ts'
import type { PageInputs, RebuildOptions, World } from '../../../src/builder/rebuild/world.ts'
import type { KeptRenderer } from '../../../src/builder/renderer/renderer-store.ts'
import { hashBytes, readManifest } from '../../../src/builder/files/file-hashes.ts'
import { createOutput } from '../../../src/builder/state/output.ts'
import { openState } from '../../../src/builder/state/site-state.ts'
import { DEFAULT_MAX_PRODUCTS } from '../../../src/domain/catalogue/product-limit.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import type { PageSwitches } from '../../../src/domain/documents/page-switches.ts'
import type { Page } from '../../../src/domain/pages/page.ts'
import { createSite } from '../site.ts'
import { chooseSellers } from '../../../src/builder/sources/find-seller.ts'
import type { Source, SourceItem } from '../../../src/builder/sources/source.ts'

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
  readonly maxProducts?: number
  /** Products have no pages unless it says so. */
  readonly switches?: Partial<PageSwitches>
  /** Milliseconds since 1970. */
  readonly now?: number
  /** Wraps the world before the rebuild uses it. */
  readonly wrap?: (world: World) => World
}

const NO_OPTIONS: RebuildOptions = {
  sellers: [],
  isClaimed: false,
  isFull: false,
  isShrinkAllowed: false,
  isExplained: false,
  publishing: null,
}

const PUBLIC: Readonly<Record<string, string>> = { 'favicon.svg': '<svg/>', 'a/b.txt': 'b' }

/** Runs a rebuild with the state and output of the folder. */
export async function runInWorld(setup: WorldSetup): Promise<RebuildOutcome> {
  const world = createWorld(setup)
  try {
    return await rebuild(setup.wrap?.(world) ?? world)
  } finally {
    world.state.close()
  }
}

export function createWorld(setup: WorldSetup): World {
  const {
    folder,
    documents,
    options,
    code = 'one',
    siteName = 'Vitrina',
    render = renderPlain,
    now = 0,
  } = setup
  mkdirSync(join(folder, 'state'), { recursive: true })
  const kept = compileText(join(folder, 'compiled'), code)
  return {
    options: { ...NO_OPTIONS, ...options },
    state: openState(join(folder, 'state/state.sqlite')),
    output: createOutput(join(folder, 'dist')),
    pictures: createStorelessPictures(),
    renderers: {
      find: () => kept,
      compile: async () => kept,
      load: async () => ({ render: async (page) => [`${code} ${siteName} ${render(page)}`] }),
      listKeptAssets: () => new Set(Object.keys(kept.assets)),
    },
    readInputs: () => createInputs(setup),
    openSource: async () => createMemorySource(documents),
    startWriters: null,
    clock: () => now,
    progress: () => {},
  }
}

function createInputs({
  code = 'one',
  siteName: name = 'Vitrina',
  siteUrl: url = 'http://localhost',
  maxProducts = DEFAULT_MAX_PRODUCTS,
  switches = {},
}: WorldSetup): PageInputs {
  const site = createSite({ name, url, productPages: false, search: false, ...switches })
  return {
    basis: { files: { code: hashBytes(code) }, settings: { ...site, maxProducts }, runtime: 'the test' },
    code,
    site,
    maxProducts,
    keepsPages: true,
    isSearched: true,
    publicFiles: hashTexts(PUBLIC),
    readPublicFile: (path) => Buffer.from(PUBLIC[path] ?? ''),
  }
}

export function hashTexts(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, hashBytes(text)]))
}

export function renderPlain(page: Page): string {
  return JSON.stringify(page)
}

/** Creates a renderer with one script of its own, and one that all share. */
export function compileText(folder: string, code: string): KeptRenderer {
  const client = join(folder, code, 'client')
  mkdirSync(join(client, '_astro'), { recursive: true })
  writeFileSync(join(client, '_astro', `app.${code}.js`), `export const code = '${code}'`)
  writeFileSync(join(client, '_astro', 'shared.js'), 'export {}')
  const assets = readManifest(client, '_astro')
  return { server: '', client, assets, inline: { scripts: [`'sha256-${code}'`], styles: [] } }
}

/** Opens a source with its documents in memory and without a log of changes. */
function createMemorySource(documents: readonly SourceDocument[]): Source {
  async function* readItems(): AsyncGenerator<SourceItem> {
    for (const document of documents) yield { kind: 'document', document }
  }
  return {
    label: 'the memory',
    readAll: () => ({ sellers: null, cursor: null, items: readItems() }),
    readSellers: (sellers) => ({
      sellers: [...new Set(sellers)],
      cursor: null,
      items: chooseSellers(readItems(), sellers),
    }),
    readChanges: () => null,
    close: () => {},
  }
}
