/** The files that no page's data touches: the public folder, the compiled assets and the rules for the edge. */
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

/** Where a compile puts the files whose names change with their content. */
export const HASHED = '_astro/'

const HEADERS = '_headers'

// Listed one by one: a rule for the whole folder would make a missing file's 404 immutable too.
const IMMUTABLE = 'Cache-Control: public, max-age=31536000, immutable'

/** `kept` is `null` when no page is rendered: then what a compile gives is as it is recorded. */
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
  // What is made counts where the public folder has a file of the same name.
  return [...new Map(files.map((file) => [file.path, file])).values()]
}

/** Source: https://developers.cloudflare.com/workers/static-assets/headers/ */
export function formatHeaders(assets: readonly string[], inline: InlineHashes): string {
  return [
    formatRule('/*', listSecurityHeaders(inline)),
    formatRule(`/${SERVICE_WORKER}`, ['Cache-Control: no-cache']),
    ...assets.toSorted().map((path) => formatRule(`/${path}`, [IMMUTABLE])),
    // Too many to be listed. Their names come back only with the same bytes.
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
    // Asked for only where an earlier run was cut off.
    read: () => {
      const bytes = output.read(path)
      if (bytes !== null && hashBytes(bytes) === digest) return bytes
      throw new Error(`${path} is not as it was recorded. Run again with --verify.`)
    },
  }))
}

function createCopies(files: Manifest, read: (path: string) => Uint8Array): readonly StaticFile[] {
  return Object.entries(files).map(([path, digest]) => ({ path, digest, read: () => read(path) }))
}

function createText(path: string, text: string): StaticFile {
  return { path, digest: hashBytes(text), read: () => text }
}
