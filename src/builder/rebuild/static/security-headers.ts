/** Security headers, the same for every path. They depend only on the inline code of the pages in the output folder. */
import type { InlineHashes } from '../../renderer/renderer-store.ts'

/**
 * Max characters of a line in `_headers`. The edge ignores longer lines. Source:
 * https://developers.cloudflare.com/workers/static-assets/headers/
 */
const MAX_LINE = 2_000

const FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]

// Max age of `Strict-Transport-Security`, in seconds. The header omits `includeSubDomains`, because subdomains may
// belong to other sites.
const TWO_YEARS = 63_072_000

/**
 * Returns lines of `_headers`. Throws if a line is too long for the edge. Adds to the policy the inline code of the
 * renderers in `earlier`, in this order, but leaves out a renderer that would make the line too long.
 */
export function listSecurityHeaders(
  inline: InlineHashes,
  earlier: readonly InlineHashes[] = [],
): readonly string[] {
  const lines = [
    formatPolicy(earlier.reduce(addInline, inline)),
    `Strict-Transport-Security: max-age=${TWO_YEARS}`,
    'X-Content-Type-Options: nosniff',
    // Hides the site's address from the hosts of photos, which may be run by sellers.
    'Referrer-Policy: same-origin',
    `Permissions-Policy: ${FEATURES.map((feature) => `${feature}=()`).join(', ')}`,
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
