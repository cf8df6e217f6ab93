/** The files that do not depend on documents: the public folder, the compiled assets and the rules for the edge. */
import type { InlineHashes } from '../renderer/compiled-lists.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PHOTO_FOLDER, SOCIAL_FOLDER } from '../../domain/photos/picture.ts'
import { SITEMAP_INDEX } from '../../domain/pages/sitemap.ts'
import type { KeptRenderer } from '../renderer/compile.ts'
import type { Manifest } from '../state/manifest.ts'
import { hashBytes } from '../state/manifest.ts'
import { IDENTITY_FILE } from '../state/output/output-identity.ts'
import { PARTIAL } from '../state/output/output.ts'
import { listSecurityHeaders } from './security-headers.ts'
import { RETIRED, SERVICE_WORKER } from './service-worker.ts'
import type { RebuildState, World } from './world.ts'

export interface StaticFile {
  readonly path: string
  readonly digest: string
  readonly read: () => Uint8Array | string
}

/** Folder of the compiled files whose names contain a hash of their content. */
export const HASHED = '_astro/'

const HEADERS = '_headers'

// Set for each file, because a rule for the folder would also make the 404 of a missing file immutable.
const IMMUTABLE = 'Cache-Control: public, max-age=31536000, immutable'

/** If `kept` is `null`, because no page is rendered, the compiled files are those in the record. */
export function readStaticFiles(
  { inputs, state }: Pick<World, 'inputs' | 'state'>,
  kept: KeptRenderer | null,
): readonly StaticFile[] {
  const files = [
    ...createCopies(inputs.publicFiles, (path) => inputs.readPublicFile(path)),
    ...(kept === null ? readRecorded(state) : createCompiled(kept)),
    createText('.assetsignore', `${IDENTITY_FILE}\n${PARTIAL}\n`),
    createText('robots.txt', formatRobots(inputs.settings.url)),
    ...(inputs.keepsPages ? [] : [createText(SERVICE_WORKER, RETIRED)]),
  ]
  // Generated files replace public files of the same name.
  return [...new Map(files.map((file) => [file.path, file])).values()]
}

/** Source: https://developers.cloudflare.com/workers/static-assets/headers/ */
export function formatHeaders(assets: readonly string[], inline: InlineHashes): string {
  return [
    formatRule('/*', listSecurityHeaders(inline)),
    formatRule(`/${SERVICE_WORKER}`, ['Cache-Control: no-cache']),
    ...assets.toSorted().map((path) => formatRule(`/${path}`, [IMMUTABLE])),
    // Too many to list. Each name contains a hash of the bytes.
    ...[PHOTO_FOLDER, SOCIAL_FOLDER].map((folder) => formatRule(`/${folder}*`, [IMMUTABLE])),
  ].join('')
}

function formatRobots(url: string): string {
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${url}/${SITEMAP_INDEX}\n`
}

function formatRule(path: string, headers: readonly string[]): string {
  return [path, ...headers.map((header) => `  ${header}`), ''].join('\n')
}

function createCompiled({ client, assets, inline }: KeptRenderer): readonly StaticFile[] {
  return [
    ...createCopies(assets, (path) => readFileSync(join(client, path))),
    createText(HEADERS, formatHeaders(Object.keys(assets), inline)),
  ]
}

function readRecorded({ record, output }: RebuildState): readonly StaticFile[] {
  const rows = record.readOthers('static')
  const compiled = rows.filter(({ path }) => path === HEADERS || path.startsWith(HASHED))
  return compiled.map(({ path, digest }) => ({
    path,
    digest,
    // Called only if an earlier run was interrupted.
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
