/**
 * The builder as stories see it: a site's folder, a source, pictures, code and settings. Only this file knows how the
 * program does it. Pages are plain text that names everything that shapes them.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RebuildOutcome } from '../../../src/builder/rebuild/rebuild.ts'
import type { PageInputs, Renderers, World } from '../../../src/builder/rebuild/world.ts'
import type { KeptRenderer } from '../../../src/builder/renderer/renderer-store.ts'
import { openEmbedded } from '../../../src/builder/sources/embedded/embedded.ts'
import { openFolder } from '../../../src/builder/sources/folder/folder.ts'
import type { Source, SourceItem, SourceRead } from '../../../src/builder/sources/source.ts'
import { createOutput } from '../../../src/builder/state/output.ts'
import { syncTree } from '../../../src/builder/files/sync-files.ts'
import { UsageError } from '../../../src/builder/files/usage-error.ts'
import type { ScreenPage } from '../../../src/domain/pages/page.ts'
import { MARKER, parseMarker } from '../../../src/domain/wire/site-marker.ts'
import { compileText, hashTexts, runInWorld } from '../../support/rebuild/world.ts'
import type { PictureStore } from './pictures.ts'
import { openPictures } from './pictures.ts'
import type { SourceFile } from './source-file.ts'
import type { Failing, Part, RunOptions, Settings } from './stories.ts'
import { SETTINGS } from './stories.ts'

export const FIRST_SETTINGS = Object.fromEntries(SETTINGS.map((name) => [name, 0])) as Settings

/** What a site is made from. It may change while a run works. */
export interface BuildInputs {
  readonly source: SourceFile
  readonly code: number
  readonly settings: Settings
  readonly pictures: PictureStore
}

export interface BuildFaults {
  readonly failing?: readonly Failing[]
  /** Called while the code is compiled. */
  readonly whileCompiling?: () => void
}

export interface BuildResult {
  readonly kind: 'ended'
  /** The sellers of the rendered pages; empty for pages of no seller. */
  readonly rendered: readonly string[]
  /** Sellers whose pages are old; empty for pages of no seller. */
  readonly failed: readonly string[]
  /** Why everything was due; `null` if it was not. */
  readonly everything: string | null
  /** Files that differ from an explained run. */
  readonly differing: readonly string[]
}

/** The folder is not known to belong to the site. */
export interface Refusal {
  readonly kind: 'refused'
}

const PUBLIC_FILES: readonly Readonly<Record<string, string>>[] = [
  { 'favicon.svg': '<svg/>', 'a/b.txt': 'b' },
  { 'favicon.svg': '<svg x=""/>', 'a/b.txt': 'c', 'muestra/a.svg': 'a' },
]

/** Builds the site in `folder`, and lets every shrink pass. Passes errors of the disk on. `now` is in milliseconds. */
export async function build(
  folder: string,
  inputs: BuildInputs,
  { now = 0, ...options }: Partial<RunOptions & { readonly now: number }> = {},
  { failing = [], whileCompiling = () => {} }: BuildFaults = {},
): Promise<BuildResult | Refusal> {
  const rendered: string[] = []
  const render = (page: ScreenPage, about: string): string => {
    const seller = findSeller(page)
    rendered.push(seller)
    if (failing.some((one) => one.seller === seller && (one.page === null || one.page === page.kind)))
      throw new Error('the page fails')
    return `${about} ${JSON.stringify(page)}`
  }
  try {
    const outcome = await runInWorld({
      folder,
      documents: [],
      options: { isShrinkAllowed: true, ...options },
      now,
      wrap: (world) => changeWorld(world, { folder, inputs, render, whileCompiling }),
    })
    return { ...pickFacts(outcome), rendered }
  } catch (error) {
    if (error instanceof UsageError) return { kind: 'refused' }
    throw error
  }
}

function pickFacts({ failed, everything, differing }: RebuildOutcome): Omit<BuildResult, 'rendered'> {
  const sellers = failed.map(({ seller }) => seller)
  return { kind: 'ended', failed: sellers, everything, differing: [...differing.keys()] }
}

