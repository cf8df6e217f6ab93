/** The file `_headers`: rules for the edge. Its content security policy allows the inline code of the site's pages. */
import { SEARCH_PATH } from '../../../domain/documents/page-table.ts'
import { MARKER } from '../../../domain/wire/site-marker.ts'
import { PHOTO_FOLDER, SOCIAL_FOLDER } from '../../../domain/photos/picture.ts'
import type { InlineHashes } from '../../renderer/renderer-store.ts'

export const HEADERS = '_headers'

/** Name of the service worker in the public folder. Pages register it if the site has offline pages. */
export const SERVICE_WORKER = 'service-worker.js'

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

/**
 * Max characters of a line in `_headers`. The edge ignores longer lines. Source:
 * https://developers.cloudflare.com/workers/static-assets/headers/
 */
const MAX_LINE = 2_000

const FEATURES =
  'accelerometer camera display-capture geolocation gyroscope magnetometer microphone midi payment usb'

// Max age of `Strict-Transport-Security`, in seconds. The header omits `includeSubDomains`, because subdomains may
// belong to other sites.
const TWO_YEARS = 63_072_000

/**
 * Returns lines of `_headers`. Throws if a line is too long for the edge. Adds to the policy the inline code of the
 * renderers in `earlier`, in this order, but leaves out a renderer that would make the line too long.
 */
function listSecurityHeaders(inline: InlineHashes, earlier: readonly InlineHashes[] = []): readonly string[] {
  const lines = [
    formatPolicy(earlier.reduce(addInline, inline)),
    `Strict-Transport-Security: max-age=${TWO_YEARS}`,
    'X-Content-Type-Options: nosniff',
    // Hides the site's address from the hosts of photos, which may be run by sellers.
    'Referrer-Policy: same-origin',
    `Permissions-Policy: ${FEATURES.split(' ')
      .map((feature) => `${feature}=()`)
      .join(', ')}`,
    'Cross-Origin-Opener-Policy: same-origin',
  ]
  const long = lines.find((line) => line.length > MAX_LINE)
  if (long === undefined) return lines
  throw new Error(
    `The header ${long.split(':')[0]} has ${long.length} characters, but the edge accepts at most ${MAX_LINE}: reduce the inline scripts and styles of pages.`,
  )
}

// Returns the hashes of both, or `inline` unchanged if the line of the policy would be too long.
function addInline(inline: InlineHashes, more: InlineHashes): InlineHashes {
  const union = {
    scripts: [...new Set([...inline.scripts, ...more.scripts])],
    styles: [...new Set([...inline.styles, ...more.styles])],
  }
  return formatPolicy(union).length > MAX_LINE ? inline : union
}

// Photos may be on any https host. On an https site, browsers upgrade http: images before they apply the policy, so
// `https:` covers these too.
function formatPolicy({ scripts, styles }: InlineHashes): string {
  const directives = [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    ['style-src', ...(styles.length === 0 ? ["'none'"] : styles)].join(' '),
    "img-src 'self' https: data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  return `Content-Security-Policy: ${directives.join('; ')}`
}
