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
import { MARKER } from '../../../domain/wire/site-marker.ts'
import type { KeptRenderer } from '../../renderer/renderer-store.ts'
import type { Manifest } from '../../files/file-hashes.ts'
import { hashBytes } from '../../files/file-hashes.ts'
import type { Output } from '../../state/output.ts'
import { PARTIAL } from '../../state/output.ts'
import { UsageError } from '../../files/usage-error.ts'
import type { PageInputs } from '../world.ts'
import { formatHeaders, HEADERS, parseInlineHashes, SERVICE_WORKER } from './edge-headers.ts'

export interface StaticFile {
  readonly path: string
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

/** Replaces a service worker that a visitor's browser may still have, if the site has no offline pages any more. */
export const RETIRED = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(retire()))

async function retire() {
  for (const name of await caches.keys()) await caches.delete(name)
  await registration.unregister()
}
`

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
 * Returns all static files but `_headers`, which `writeHeaders` writes. Throws a `UsageError` if a public file has the
 * name of a page or of the marker, or is in the folder of partial files, or if the web manifest is not a JSON object.
 */
export function readStaticFiles(inputs: PageInputs, kept: KeptRenderer): readonly StaticFile[] {
  refuseTaken(Object.keys(inputs.publicFiles))
  const files = [
    ...createCopies(inputs.publicFiles, (path) => readUnchanged(inputs, path)),
    ...createCompiled(kept),
    createText('.assetsignore', `${PARTIAL}\n`),
    createText('robots.txt', formatRobots(inputs)),
    ...createWebManifest(inputs),
    ...(inputs.site.productPages ? [] : [createText(REDIRECTS, formatRedirects(inputs.site))]),
    ...(inputs.keepsPages ? [] : [createText(SERVICE_WORKER, RETIRED)]),
  ]
  // Generated files replace public files of the same name.
  return [...new Map(files.map((file) => [file.path, file])).values()]
}

/** Writes the static files, and `_headers` for old and new pages. Must run before pages that refer to these files. */
export function writeStaticFiles(files: readonly StaticFile[], kept: KeptRenderer, output: Output): void {
  for (const { path, read } of files) output.write(path, read())
  const headers = output.read(HEADERS)
  const earlier = headers === null ? [] : [parseInlineHashes(new TextDecoder().decode(headers))]
  output.write(HEADERS, formatHeaders(Object.keys(kept.assets), kept.inline, earlier))
}

/** Writes `_headers` for a site whose pages are all of this renderer. */
export function writeHeaders({ assets, inline }: KeptRenderer, output: Output): void {
  output.write(HEADERS, formatHeaders(Object.keys(assets), inline))
}

// Throws a `UsageError` if a public file has the name of a page or of the marker, or is in the folder of partial files,
// because the two files would overwrite each other in alternate runs.
function refuseTaken(publicFiles: readonly string[]): void {
  const own = (path: string): boolean => path === MARKER || path.startsWith(`${PARTIAL}/`)
  const taken = publicFiles.find((path) => own(path) || findPage(path) !== null)
  if (taken !== undefined)
    throw new UsageError(`public/${taken} has the name of a file that the site makes itself: rename it.`)
}

// The bytes must be those that the basis names.
function readUnchanged({ publicFiles, readPublicFile }: PageInputs, path: string): Uint8Array {
  const bytes = readPublicFile(path)
  if (hashBytes(bytes) === publicFiles[path]) return bytes
  throw new Error(`public/${path} changed during the run: run again.`)
}

function formatRobots({ site, isSearched }: PageInputs): string {
  if (!isSearched) return 'User-agent: *\nDisallow: /\n'
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${site.url}${formatRoutePath('sitemap-index')}\n`
}

/** Throws a `UsageError` if the file is not a JSON object. */
function createWebManifest({ publicFiles, readPublicFile, site }: PageInputs): readonly StaticFile[] {
  if (publicFiles[WEB_MANIFEST] === undefined) return []
  const manifest = parseJson(new TextDecoder().decode(readPublicFile(WEB_MANIFEST)))
  if (!isRecord(manifest)) throw new UsageError(`public/${WEB_MANIFEST} is not a JSON object: correct it.`)
  const named = { ...manifest, name: site.name, short_name: site.name }
  return [createText(WEB_MANIFEST, `${JSON.stringify(named, null, 2)}\n`)]
}

function createCompiled({ client, assets }: KeptRenderer): readonly StaticFile[] {
  return createCopies(assets, (path) => {
    const bytes = readFileSync(join(client, path))
    if (hashBytes(bytes) === assets[path]) return bytes
    throw new Error(`${join(client, path)} is damaged: remove the folder ${dirname(client)}, and run again.`)
  })
}

function createCopies(files: Manifest, read: (path: string) => Uint8Array): readonly StaticFile[] {
  return Object.keys(files).map((path) => ({ path, read: () => read(path) }))
}

function createText(path: string, text: string): StaticFile {
  return { path, read: () => text }
}
