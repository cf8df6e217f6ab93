/** A product of a catalogue, parsed from its document. */
import type { Complain, FieldKind } from './document.ts'
import { FLAG, parseField, readField, TEXT } from './document.ts'
import { isRecord } from './json.ts'
import { isPrice } from './price.ts'
import { findIdProblem } from './page-id.ts'
import { cleanText } from './text.ts'

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

// Fast path for most addresses of photos: the URL parser would return these unchanged.
const USUAL_ADDRESS = /^https:\/\/(?:[a-z](?:-?[a-z\d])*\.)+[a-z]+(?:\/[\w-][\w.%-]*)+(?:\?[\w.%=&-]+)?$/

const PRICE: FieldKind<number> = { isValid: isPrice, fault: 'is not an amount between 0 and 999,999,999' }

/** Returns `null` if the document has no name, or no owner that can have a page. */
export function parseProduct(id: string, data: unknown, complain: Complain): OwnedProduct | null {
  const seller = parseOwner(data, complain)
  const name = parseName(data, complain)
  if (seller === null || name === null) return null
  const product: Product = {
    id,
    name,
    photo: parsePhoto(data, complain),
    price: parsePrice('', data, complain),
    available: parseAvailable('', data, complain),
    _5ml: parseDecant('_5ml', data, complain),
    _10ml: parseDecant('_10ml', data, complain),
  }
  return { seller, product }
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
  const name = typeof raw === 'string' ? cleanText(raw) : ''
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
  const address = USUAL_ADDRESS.test(raw) ? raw : parseAddress(raw)
  return address !== null && address.length <= MAX_ADDRESS ? address : null
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

function parsePrice(size: Size, data: unknown, complain: Complain): number | null {
  return parseField(PRICE, readField(data, 'price'), (reason) => complain(formatField(size, 'price'), reason))
}

function parseAvailable(size: Size, data: unknown, complain: Complain): boolean {
  const field = formatField(size, 'available')
  return parseField(FLAG, readField(data, 'available'), (reason) => complain(field, reason)) === true
}

function parseDecant(size: '_5ml' | '_10ml', data: unknown, complain: Complain): Decant {
  const raw = readField(data, size)
  if (raw !== undefined && raw !== null && !isRecord(raw)) complain(size, 'is not a map')
  return { price: parsePrice(size, raw, complain), available: parseAvailable(size, raw, complain) }
}

type Size = '' | '_5ml' | '_10ml'

function formatField(size: Size, key: string): string {
  return size === '' ? key : `${size}.${key}`
}
