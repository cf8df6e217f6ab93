/** Which photos may be taken from where. */

/** `names` are served over https, from public addresses only; one that begins with `*.` stands for all below it. */
export interface PhotoHosts {
  readonly names: readonly string[]
  /** Taken as they are, `http:` and private addresses included. */
  readonly origins: readonly string[]
}

export type PhotoPlace =
  | { readonly kind: 'remote'; readonly url: URL; readonly isExactOrigin: boolean }
  /** A file of the site's own public folder. */
  | { readonly kind: 'own'; readonly path: string }
  /** Shown as it is, like drawings, which are small already. */
  | { readonly kind: 'drawing' }
  | { readonly kind: 'refused'; readonly reason: string }

/** Firebase Storage. */
export const DEFAULT_PHOTO_HOSTS = 'firebasestorage.googleapis.com, *.firebasestorage.app'

const NAME = /^(\*\.)?([a-z\d-]+\.)*[a-z\d-]+$/
const DRAWING = /\.svg$/i

/** Separated by commas or spaces. `null` when one is neither a host nor an origin. */
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

/** `address` is that of a product's photo, or one that a host redirects to. */
export function placePhoto(address: string, hosts: PhotoHosts): PhotoPlace {
  if (address.startsWith('/')) {
    return DRAWING.test(address)
      ? { kind: 'drawing' }
      : { kind: 'own', path: decodeURIComponent(address.slice(1)) }
  }
  const url = URL.parse(address)
  if (url === null) return refuse('is no address')
  if (hosts.origins.includes(url.origin)) return { kind: 'remote', url, isExactOrigin: true }
  if (url.protocol !== 'https:') return refuse('is not served over https')
  if (url.port !== '' || !hosts.names.some((name) => isHost(url.hostname, name))) {
    return refuse(`stands on ${url.host}, which PHOTO_HOSTS does not name`)
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