/** Whether a file may differ from that of a clean build: the builder's own, and what older pages still use. */
export function mayDiffer(path: string, isInCleanSite: boolean): boolean {
  return isOwn(path) || (!isInCleanSite && /^(?:_astro|fotos)\//.test(path))
}

/** Whether a file tells about the run, and is not part of the site. */
export function isOwn(path: string): boolean {
  return path === MARKER || path.startsWith('.partial/')
}

/** Returns whether the site says that its run has ended. */
export function isClosed(site: Readonly<Record<string, string>>): boolean {
  return parseMarker(site[MARKER] ?? '')?.state === 'closed'
}

export function readMarker(site: Readonly<Record<string, string>>): string | null {
  return site[MARKER] ?? null
}

/** Returns the seller in whose place a file lies; `null` for other files. */
export function findOwner(path: string): string | null {
  const name = /^catalogo\/([^/]+)/.exec(path)?.[1]?.replace(/\.html$/, '')
  return name === undefined || name === '404' ? null : decodeURIComponent(name)
}

/** Returns what a page or list needs in the site, and the site lacks. */
export function listMissing(path: string, site: Readonly<Record<string, string>>): readonly string[] {
  const text = site[path] ?? ''
  const code = /^code (\d+)/.exec(text)?.[1]
  const pictures = text.match(/fotos\/\w+\.avif/g) ?? []
  const listed = [...text.matchAll(/<loc>[^<]*\/catalogo\/([^<]+)<\/loc>/g)].map(
    ([, name]) => `catalogo/${name}`,
  )
  const files = [...pictures, ...listed.map((name) => `${decodeURIComponent(name)}.html`)]
  const missing = [...files, ...(code === undefined ? [] : [`_astro/app.${code}.js`])].filter(
    (one) => !(one in site),
  )
  const isPermitted = code === undefined || site['_headers']?.includes(`'sha256-${code}'`) === true
  return isPermitted ? missing : [...missing, `the inline code of ${code} in _headers`]
}

/** Returns the paths of a part of the site in `folder` that is made of files. */
export function listParts(
  folder: string,
  source: SourceFile,
  part: Exclude<Part, 'pictures'>,
): readonly string[] {
  if (part === 'dist') return [join(folder, 'dist')]
  if (part === 'renderers') return [`${folder}-compiled`]
  const file = part === 'source' ? source.path : join(folder, 'state/state.sqlite')
  return [file, `${file}-wal`, `${file}-shm`]
}

interface StoryWorld {
  readonly folder: string
  readonly inputs: BuildInputs
  readonly render: (page: ScreenPage, about: string) => string
  readonly whileCompiling: () => void
}

/** Gives the world of the test support this story's source, pictures, code and settings. */
function changeWorld(world: World, story: StoryWorld): World {
  const { folder, inputs } = story
  let page: PageInputs | null = null
  return {
    ...world,
    output: createOutput(join(folder, 'dist'), { force: syncTree }),
    pictures: openPictures(inputs.pictures),
    readInputs: () => (page = readInputs(world.readInputs(), inputs)),
    renderers: createRenderers(story, () => page),
    // The program reads documents with the code that it was started with.
    openSource: async () => renameProducts(openSource(inputs.source), ' new'.repeat(Number(page?.code) % 2)),
  }
}

function readInputs(inputs: PageInputs, now: BuildInputs): PageInputs {
  const { code, settings } = now
  const files = PUBLIC_FILES[settings.publicFiles] ?? {}
  const site = {
    ...inputs.site,
    name: `Site ${settings.name}`,
    url: `https://site${settings.url}.example`,
    accessUrl: settings.accessUrl === 0 ? null : 'https://access.example/',
    productPages: settings.productPages === 0,
    feeds: settings.feeds === 0,
    posters: settings.posters === 0,
    search: settings.search === 0,
  }
  const maxProducts = settings.maxProducts === 0 ? 1000 : 2
  return {
    ...inputs,
    basis: {
      files: { ...hashTexts(files), code: `${code}` },
      settings: { ...site, maxProducts },
      runtime: `Node ${settings.runtime}`,
    },
    code: String(code),
    site,
    maxProducts,
    publicFiles: hashTexts(files),
    // As it is when it is read.
    readPublicFile: (path) => Buffer.from(PUBLIC_FILES[now.settings.publicFiles]?.[path] ?? ''),
  }
}

function createRenderers(
  { folder, inputs, render, whileCompiling }: StoryWorld,
  read: () => PageInputs | null,
): Renderers {
  const store = `${folder}-compiled`
  const open = (code: string): KeptRenderer => ({ ...compileText(store, code), server: code })
  return {
    find: (code) => (existsSync(join(store, code)) ? open(code) : null),
    compile: async (code) => {
      whileCompiling()
      if (String(inputs.code) !== code) throw new ChangedError('The code changed during the compile.')
      return open(code)
    },
    load: async ({ server }) => {
      const { site, basis } = read() ?? { site: null, basis: { runtime: '' } }
      return {
        render: async (page) => [render(page, `code ${server} ${basis.runtime} ${JSON.stringify(site)}`)],
      }
    },
    listKeptAssets: () => new Set(),
  }
}

/** Ends a run whose code changes. */
export class ChangedError extends Error {
  override readonly name = 'ChangedError'
}

function openSource({ kind, path }: SourceFile): Source {
  return kind === 'embedded' ? openEmbedded(path) : openFolder(path)
}

/** Stands for other code that reads documents. */
function renameProducts(source: Source, added: string): Source {
  async function* renameItems(items: SourceRead['items']): AsyncIterable<SourceItem> {
    for await (const item of items) {
      if (item.kind !== 'document') yield item
      else yield { ...item, document: { ...item.document, data: renameProduct(item.document.data, added) } }
    }
  }
  const rename = (read: SourceRead): SourceRead => ({ ...read, items: renameItems(read.items) })
  return {
    ...source,
    readAll: async () => rename(await source.readAll()),
    readSellers: async (sellers) => rename(await source.readSellers(sellers)),
    readChanges: async (cursor, named) => {
      const read = await source.readChanges(cursor, named)
      return read && rename(read)
    },
  }
}

function renameProduct(data: unknown, added: string): unknown {
  const { name, ...others } = data as Readonly<Record<string, unknown>>
  return { ...others, name: typeof name === 'string' ? name + added : name }
}

/** Returns an empty text for a page of no seller. */
function findSeller(page: ScreenPage): string {
  if ('catalogue' in page) return page.catalogue.seller
  if (!('seller' in page)) return ''
  return typeof page.seller === 'string' ? page.seller : page.seller.id
}
