/** Decides which hosts photos may be fetched from. */

/**
 * Photos on `names` are fetched only over https on its default port, and only from public IP addresses. A name with the
 * prefix `*.` matches all subdomains.
 */
export interface PhotoHosts {
  readonly names: readonly string[]
  /**
   * Photos on these origins are fetched without the restrictions for `names`: also over `http:` and from private IP
   * addresses.
   */
  readonly origins: readonly string[]
}

export type PhotoPlace =
  | { readonly kind: 'remote'; readonly url: URL; readonly isExactOrigin: boolean }
  /** A file of the public folder. */
  | { readonly kind: 'own'; readonly path: string }
  /** An SVG file of the public folder, shown as it is because it needs no resizing. */
  | { readonly kind: 'drawing' }
  | { readonly kind: 'refused'; readonly reason: string }

/** The hosts of Firebase Storage. */
export const DEFAULT_PHOTO_HOSTS = 'firebasestorage.googleapis.com, *.firebasestorage.app'

// No IP address: its last part would be a number.
const NAME = /^(\*\.)?([a-z\d-]+\.)*[a-z][a-z\d-]*$/
const DRAWING = /\.svg$/i

/** Parses host names and origins, separated by commas or spaces. Returns `null` if a part is neither. */
export function parsePhotoHosts(text: string): PhotoHosts | null {
  const parts = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((part) => part !== '')
  const origins = parts.filter((part) => part.includes('://'))
  const names = parts.filter((part) => !part.includes('://'))
  const isSound = origins.every(isOrigin) && names.every((name) => NAME.test(name))
  return isSound ? { names: names.toSorted(), origins: origins.toSorted() } : null
}

/** Classifies the address of a product's photo, or of a redirect while fetching it. */
export function placePhoto(address: string, hosts: PhotoHosts): PhotoPlace {
  if (address.startsWith('/')) {
    return DRAWING.test(address)
      ? { kind: 'drawing' }
      : { kind: 'own', path: decodeURIComponent(address.slice(1)) }
  }
  const url = URL.parse(address)
  if (url === null) return refuse('is not a valid address')
  if (hosts.origins.includes(url.origin)) return { kind: 'remote', url, isExactOrigin: true }
  if (url.protocol !== 'https:') return refuse('is not served over https')
  if (url.port !== '' || !hosts.names.some((name) => isHost(url.hostname, name))) {
    return refuse(`is on ${url.host}, which PHOTO_HOSTS does not name`)
  }
  return { kind: 'remote', url, isExactOrigin: false }
}

function isHost(host: string, name: string): boolean {
  return name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
}

function refuse(reason: string): PhotoPlace {
  return { kind: 'refused', reason }
}
