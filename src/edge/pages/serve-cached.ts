/**
 * Reads content through the cache. Returns fresh content from the cache, otherwise content from `load`, or stale
 * content from the cache if `load` fails.
 */
import type { Content } from './content.ts'
import type { CacheEntry, Later, PageCache } from './page-cache.ts'
import { LONGEST_AGE } from './page-cache.ts'
import { readMessage } from '../../domain/documents/errors.ts'

interface CachedRead {
  readonly address: string
  /** Returns how long the content is fresh, from the start of its read, in ms. */
  readonly findMaxAge: (content: Content) => number
  /** Reads or renders the content. Rejects on a failure. */
  readonly load: () => Promise<Content>
}

export interface CacheWorld {
  readonly cache: PageCache
  readonly now: () => number
  readonly later: Later
  readonly log: (line: string) => void
  readonly wait: (ms: number) => Promise<void>
}

/** Max time of `load`, in ms. */
const PATIENCE = 5_000

/** Returns `null` if `load` fails or takes too long, and the cache has no entry that may be shown. */
export async function readCached(
  { address, findMaxAge, load }: CachedRead,
  { cache, now, later, log, wait }: CacheWorld,
): Promise<Content | null> {
  const held = await cache.read(address)
  const begun = now()
  if (held !== null && isYounger(held, begun, findMaxAge(held.content))) return held.content
  try {
    const loading = load()
    // Lets the load end if the visitor disconnects or the load takes too long, because it holds memory until its end.
    later(settle(loading))
    const content = await Promise.race([loading, fail(wait)])
    return (await cache.keep(address, { begun, content }, later)).content
  } catch (error) {
    log(`pages: ${address} cannot be read: ${readMessage(error)}`)
    return held !== null && isYounger(held, begun, LONGEST_AGE * 1_000) ? held.content : null
  }
}

function isYounger({ begun }: CacheEntry, time: number, age: number): boolean {
  return time - begun < age
}

async function settle(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work])
}

async function fail(wait: CacheWorld['wait']): Promise<never> {
  await wait(PATIENCE)
  throw new Error(`the store did not answer in ${PATIENCE / 1_000} s`)
}
