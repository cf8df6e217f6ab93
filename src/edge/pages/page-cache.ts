/**
 * The cache of one data centre in front of the store. Entries stay for up to an hour, so that they can be shown while
 * the store fails; the caller decides how long they are fresh. The age of an entry is counted from the start of its
 * read.
 */
import type { ContentBody, Content } from './content.ts'
import { readMessage } from '../../domain/documents/errors.ts'

export type CacheEntry = {
  /** When reading or rendering of the content began, in ms. */
  readonly begun: number
  readonly content: Content
}

/** Accepts work that may continue after the response is sent. */
export type Later = (work: Promise<void>) => void

/** `address`: an encoded path of the site, or a key that no path of the site equals. */
export interface PageCache {
  /** Returns `null` if there is no entry or the cache fails. */
  read(address: string): Promise<CacheEntry | null>
  /**
   * Returns the cached entry if it is newer than `entry`. Otherwise returns `entry`, and puts it into the cache
   * `later`, unless a newer entry or a deletion comes first.
   */
  keep(address: string, entry: CacheEntry, later: Later): Promise<CacheEntry>
  /**
   * Deletes the entry. With `time` (in ms), results of reads that this isolate began at that time or earlier are no
   * longer put into the cache.
   */
  forget(address: string, time?: number): Promise<void>
}

interface PageCacheOptions {
  readonly origin: string
  /** Separates the entries of different versions of the code. */
  readonly code: string
  readonly log: (line: string) => void
}

/** The methods of the runtime's cache that are used here. */
export type HostCache = Pick<Cache, 'match' | 'put' | 'delete'>

/** Max time that an entry stays in the cache, in seconds. */
export const LONGEST_AGE = 3_600
const HEADER = 'vitrina-entry'
/** Max addresses for which the start time of the newest read is remembered. */
const REMEMBERED = 1_000

export function createPageCache(cache: HostCache, { origin, code, log }: PageCacheOptions): PageCache {
  const createKey = (address: string): string => `${origin}${address}?code=${encodeURIComponent(code)}`
  const newest = createNewest()
  const guard = async <Result>(work: Promise<Result>, otherwise: Result): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      log(`pages: the cache failed: ${readMessage(error)}`)
      return otherwise
    }
  }
  const read = async (address: string): Promise<CacheEntry | null> => {
    const found = await cache.match(createKey(address))
    return found === undefined ? null : parseEntry(found)
  }
  const put = async (address: string, entry: CacheEntry): Promise<void> => {
    if (newest.find(address) === entry.begun) await cache.put(createKey(address), formatEntry(entry))
  }
  const keep = async (address: string, entry: CacheEntry, later: Later): Promise<CacheEntry> => {
    newest.note(address, entry.begun)
    const held = await guard(read(address), null)
    if (held !== null && held.begun > entry.begun) return held
    later(guard(put(address, entry), undefined))
    return entry
  }
  return {
    read: (address) => guard(read(address), null),
    keep,
    forget: async (address, time = 0) => {
      // `+ 1`, so that the result of a read that began in the same millisecond is not put either.
      newest.note(address, time + 1)
      await guard(cache.delete(createKey(address)), false)
    },
  }
}

// Remembers when the newest read of each address began, because the runtime's cache has no conditional writes. Without
// these times, concurrent requests might put an older entry last, or put a stale entry after a deletion.
function createNewest(): {
  find(address: string): number | undefined
  note(address: string, begun: number): void
} {
  const times = new Map<string, number>()
  return {
    find: (address) => times.get(address),
    note: (address, begun) => {
      const time = Math.max(begun, times.get(address) ?? 0)
      times.delete(address)
      times.set(address, time)
      const [oldest] = times.keys()
      if (times.size > REMEMBERED && oldest !== undefined) times.delete(oldest)
    },
  }
}

type Head = { readonly begun: number } & (Omit<ContentBody, 'body'> | Exclude<Content, ContentBody>)

function formatEntry({ begun, content }: CacheEntry): Response {
  const { body, ...rest } = content.kind === 'body' ? content : { ...content, body: null }
  const head: Head = { begun, ...rest }
  const headers = { 'cache-control': `public, max-age=${LONGEST_AGE}`, [HEADER]: JSON.stringify(head) }
  return new Response(body === null ? null : new Uint8Array(body), { headers })
}

async function parseEntry(response: Response): Promise<CacheEntry | null> {
  const text = response.headers.get(HEADER)
  if (text === null) return null
  const { begun, ...content } = JSON.parse(text) as Head
  if (content.kind !== 'body') return { begun, content }
  return { begun, content: { ...content, body: new Uint8Array(await response.arrayBuffer()) } }
}
