/** Fetches a photo from an untrusted host, from permitted addresses only and within limits of time and size. */
import dns from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { readMessage } from '../../domain/documents/errors.ts'
import type { PhotoHosts, PhotoPlace } from '../../domain/photos/photo-hosts.ts'
import { placePhoto } from '../../domain/photos/photo-hosts.ts'

/** A photo that cannot be fetched or decoded. `message` is a phrase to print after the photo's address. */
export class PhotoError extends Error {
  override readonly name = 'PhotoError'
}

export interface FetchedPhoto {
  readonly bytes: Uint8Array
  readonly etag: string | null
}

interface FetchOptions {
  readonly hosts: PhotoHosts
  /** The validator of the known photo. */
  readonly etag: string | null
  /** Max time in milliseconds, redirects included. */
  readonly time: number
  readonly signal: AbortSignal
}

const MAX_MEBIBYTES = 24
const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const ACCEPT = 'image/avif,image/webp,image/png,image/jpeg,image/gif'

/**
 * Returns `null` if the photo is the one with this `etag`. Always settles, even if the host never responds.
 * Throws a `PhotoError`, or the reason of `signal`.
 */
export async function fetchPhoto(address: string, options: FetchOptions): Promise<FetchedPhoto | null> {
  const limit = AbortSignal.timeout(options.time)
  const signal = AbortSignal.any([options.signal, limit])
  try {
    return await followRedirects(address, { ...options, signal })
  } catch (error) {
    options.signal.throwIfAborted()
    if (limit.aborted) throw new PhotoError(`did not arrive in ${options.time / 1000} s`)
    if (error instanceof PhotoError) throw error
    // An error of several connections has only a code.
    const reason = readMessage(error) || (error as NodeJS.ErrnoException).code
    throw new PhotoError(`cannot be fetched: ${reason}`, { cause: error })
  }
}

async function followRedirects(address: string, options: FetchOptions): Promise<FetchedPhoto | null> {
  let next = address
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const place = placePhoto(next, options.hosts)
    if (place.kind !== 'remote') {
      const reason = place.kind === 'refused' ? place.reason : 'is not one of another host'
      throw new PhotoError(hop === 0 ? reason : `redirects to an address that ${reason}`)
    }
    const response = await sendRequest(place, options)
    try {
      const { statusCode = 0, headers } = response
      if (!REDIRECTS.has(statusCode)) return await readResponse(response, options)
      next = URL.parse(headers.location ?? '', place.url)?.href ?? ''
    } finally {
      response.destroy()
    }
  }
  throw new PhotoError(`has more than ${MAX_REDIRECTS} redirects`)
}

async function sendRequest(
  { url, isExactOrigin }: Extract<PhotoPlace, { kind: 'remote' }>,
  { etag, signal }: FetchOptions,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    // Without a shared agent, because a kept-alive connection may have been opened without `lookUpPublic`.
    agent: false,
    signal,
    headers: { accept: ACCEPT, ...(etag !== null && { 'if-none-match': etag }) },
    ...(!isExactOrigin && { lookup: lookUpPublic }),
  })
  request
    .on('response', resolve)
    .on('error', reject)
    // Every request ends with `close`, one whose host switches protocols without another event.
    .on('close', () => reject(new Error('its host closed the connection')))
    .end()
  return promise
}

/**
 * Finds the addresses of a name for a connection, and refuses private ones. Checking an earlier look-up would not
 * suffice, because the connection's own may find other addresses.
 */
const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  // Node asks for all addresses, and tries them in turn.
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error === null && addresses.some(({ address }) => isPrivateAddress(address)))
      callback(new PhotoError('its host has a private address'), '')
    else callback(error, addresses)
  })
}

/**
 * Special-purpose ranges. Of IPv6 only 2000::/3 is public. Source: IANA IPv4 and IPv6 Special-Purpose Address
 * Registries.
 */
const RANGES = `
0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3
::/3 2001::/23 2001:db8::/32 2002::/16 3fff::/20 4000::/2 8000::/1`

// Two lists, because one would check an IPv4 address against the ranges of IPv6, too.
const PRIVATE = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const range of RANGES.trim().split(/\s+/)) {
  const [network = '', prefix] = range.split('/')
  PRIVATE[readFamily(network)].addSubnet(network, Number(prefix), readFamily(network))
}

/** Returns true unless the text is a public IP address. */
export function isPrivateAddress(address: string): boolean {
  return isIP(address) === 0 || PRIVATE[readFamily(address)].check(address, readFamily(address))
}

function readFamily(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

async function readResponse(
  response: IncomingMessage,
  { etag, signal }: FetchOptions,
): Promise<FetchedPhoto | null> {
  const { statusCode, headers } = response
  if (statusCode === 304 && etag !== null) return null
  if (statusCode !== 200) throw new PhotoError(`answers with status ${statusCode}`)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > MAX_MEBIBYTES * 1024 * 1024) throw new PhotoError(`is larger than ${MAX_MEBIBYTES} MiB`)
    chunks.push(chunk)
  }
  // A body without a length ends like a whole one when its connection is closed here.
  signal.throwIfAborted()
  return { bytes: Buffer.concat(chunks), etag: headers.etag ?? null }
}
