/**
 * The builder as stories see it: a site's folder, a source, code and settings. Only this file knows how the program
 * does it. Pages are plain text that names everything that shapes them.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ScreenPage } from '../../../src/domain/pages/page.ts'
import type { Picture } from '../../../src/domain/photos/picture.ts'
import type { Pictures } from '../../../src/builder/pictures/pictures.ts'
import { createStorelessPictures } from '../../../src/builder/pictures/pictures.ts'
import { createFileReader } from '../../../src/builder/rebuild/check/file-reader.ts'
import type { World } from '../../../src/builder/rebuild/world.ts'
import type { KeptRenderer } from '../../../src/builder/renderer/compile.ts'
import { createEmbedded } from '../../../src/builder/sources/embedded/embedded-create.ts'
import { openEmbedded } from '../../../src/builder/sources/embedded/embedded.ts'
import { openFolder } from '../../../src/builder/sources/folder/folder.ts'
import type { Items, LookedUp, Source, UnchangedItem } from '../../../src/builder/sources/source.ts'
import { hashBytes, readManifest } from '../../../src/builder/state/manifest.ts'
import { createOutput } from '../../../src/builder/state/output/output.ts'
import { UsageError } from '../../../src/builder/state/usage-error.ts'
import { runInWorld } from '../../support/rebuild/world.ts'
import type { Documents, StoryDocument } from './documents.ts'
import type { Code, Part, Round, RunOptions, Settings, Story } from './stories.ts'
import { SETTINGS } from './stories.ts'

export const FIRST_CODE: Code = { renderer: 0, reading: 0, data: 0, calling: 0 }
export const FIRST_SETTINGS = Object.fromEntries(SETTINGS.map((name) => [name, 0])) as Settings

export interface SourceFile {
  readonly kind: Story['source']
  readonly path: string
}

export interface BuildFaults {
  /** Identifies the boot of the machine. */
  readonly boot?: string
  /** Seller whose pages cannot be rendered. */
  readonly failing?: string | null
}

export type BuildResult =
  /** `rendered`: the sellers of the rendered pages; `null` for pages of no seller. */
  | { readonly kind: 'ended'; readonly rendered: readonly (string | null)[] }
  /** The folder is not known to belong to the site. */
  | { readonly kind: 'refused' }

interface BuildInputs {
  readonly source: SourceFile
  readonly code: Code
  readonly settings: Settings
}

const PUBLIC_FILES: readonly Readonly<Record<string, string>>[] = [
  { 'favicon.svg': '<svg/>', 'a/b.txt': 'b' },
  { 'favicon.svg': '<svg x=""/>', 'a/b.txt': 'c', 'muestra/a.svg': 'a' },
]

/** Builds the site in `folder`, and lets every shrink pass unless told otherwise. Passes errors of the disk on. */
export async function build(
  folder: string,
  { source, code, settings }: BuildInputs,
  options: Partial<RunOptions> & { readonly isShrinkAllowed?: boolean } = {},
  { boot = 'boot', failing = null }: BuildFaults = {},
): Promise<BuildResult> {
  const rendered: (string | null)[] = []
  const render = (page: ScreenPage, about: string): string => {
    const seller = findSeller(page)
    if (seller !== null && seller === failing) throw new Error('the page fails')
    rendered.push(seller)
    return `${about} ${JSON.stringify(page)}`
  }
  try {
    await runInWorld({
      folder,
      documents: [],
      siteName: `Site ${settings.name}`,
      siteUrl: `https://site${settings.url}.example`,
      boot,
      options: { isShrinkAllowed: true, ...options },
      wrap: (world) => changeWorld(world, { folder, source, code, settings }, render),
    })
    return { kind: 'ended', rendered }
  } catch (error) {
    if (error instanceof UsageError) return { kind: 'refused' }
    throw error
  }
}

