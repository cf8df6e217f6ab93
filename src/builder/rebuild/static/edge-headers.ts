/** The file `_headers`: rules for the edge. Its content security policy allows the inline code of the site's pages. */
import { SEARCH_PATH } from '../../../domain/documents/page-table.ts'
import { MARKER } from '../../../domain/wire/site-marker.ts'
import { PHOTO_FOLDER, SOCIAL_FOLDER } from '../../../domain/photos/picture.ts'
import type { InlineHashes } from '../../renderer/renderer-store.ts'
import { listSecurityHeaders } from './security-headers.ts'
import { SERVICE_WORKER } from './service-worker.ts'

export const HEADERS = '_headers'

/** The folder of search files, which only the Worker reads. */
const SEARCH_FOLDER = `${SEARCH_PATH}/*`

// Set for each file, because a rule for the folder would also make the 404 of a missing file immutable.
const IMMUTABLE = 'Cache-Control: public, max-age=31536000, immutable'

// Cache rule for folders with too many files for one rule per file. The rule also applies to the 404 of a missing file,
// so `max-age` is short. After that time, a cached photo is still shown at once and checked in the background.
const REVALIDATED = 'Cache-Control: public, max-age=86400, stale-while-revalidate=31536000'

/**
 * `earlier` has the inline code of older pages. It is left out if it would make the policy too long. Source:
 * https://developers.cloudflare.com/workers/static-assets/headers/
 */
export function formatHeaders(
  assets: readonly string[],
  inline: InlineHashes,
  earlier: readonly InlineHashes[] = [],
): string {
  return [
    formatRule('/*', listSecurityHeaders(inline, earlier)),
    formatRule(`/${SERVICE_WORKER}`, ['Cache-Control: no-cache']),
    formatRule(`/${MARKER}`, ['Cache-Control: no-store']),
    ...assets.toSorted().map((path) => formatRule(`/${path}`, [IMMUTABLE])),
    formatRule(SEARCH_FOLDER, ['X-Robots-Tag: noindex']),
    ...[PHOTO_FOLDER, SOCIAL_FOLDER].map((folder) => formatRule(`/${folder}*`, [REVALIDATED])),
  ].join('')
}

function formatRule(path: string, headers: readonly string[]): string {
  return [path, ...headers.map((header) => `  ${header}`), ''].join('\n')
}

/** Returns the inline code that this text of `_headers` allows. */
export function parseInlineHashes(headers: string): InlineHashes {
  const find = (directive: string): readonly string[] =>
    new RegExp(`${directive} ([^;]*);`).exec(headers)?.[1]?.match(/'sha256-[^']+'/g) ?? []
  return { scripts: find('script-src'), styles: find('style-src') }
}
