/** The files that no page's data touches: the public folder, the compiled assets and the rules for the edge. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeptRenderer } from './compile.ts'
import type { Manifest } from './fingerprint.ts'
import { hashBytes } from './fingerprint.ts'
import { MARKER } from './marker.ts'
import { PARTIAL } from './output.ts'
import type { SiteRecord } from './record.ts'
import type { World } from './world.ts'

export interface StaticFile {
  readonly path: string
  readonly digest: string
  readonly read: () => Uint8Array | string
}

/** Where a compile puts the files whose names change with their content. */
export const HASHED = '_astro/'

// Listed one by one: a rule for the whole folder would make a missing file's 404 immutable too.
const IMMUTABLE = 'Cache-Control: public, max-age=31536000, immutable'

/** `kept` is `null` when no page is rendered: then the assets are those that are recorded. */
export function readStaticFiles(world: World, kept: KeptRenderer | null): readonly StaticFile[] {
  const assets = kept === null ? readRecordedAssets(world.record) : kept.assets
  const readAsset = (path: string): Uint8Array => readFileSync(join(kept?.client ?? '', path))
  return [
    ...createCopies(world.publicFiles, (path) => world.readPublicFile(path)),
    ...createCopies(assets, readAsset),
    createText('_headers', formatHeaders(Object.keys(assets))),
    createText('.assetsignore', `${MARKER}\n${PARTIAL}\n`),
  ]
}

/** Source: https://developers.cloudflare.com/workers/static-assets/headers/ */
export function formatHeaders(assets: readonly string[]): string {
  return assets
    .toSorted()
    .map((path) => `/${path}\n  ${IMMUTABLE}\n`)
    .join('')
}

function readRecordedAssets(record: SiteRecord): Manifest {
  const assets = record.readOthers('static').filter(({ path }) => path.startsWith(HASHED))
  return Object.fromEntries(assets.map(({ path, digest }) => [path, digest]))
}

function createCopies(files: Manifest, read: (path: string) => Uint8Array): readonly StaticFile[] {
  return Object.entries(files).map(([path, digest]) => ({ path, digest, read: () => read(path) }))
}

function createText(path: string, text: string): StaticFile {
  return { path, digest: hashBytes(text), read: () => text }
}
