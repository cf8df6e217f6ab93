/** The contract of every store of objects. */
import { describe, expect, it } from 'vitest'
import type { ObjectStore } from '../../../src/edge/objects/object-store.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const NOTES = { version: '1', updated: '2026-01-01T00:00:00Z' }

/** `store` holds nothing below `prefix`, which is new in each call. */
export function describeObjectStore(open: () => { store: ObjectStore; prefix: string }): void {
  describe('a store of objects', () => {
    it('has no object before the first put', async () => {
      const { store, prefix } = open()
      expect(await store.head(`${prefix}a`)).toBeNull()
      expect(await store.get(`${prefix}a`)).toBeNull()
      expect(await store.list(prefix, null)).toEqual({ objects: [], next: null })
    })

    it('returns the bytes, the tag and the notes of a put', async () => {
      const { store, prefix } = open()
      const key = `${prefix}perfumer%C3%ADa%20ana`
      const bytes = new Uint8Array([0, 255, 10, 128])
      const tag = await store.put(key, bytes, { seen: null, notes: NOTES })
      expect(tag).toMatch(/^[^"]+$/)
      expect(await store.head(key)).toEqual({ key, tag, notes: NOTES })
      expect(await store.get(key)).toEqual({ key, tag, notes: NOTES, bytes })
      expect((await store.list(prefix, null)).objects).toEqual([{ key, tag, notes: NOTES }])
    })

    it('reads as many of the first bytes as are asked for, and none if that fails', async () => {
      const { store, prefix } = open()
      const key = `${prefix}a`
      const bytes = new Uint8Array(300_000).map((_, index) => index % 251)
      const tag = await store.put(key, bytes, { seen: null, notes: NOTES })
      for (const length of [0, 1, 100_000, 300_000]) {
        const found = await store.get(key, (seen, size) => {
          expect([seen, size]).toEqual([{ key, tag, notes: NOTES }, 300_000])
          return length
        })
        expect(found?.bytes).toEqual(bytes.slice(0, length))
      }
      const refused = store.get(key, () => {
        throw new Error('no room')
      })
      await expect(refused).rejects.toThrow('no room')
    })

    it('puts only over the object that was seen', async () => {
      const { store, prefix } = open()
      const key = `${prefix}a`
      const put = (text: string, seen: string | null): Promise<string | null> =>
        store.put(key, encode(text), { seen, notes: NOTES })
      const first = await put('first', null)
      expect(await put('created again', null)).toBeNull()
      const second = await put('second', first)
      expect(second).not.toBe(first)
      expect(await put('of the first', first)).toBeNull()
      expect((await store.get(key))?.bytes).toEqual(encode('second'))
    })

    it('does not put over an object that is not there', async () => {
      const { store, prefix } = open()
      const seen = '0123456789abcdef0123456789abcdef'
      expect(await store.put(`${prefix}a`, encode('text'), { seen, notes: NOTES })).toBeNull()
      expect(await store.head(`${prefix}a`)).toBeNull()
    })

    it('lets one of several writers win that saw the same object', async () => {
      const { store, prefix } = open()
      const key = `${prefix}a`
      const puts = [1, 2, 3, 4].map((writer) =>
        store.put(key, encode(`writer ${writer}`), { seen: null, notes: NOTES }),
      )
      const tags = (await Promise.all(puts)).filter((tag) => tag !== null)
      expect(tags).toEqual([(await store.head(key))?.tag])
    })

    it('gives tags by content', async () => {
      const { store, prefix } = open()
      const put = (key: string, text: string): Promise<string | null> =>
        store.put(`${prefix}${key}`, encode(text), { seen: null, notes: NOTES })
      expect(await put('a', 'same')).toBe(await put('b', 'same'))
    })

    it('lists the keys below a prefix in order, from a key on', async () => {
      const { store, prefix } = open()
      for (const key of ['b', 'a', '%C3%A9', 'B'])
        await store.put(`${prefix}${key}`, encode(key), { seen: null, notes: NOTES })
      const list = async (after: string | null): Promise<readonly string[]> =>
        (await store.list(prefix, after)).objects.map(({ key }) => key.slice(prefix.length))
      expect(await list(null)).toEqual(['%C3%A9', 'B', 'a', 'b'])
      expect(await list(`${prefix}B`)).toEqual(['a', 'b'])
      expect(await list(`${prefix}b`)).toEqual([])
    })
  })
}
