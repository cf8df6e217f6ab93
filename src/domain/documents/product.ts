/** A product of a catalogue, parsed from its document. */
import type { Complain } from './document.ts'
import { parseField, readField, TEXT } from './document.ts'
import { isRecord } from './json.ts'
import { isPayable } from './price.ts'
import { findIdProblem } from './page-id.ts'
import { parseText } from './entities.ts'
import { parseAmount, parseFlag } from './typed-values.ts'

/** `price` is in Dominican pesos; `null` for none. */
export type Decant = {
  readonly price: number | null
  readonly available: boolean
}

/** `photo` is an http(s) address or a path of the site; `null` for none. */
export type Product = {
  readonly id: string
  readonly name: string
  readonly photo: string | null
  readonly price: number | null
  readonly available: boolean
  readonly _5ml: Decant
  readonly _10ml: Decant
  /** The fields of prices that could not be read, such as `_5ml.price`. Absent if there are none. */
  readonly unread?: readonly string[]
}

interface OwnedProduct {
  readonly seller: string
  readonly product: Product
}

export type ProductSeller = {
  readonly id: string
  readonly name: string
}

/** Max characters of a photo's address after encoding, which may turn one letter into nine characters. */
export const MAX_ADDRESS = 2_000

/** A decant that is no map is a bare price. */
const PRICE_FIELD = /^(?:price|_5ml|_10ml)(?:\.price)?$/

// Fast path for most addresses of photos: the URL parser would return these unchanged.
const USUAL_ADDRESS = /^https:\/\/(?:[a-z](?:-?[a-z\d])*\.)+[a-z]+(?:\/[\w-][\w.%-]*)+(?:\?[\w.%=&-]+)?$/

/** Share links of files, which lead to a page that shows the picture. */
const SHARED = /^https?:\/\/(?:drive\.google|docs\.google|(?:www\.)?dropbox)\.com\//
const DRIVE_FILE = /^\/file\/(?:u\/\d+\/)?d\/([\w-]+)/
const DROPBOX_FILE = /^\/(?:s|scl\/fi)\//

/** `//host/path`, or `host.example/path`. */
const NO_PROTOCOL = /^(?:\/\/(?=[^/\\])|(?=(?:[a-z\d-]+\.)+[a-z]{2,}\/))/i

/** Returns `null` if the document has no name, or no owner that can have a page. */
export function parseProduct(id: string, data: unknown, complain: Complain): OwnedProduct | null {
  const seller = parseOwner(data, complain)
  const name = parseName(data, complain)
  if (seller === null || name === null) return null
  const unread: string[] = []
  const tell: Complain = (field, reason) => {
    complain(field, reason)
    if (PRICE_FIELD.test(field)) unread.push(field)
  }
  const photo = parsePhoto(data, complain)
  const { price, available } = parseOffer('', data, tell)
  const product: Product = {
    id,
    name,
    photo,
    price,
    available,
    _5ml: parseDecant('_5ml', data, tell),
    _10ml: parseDecant('_10ml', data, tell),
  }
  return { seller, product: unread.length === 0 ? product : { ...product, unread } }
}

function parseOwner(data: unknown, complain: Complain): string | null {
  const leaveOut = (reason: string): null => {
    complain('owner.id', reason, true)
    return null
  }
  const raw = readField(readField(data, 'owner'), 'id')
  if (typeof raw !== 'string')
    return leaveOut('is not a string, so the product belongs to no catalogue: set it to the id of the seller')
  const problem = findIdProblem(raw)
  return problem === null ? raw : leaveOut(problem)
}

function parseName(data: unknown, complain: Complain): string | null {
  const raw = readField(data, 'name')
  const name = typeof raw === 'string' ? parseText(raw) : ''
  if (name !== '') return name
  complain('name', typeof raw === 'string' ? 'is blank' : 'is not a string', true)
  return null
}

function parsePhoto(data: unknown, complain: Complain): string | null {
  const raw = parseField(TEXT, readField(data, 'photo'), (reason) => complain('photo', reason))
  if (raw === null || raw.trim() === '') return null
  const address = formatPhotoAddress(raw.trim())
  if (address === null)
    complain(
      'photo',
      'is not an http(s) address (without a user name) or a path of the site, of at most 2,000 characters',
    )
  return address
}

function formatPhotoAddress(raw: string): string | null {
  if (raw.length > MAX_ADDRESS) return null
  const address = USUAL_ADDRESS.test(raw) ? raw : parseAddress(raw.replace(NO_PROTOCOL, 'https://'))
  if (address === null || address.length > MAX_ADDRESS) return null
  return SHARED.test(address) ? findSharedPicture(new URL(address)) : address
}

/** Returns the address of the picture itself for the share link of a file, else the address. */
function findSharedPicture(url: URL): string {
  if (url.hostname.endsWith('google.com')) {
    const isOpened = url.pathname === '/open' || url.pathname === '/uc'
    const file = DRIVE_FILE.exec(url.pathname)?.[1] ?? (isOpened ? url.searchParams.get('id') : null)
    return file === null ? url.href : `https://drive.google.com/uc?export=view&id=${encodeURIComponent(file)}`
  }
  if (DROPBOX_FILE.test(url.pathname)) {
    url.searchParams.delete('dl')
    url.searchParams.set('raw', '1')
  }
  return url.href
}

function parseAddress(raw: string): string | null {
  const own = 'http://site.invalid'
  const url = URL.parse(raw, raw.startsWith('/') ? own : undefined)
  if (url === null || url.username !== '' || url.password !== '') return null
  if (url.origin === own) return isOwnPath(url.pathname) ? url.pathname : null
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null
}

// Rejects paths that cannot be decoded, or that would decode to another path or another host.
function isOwnPath(path: string): boolean {
  return !path.startsWith('//') && !/%(2f|5c|00)/i.test(path) && isDecodable(path)
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

function parseDecant(size: '_5ml' | '_10ml', data: unknown, complain: Complain): Decant {
  const raw = readField(data, size)
  if (raw === undefined || raw === null || isRecord(raw)) return parseOffer(`${size}.`, raw, complain)
  const price = parseAmount(raw, (fault) => complain(size, fault))
  return { price, available: isPayable(price) }
}

function parseOffer(prefix: string, data: unknown, complain: Complain): Decant {
  return {
    price: parseAmount(readField(data, 'price'), (fault) => complain(`${prefix}price`, fault)),
    available: parseFlag(readField(data, 'available'), (fault) => complain(`${prefix}available`, fault)),
  }
}
