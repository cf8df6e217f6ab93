/** What browsers may do with the site's answers: a function of the code alone, the same for every path. */
import type { InlineHashes } from '../renderer/compiled-lists.ts'

/** Longer lines are left out by the edge. Source: https://developers.cloudflare.com/workers/static-assets/headers/ */
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

// Without subdomains: they need not be this site's to promise for.
const TWO_YEARS = 63_072_000

/** Lines of `_headers`, each with its name. Throws when one is too long for the edge. */
export function listSecurityHeaders(inline: InlineHashes): readonly string[] {
  const lines = [
    `Content-Security-Policy: ${formatPolicy(inline)}`,
    `Strict-Transport-Security: max-age=${TWO_YEARS}`,
    'X-Content-Type-Options: nosniff',
    'Referrer-Policy: strict-origin-when-cross-origin',
    `Permissions-Policy: ${FEATURES.map((feature) => `${feature}=()`).join(', ')}`,
    'Cross-Origin-Opener-Policy: same-origin',
  ]
  const long = lines.find((line) => line.length > MAX_LINE)
  if (long === undefined) return lines
  throw new Error(
    `The header ${long.split(':')[0]} has ${long.length} characters, the edge takes ${MAX_LINE}: put less inline.`,
  )
}

// Photos may stand on any host. Where the site is https, browsers make http: ones https before the policy is asked.
function formatPolicy({ scripts, styles }: InlineHashes): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    ['style-src', ...(styles.length === 0 ? ["'none'"] : styles)].join(' '),
    "img-src 'self' https: data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