/** Whether a file may differ from that of a clean build: the builder's own, and what pages of visitors still use. */
export function mayDiffer(path: string, isInCleanSite: boolean): boolean {
  return path.startsWith('.') || (!isInCleanSite && /^(?:_astro|fotos|muestra)\//.test(path))
}

/** Returns the paths of the pictures that a page shows. */
export function listPictures(page: string): readonly string[] {
  return page.match(/fotos\/\w+\.avif/g) ?? []
}

/** Whether a run that was cut off may leave a file that fits both the old site and the new one. */
export function isMixed(path: string): boolean {
  return path === '_headers'
}

/** Returns the paths of a part of the site in `folder`. */
export function listParts(folder: string, source: SourceFile, part: Part): readonly string[] {
  if (part === 'dist') return [join(folder, 'dist')]
  const file = part === 'source' ? source.path : join(folder, 'state', `${part}.sqlite`)
  return [file, `${file}-wal`, `${file}-shm`]
}

export async function createSource({ kind, path }: SourceFile, documents: Documents): Promise<void> {
  if (kind === 'folder') return writeFolder(path, documents)
  await createEmbedded(path, (database) => {
    for (const one of documents.values()) database.prepare(INSERT).run(...formatRow(one))
  })
}

/** Makes the source hold `after` instead of `before`. */
export function updateSource(
  { kind, path }: SourceFile,
  {
    before,
    after,
    style,
  }: { readonly before: Documents; readonly after: Documents; readonly style: Round['style'] },
): void {
  if (kind === 'folder') return writeFolder(path, after)
  const gone = [...before].filter(([key]) => !after.has(key))
  const written = [...after].filter(([key, one]) => JSON.stringify(before.get(key)) !== JSON.stringify(one))
  const database = new DatabaseSync(path)
  database.exec('PRAGMA synchronous = OFF; BEGIN')
  for (const [, { collection, id }] of gone) database.prepare(DELETE).run(collection, id)
  for (const [, one] of written) writeRow(database, one, style)
  database.exec('COMMIT')
  database.close()
}

const INSERT = 'INSERT INTO documents (collection, id, update_time, data) VALUES (?, ?, ?, ?)'
const REPLACE = INSERT.replace('INSERT', 'INSERT OR REPLACE')
const UPDATE = 'UPDATE documents SET data = ? WHERE collection = ? AND id = ?'
// A trigger sets the time of an updated row to now.
const SET_TIME = 'UPDATE documents SET update_time = ? WHERE collection = ? AND id = ?'
const DELETE = 'DELETE FROM documents WHERE collection = ? AND id = ?'

function writeRow(database: DatabaseSync, document: StoryDocument, style: Round['style']): void {
  const { collection, id, updateTime, data } = document
  if (style === 'update' && database.prepare(UPDATE).run(JSON.stringify(data), collection, id).changes > 0) {
    database.prepare(SET_TIME).run(updateTime, collection, id)
    return
  }
  if (style === 'reinsert') database.prepare(DELETE).run(collection, id)
  database.prepare(style === 'replace' ? REPLACE : INSERT).run(...formatRow(document))
}

function formatRow({ collection, id, updateTime, data }: StoryDocument): [string, string, string, string] {
  return [collection, id, updateTime, JSON.stringify(data)]
}

function writeFolder(path: string, documents: Documents): void {
  mkdirSync(path, { recursive: true })
  for (const name of ['users', 'cataloge']) {
    const chosen = [...documents.values()].filter(({ collection }) => collection === name)
    const lines = chosen.map(({ id, updateTime, data }) => `${JSON.stringify({ id, updateTime, data })}\n`)
    writeFileSync(join(path, `${name}.ndjson`), lines.join(''))
  }
}

/** Each photo has one picture, whose bytes are its path. */
function createPictures(version: number): Pictures {
  const findPicture = (photo: string): Picture => {
    const path = photo.replace(/^.*\/(\w+)\.jpg$/, `fotos/$1${version}.avif`)
    return { type: 'image/avif', sources: [{ path, width: 320 }], tone: null }
  }
  return { ...createStorelessPictures({ version }, findPicture), readFile: (path) => Buffer.from(path) }
}

type Render = (page: ScreenPage, about: string) => string

/** Gives the world of the test support this story's source, code and settings. */
function changeWorld(
  world: World,
  { folder, source, code, settings }: BuildInputs & { readonly folder: string },
  render: Render,
): World {
  const files = PUBLIC_FILES[settings.publicFiles] ?? {}
  const site = {
    ...world.inputs.settings,
    accessUrl: settings.accessUrl === 0 ? null : 'https://access.example/',
    productPages: settings.productPages === 0,
    feeds: settings.feeds === 0,
    posters: settings.posters === 0,
    search: settings.search === 0,
  }
  const about = `${code.renderer} ${code.calling} ${settings.runtime} ${JSON.stringify(site)}`
  const renderer = async (): Promise<KeptRenderer> => compile(`${folder}-compiled`, code.renderer)
  const inputs = {
    ...world.inputs,
    settings: site,
    compiled: `renderer ${code.renderer}`,
    code: { intake: `${code.reading}`, pageData: `${code.data}`, rendering: `${code.calling}` },
    runtime: `Node ${settings.runtime}`,
    maxProducts: settings.maxProducts === 0 ? 1000 : 2,
    publicFiles: Object.fromEntries(Object.entries(files).map(([path, text]) => [path, hashBytes(text)])),
    readPublicFile: (path: string) => Buffer.from(files[path] ?? ''),
  }
  const { snapshot } = world.state
  const readCatalogue: typeof snapshot.readCatalogue = (seller) => {
    const catalogue = snapshot.readCatalogue(seller)
    return catalogue && { ...catalogue, name: `${catalogue.name}${' new'.repeat(code.data)}` }
  }
  // The output of the test support forces nothing to the disk.
  const output = createOutput(join(folder, 'dist'))
  return {
    ...world,
    inputs,
    state: {
      ...world.state,
      output,
      pictures: createPictures(settings.pictures),
      snapshot: { ...snapshot, readCatalogue },
    },
    files: createFileReader(output),
    renderers: {
      ...world.renderers,
      find: () => compile(`${folder}-compiled`, code.renderer),
      compile: renderer,
      load: async () => ({ render: async (page) => [render(page, about)] }),
    },
    openSource: async () => renameProducts(openSource(source), ' new'.repeat(code.reading)),
  }
}

function openSource({ kind, path }: SourceFile): Source {
  return kind === 'folder' ? openFolder(path) : openEmbedded(path)
}

/** Stands for other code that reads documents. */
function renameProducts(source: Source, added: string): Source {
  async function* rename<T extends LookedUp | UnchangedItem>(items: Items<T>): AsyncIterable<T> {
    for await (const item of items) {
      if (item.kind !== 'document') yield item
      else yield { ...item, document: { ...item.document, data: renameProduct(item.document.data, added) } }
    }
  }
  const { readModified } = source
  return {
    ...source,
    readAll: () => rename(source.readAll()),
    ...(readModified && { readModified: (isUnchanged) => rename(readModified(isUnchanged)) }),
    readSellers: (sellers) => rename(source.readSellers(sellers)),
    readDocuments: (keys) => rename(source.readDocuments(keys)),
  }
}

function renameProduct(data: unknown, added: string): unknown {
  const { name, ...others } = data as Readonly<Record<string, unknown>>
  return { ...others, name: typeof name === 'string' ? name + added : name }
}

/** Each version has one script of its own, and one that all share. */
function compile(folder: string, version: number): KeptRenderer {
  const client = join(folder, String(version))
  rmSync(client, { recursive: true, force: true })
  mkdirSync(join(client, '_astro'), { recursive: true })
  writeFileSync(join(client, '_astro', `app.${version}.js`), `export const version = ${version}`)
  writeFileSync(join(client, '_astro', 'shared.js'), 'export {}')
  const names = ['home', 'catalogue', 'product', 'unknown-product', 'poster'] as const
  const more = ['unknown-catalogue', 'not-found', 'search'] as const
  const kinds = Object.fromEntries(
    [...names, ...more].map((name) => [name, `${version}`]),
  ) as KeptRenderer['kinds']
  const inline = { scripts: [`script ${version}`], styles: [] }
  return { server: '', client, assets: readManifest(client, '_astro'), inline, kinds }
}

function findSeller(page: ScreenPage): string | null {
  if ('catalogue' in page) return page.catalogue.seller
  return 'seller' in page && typeof page.seller === 'object' ? page.seller.id : null
}
