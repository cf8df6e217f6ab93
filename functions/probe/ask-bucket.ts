/** Runs tests on an R2 bucket, through the store that the site's Worker uses. */
import type { R2Bucket } from 'cloudflare:workers'
import type { ObjectStore } from '../../src/edge/objects/object-store.ts'
import { createR2Store } from '../../src/edge/objects/r2-store.ts'

type Ask = (store: ObjectStore, key: string, size: number) => Promise<unknown>

const ASKS: Readonly<Record<string, Ask>> = {
  create: (store, key, size) => race(store, key, { seen: null, size }),
  replace: async (store, key, size) => {
    const found = await store.head(key)
    return race(store, key, { seen: found?.tag ?? '', size })
  },
  same: putEqual,
  list: listPut,
  notes: keepNotes,
}

/** Result of a test, and the number of its R2 operations in each of the billing classes A and B. */
type BucketAnswer = {
  readonly answer: unknown
  readonly classA: number
  readonly classB: number
}

export async function askBucket(bucket: R2Bucket, parameters: URLSearchParams): Promise<BucketAnswer> {
  const read = (name: string): string => parameters.get(name) ?? ''
  const counts = { classA: 0, classB: 0 }
  const store = countOperations(createR2Store(bucket), counts)
  const answer = await ASKS[read('what')]?.(store, read('key'), Number(read('size')))
  return { answer, ...counts }
}

function countOperations(store: ObjectStore, counts: { classA: number; classB: number }): ObjectStore {
  return {
    head: (...asked) => ((counts.classB += 1), store.head(...asked)),
    get: (...asked) => ((counts.classB += 1), store.get(...asked)),
    put: (...asked) => ((counts.classA += 1), store.put(...asked)),
    list: (...asked) => ((counts.classA += 1), store.list(...asked)),
  }
}

/**
 * Starts `size` concurrent puts of different bytes. Each may store only if the object's tag is still `seen` (`null`: if
 * there is no object yet). Returns how many succeeded (`won`), and whether the stored object has the tag of the first
 * success (`isKept`).
 */
async function race(
  store: ObjectStore,
  key: string,
  { seen, size }: { readonly seen: string | null; readonly size: number },
): Promise<object> {
  const writers = Array.from({ length: size }, (_, index) => encode(`${key} ${index} ${Math.random()}`))
  const tags = await Promise.all(writers.map((bytes) => store.put(key, bytes, { seen, notes: {} })))
  const [tag = null] = tags.filter((one) => one !== null)
  const found = await store.head(key)
  return { won: tags.filter((one) => one !== null).length, isKept: tag !== null && found?.tag === tag }
}

/** Returns whether equal bytes get equal tags (`isSame`) and different bytes get different tags (`isOther`). */
async function putEqual(store: ObjectStore, key: string): Promise<object> {
  const put = async (text: string): Promise<string | null> => {
    const seen = (await store.head(key))?.tag ?? null
    return store.put(key, encode(text), { seen, notes: {} })
  }
  const [first, other, again] = [await put('one'), await put('two'), await put('one')]
  return { isSame: first === again, isOther: first !== other }
}

async function listPut(store: ObjectStore, key: string, size: number): Promise<object> {
  const keys = Array.from({ length: size }, (_, index) => `${key}${index}`)
  for (const one of keys) {
    const seen = (await store.head(one))?.tag ?? null
    await store.put(one, encode(one), { seen, notes: { of: one } })
  }
  const { objects, next } = await store.list(key, null)
  return {
    listed: objects.length,
    noted: objects.filter(({ key: one, notes }) => notes['of'] === one).length,
    next,
  }
}

async function keepNotes(store: ObjectStore, key: string, size: number): Promise<object> {
  const text = 'x'.repeat(size)
  const seen = (await store.head(key))?.tag ?? null
  await store.put(key, encode('noted'), { seen, notes: { text } })
  return { isKept: (await store.head(key))?.notes['text'] === text }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
