/**
 * The files that do not depend on documents: the public folder, the compiled assets, the rules for the edge, and other
 * generated files, such as `robots.txt`.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRecord, parseJson } from '../../../domain/documents/json.ts'
import type { PageSwitches } from '../../../domain/documents/page-switches.ts'
import { findEntry, findScope, isOn, listSellerKinds } from '../../../domain/documents/page-table.ts'
import { findPage, formatRoutePath } from '../../../domain/documents/page-address.ts'
import type { KeptRenderer } from '../../renderer/compile.ts'
import type { Manifest } from '../../state/manifest.ts'
import { hashBytes } from '../../state/manifest.ts'
import { IDENTITY_FILE } from '../../state/output/output-identity.ts'
import { PARTIAL } from '../../state/output/output.ts'
import { createHeaders, HEADERS } from './edge-headers.ts'
import { RETIRED, SERVICE_WORKER } from './service-worker.ts'
import { UsageError } from '../../state/usage-error.ts'
import type { SiteRecord } from '../../state/record/record.ts'
import type { PageInputs, RebuildState, World } from '../world.ts'

export interface StaticFile {
  readonly path: string
  /**
   * Hash of the bytes at the start of the run. If a public file is replaced during the run, `read` returns other bytes.
   */
  readonly digest: string
  readonly read: () => Uint8Array | string
}

/** Folder of the compiled files whose names contain a hash of their content. */
export const HASHED = '_astro/'

/** A file of the public folder. In the copy that a run writes, `name` and `short_name` are the name of the site. */
export const WEB_MANIFEST = 'manifest.webmanifest'

/**
 * While products have no pages, this file redirects their addresses to their cards on the catalogue. The redirect is
 * temporary, because products may get pages again.
 */
const REDIRECTS = '_redirects'
const TO_CATALOGUE = '/catalogo/:seller/:product /catalogo/:seller#p-:product 302\n'

/**
 * Returns the rules of `_redirects`. The first ones exempt the other pages of a seller, because their addresses look
 * like those of products.
 */
function formatRedirects(site: PageSwitches): string {
  const kinds = listSellerKinds().filter((kind) => findScope(kind) === 'seller' && isOn(kind, site))
  const paths = kinds.map((kind) => findEntry(kind).address.replace('{seller}', ':seller'))
  const others = paths.filter((path) => !path.endsWith(':seller'))
  return [...others.map((path) => `${path} ${path} 200\n`), TO_CATALOGUE].join('')
}

/**
 * Returns all static files. Throws a `UsageError` if a public file has the name of a page or of the marker, or is in
 * the folder of partial files, or if the web manifest is not a JSON object. If no page is rendered, `kept` may be
 * `null`: the compiled files are then those in the record. The file `_headers` allows the inline code of `generation`
 * and of the pages that are now in the output folder.
 */
export function readStaticFiles(
  { inputs, state }: Pick<World, 'inputs' | 'state'>,
  kept: KeptRenderer | null,
  generation: number,
): readonly StaticFile[] {
  refuseTaken(Object.keys(inputs.publicFiles))
  const compiled = kept === null ? readRecorded(state) : createCompiled(kept)
  const files = [
    ...createCopies(inputs.publicFiles, (path) => inputs.readPublicFile(path)),
    ...compiled,
    readHeaders(state.record, generation, compiled),
    createText('.assetsignore', `${IDENTITY_FILE}\n${PARTIAL}\n`),
    createText('robots.txt', formatRobots(inputs)),
    ...createWebManifest(inputs),
    ...(inputs.settings.productPages ? [] : [createText(REDIRECTS, formatRedirects(inputs.settings))]),
    ...(inputs.keepsPages ? [] : [createText(SERVICE_WORKER, RETIRED)]),
  ]
  // Generated files replace public files of the same name.
  return [...new Map(files.map((file) => [file.path, file])).values()]
}

// Throws a `UsageError` if a public file has the name of a page or of the marker, or is in the folder of partial files,
// because the two files would overwrite each other in alternate runs.
function refuseTaken(publicFiles: readonly string[]): void {
  const own = (path: string): boolean => path === IDENTITY_FILE || path.startsWith(`${PARTIAL}/`)
  const taken = publicFiles.find((path) => own(path) || findPage(path) !== null)
  if (taken !== undefined)
    throw new UsageError(`public/${taken} has the name of a file that the site makes itself: rename it.`)
}

/**
 * Returns the file `_headers` for `generation` and for the pages that are now in the output folder. Uses only the
 * hashed files among `files`.
 */
export function readHeaders(
  record: SiteRecord,
  generation: number,
  files: readonly Pick<StaticFile, 'path'>[],
): StaticFile {
  const assets = files.filter(({ path }) => path.startsWith(HASHED)).map(({ path }) => path)
  return createText(HEADERS, createHeaders(record, generation, assets))
}

function formatRobots({ settings, isSearched }: PageInputs): string {
  if (!isSearched) return 'User-agent: *\nDisallow: /\n'
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${settings.url}${formatRoutePath('sitemap-index')}\n`
}

function createWebManifest({ publicFiles, readPublicFile, settings }: PageInputs): readonly StaticFile[] {
  if (publicFiles[WEB_MANIFEST] === undefined) return []
  return [createText(WEB_MANIFEST, formatWebManifest(readPublicFile(WEB_MANIFEST), settings.name))]
}

function createCompiled({ client, assets }: KeptRenderer): readonly StaticFile[] {
  return createCopies(assets, (path) => {
    const bytes = readFileSync(join(client, path))
    if (hashBytes(bytes) === assets[path]) return bytes
    throw new Error(`${join(client, path)} is damaged: remove the folder ${dirname(client)}, and run again.`)
  })
}

function readRecorded({ record, output }: RebuildState): readonly StaticFile[] {
  const compiled = record.readOthers('static').filter(({ path }) => path.startsWith(HASHED))
  return compiled.map(({ path, digest }) => ({
    path,
    digest,
    // Called only for a file that is unsure, for example because a run was interrupted or a check found damage.
    read: () => {
      const bytes = output.read(path)
      if (bytes !== null && hashBytes(bytes) === digest) return bytes
      throw new Error(`${path} differs from the record. Run again with --verify.`)
    },
  }))
}

function createCopies(files: Manifest, read: (path: string) => Uint8Array): readonly StaticFile[] {
  return Object.entries(files).map(([path, digest]) => ({ path, digest, read: () => read(path) }))
}

function createText(path: string, text: string): StaticFile {
  return { path, digest: hashBytes(text), read: () => text }
}

/** Throws a `UsageError` if the file is not a JSON object. */
function formatWebManifest(file: Uint8Array, name: string): string {
  const manifest = parseJson(new TextDecoder().decode(file))
  if (!isRecord(manifest)) throw new UsageError(`public/${WEB_MANIFEST} is not a JSON object: correct it.`)
  return `${JSON.stringify({ ...manifest, name, short_name: name }, null, 2)}\n`
}
