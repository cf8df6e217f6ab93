/** Fetches a photo from an untrusted host, from permitted addresses only and within limits of time and size. */
import type { IncomingMessage } from 'node:http'
import { Agent as HttpAgent, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { PhotoHosts, PhotoPlace } from '../../domain/photos/photo-hosts.ts'
import { placePhoto } from '../../domain/photos/photo-hosts.ts'
import type { Validators } from './photo-rows.ts'

/** A photo that cannot be fetched or decoded. `message` is a phrase to print after the photo's address. */
export class PhotoError extends Error {
  override readonly name = 'PhotoError'
}

export interface FetchLimits {
  /** Max time, in milliseconds, redirects included. */
  readonly time: number
  readonly bytes: number
}

export type Fetched =
  | { readonly kind: 'photo'; readonly bytes: Uint8Array; readonly validators: Validators }
  | { readonly kind: 'unchanged' }

interface FetchOptions {
  readonly hosts: PhotoHosts
  readonly validators: Validators
  readonly limits: FetchLimits
  /** Finds the addresses of a name. */
  readonly lookUp: LookupFunction
  readonly signal: AbortSignal
}

const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const ACCEPT = 'image/avif,image/webp,image/png,image/jpeg,image/gif'

/** Always settles, even if the host never responds. Throws a `PhotoError`, or the reason of `signal`. */
export async function fetchPhoto(address: string, options: FetchOptions): Promise<Fetched> {
  const limit = new AbortController()
  // Does not use `AbortSignal.timeout`, because its timer does not keep the process alive while the fetch is pending.
  const timer = setTimeout(() => limit.abort(), options.limits.time)
  const signal = AbortSignal.any([options.signal, limit.signal])
  try {
    return await followRedirects(address, { ...options, signal })
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason
    if (limit.signal.aborted) throw new PhotoError(`did not arrive in ${options.limits.time / 1000} s`)
    if (error instanceof PhotoError) throw error
    throw new PhotoError(`cannot be fetched: ${readReason(error)}`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

async function followRedirects(address: string, options: FetchOptions): Promise<Fetched> {
  let next = address
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const place = placePhoto(next, options.hosts)
    if (place.kind !== 'remote') throw createRefusal(place, hop)
    const response = await sendRequest(place, options)
    try {
      const { statusCode = 0, headers } = response
      if (!REDIRECTS.has(statusCode)) return await readResponse(response, options)
      const target = headers.location === undefined ? null : URL.parse(headers.location, place.url)
      if (target === null) throw new PhotoError('redirects without a valid address')
      next = target.href
    } finally {
      response.destroy()
    }
  }
  throw new PhotoError(`has more than ${MAX_REDIRECTS} redirects`)
}

function createRefusal(place: Exclude<PhotoPlace, { kind: 'remote' }>, hop: number): PhotoError {
  const reason = place.kind === 'refused' ? place.reason : 'is not an address of another host'
  return new PhotoError(hop === 0 ? reason : `redirects to an address that ${reason}`)
}

async function sendRequest(
  { url, isExactOrigin }: Extract<PhotoPlace, { kind: 'remote' }>,
  { validators, signal, lookUp }: FetchOptions,
): Promise<IncomingMessage> {
  const isLiteral = isIP(url.hostname.replace(/[[\]]/g, '')) !== 0
  // Refuses an IP address that is not permitted as an exact origin. Node calls `lookup`, which checks addresses, only
  // for names.
  if (isLiteral && !isExactOrigin) throw new PhotoError('has an IP address as its host')
  const isSecure = url.protocol === 'https:'
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = (isSecure ? requestHttps : requestHttp)(url, {
    // A new agent for each request, because a kept-alive connection may have been opened without `createPublicLookup`.
    agent: isSecure ? new HttpsAgent() : new HttpAgent(),
    signal,
    headers: {
      accept: ACCEPT,
      ...(validators.etag !== null && { 'if-none-match': validators.etag }),
      ...(validators.modified !== null && { 'if-modified-since': validators.modified }),
    },
    ...(!isExactOrigin && { lookup: createPublicLookup(lookUp) }),
  })
  request
    .on('response', resolve)
    .on('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      reject(new PhotoError(`answers with status ${statusCode}`))
    })
    .on('error', reject)
    // Every request ends with `close`. This call rejects only if no other event came first; otherwise it has no effect.
    .on('close', () => reject(new PhotoError('cannot be fetched: its host closed the connection')))
    .end()
  return promise
}

/**
 * Creates the `lookup` function of a connection, which refuses private addresses. Checking an earlier look-up would not
 * suffice, because the connection's own may find other addresses.
 */
function createPublicLookup(lookUp: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    // Node asks for all addresses, and tries them in turn.
    lookUp(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '')
      const found = Array.isArray(addresses) ? addresses : []
      if (found.length === 0) return callback(new PhotoError('its host has no address'), '')
      if (found.some(({ address }) => isPrivateAddress(address)))
        return callback(new PhotoError('its host has a private address'), '')
      callback(null, found)
    })
  }
}

/** Public IPv6 addresses; all others are unassigned or special. */
const PUBLIC_V6 = new BlockList()
PUBLIC_V6.addSubnet('2000::', 3, 'ipv6')

/** Special-purpose ranges. Source: IANA IPv4 and IPv6 Special-Purpose Address Registries. */
const PRIVATE = new BlockList()
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // Ranges that embed an IPv4 address, or are for documentation or benchmarks.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]) {
  const [network = '', prefix] = range.split('/')
  PRIVATE.addSubnet(network, Number(prefix), readFamily(network))
}

/** Returns true unless the text is a public IP address. */
export function isPrivateAddress(address: string): boolean {
  if (isIPv6(address) && !PUBLIC_V6.check(address, 'ipv6')) return true
  return isIP(address) === 0 || PRIVATE.check(address, readFamily(address))
}

function readFamily(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

async function readResponse(
  response: IncomingMessage,
  { limits, validators, signal }: FetchOptions,
): Promise<Fetched> {
  const { statusCode, headers } = response
  const isAsked = validators.etag !== null || validators.modified !== null
  if (statusCode === 304 && isAsked) return { kind: 'unchanged' }
  if (statusCode !== 200) throw new PhotoError(`answers with status ${statusCode}`)
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw new PhotoError('has a content encoding that was not requested')
  if (Number(headers['content-length'] ?? 0) > limits.bytes) throw createSizeError(limits)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > limits.bytes) throw createSizeError(limits)
    chunks.push(chunk)
  }
  // A body without a length ends like a whole one when its connection is closed here.
  signal.throwIfAborted()
  const { etag = null, 'last-modified': modified = null } = headers
  return { kind: 'photo', bytes: Buffer.concat(chunks), validators: { etag, modified } }
}

function createSizeError({ bytes }: FetchLimits): PhotoError {
  return new PhotoError(`is larger than ${Math.floor(bytes / 1024 / 1024)} MB`)
}

function readReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message === '' && 'code' in error ? String(error.code) : error.message
}
