import type { R2Bucket, R2Object } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { createR2Store } from '../../../src/edge/objects/r2-store.ts'

const unused = (): never => {
  throw new Error('not used')
}

/** A bucket whose puts fail with these messages, one after another, and then succeed. */
function createBucket(...failures: string[]): R2Bucket {
  const put = async (key: string): Promise<R2Object> => {
    const message = failures.shift()
    if (message !== undefined) throw new Error(message)
    return { key, etag: 'tag', size: 0 }
  }
  return { put, head: unused, get: unused, list: unused }
}

const BUSY = 'put: Reduce your concurrent request rate for the same object. (10058)'
const put = (bucket: R2Bucket, pauses: number[] = []): Promise<string | null> =>
  createR2Store(bucket, async (ms) => void pauses.push(ms)).put('a', new Uint8Array(), {
    seen: null,
    notes: {},
  })

it('tries a put again that comes too soon after another one', async () => {
  const pauses: number[] = []
  expect(await put(createBucket(BUSY, BUSY), pauses)).toBe('tag')
  expect(pauses.length).toBe(2)
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(400)
})

it('gives up after some tries, and at once for other failures', async () => {
  const pauses: number[] = []
  await expect(put(createBucket(...Array.from({ length: 5 }, () => BUSY)), pauses)).rejects.toThrow('10058')
  expect(pauses.length).toBe(4)
  await expect(put(createBucket('put: internal error (10001)'))).rejects.toThrow('10001')
})

it('rejects a list without end', async () => {
  const bucket = { ...createBucket(), list: async () => ({ objects: [], truncated: true }) }
  await expect(createR2Store(bucket).list('sellers/', null)).rejects.toThrow('listed no object')
})
