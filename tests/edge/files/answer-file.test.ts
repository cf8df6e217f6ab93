/** What the Worker of a bucket does by itself, besides what static assets do. */
import { expect, it } from 'vitest'
import { createFileServer } from '../../../src/edge/files/answer-file.ts'
import type { Bucket } from '../../../src/edge/files/bucket.ts'

function createSite(files: Record<string, string>) {
  let time = 0
  const [reads, lines]: string[][] = [[], []]
  const answer = createFileServer({ now: () => time, log: (line) => void lines?.push(line) })
  const find = async (key: string) => {
    reads?.push(key)
    if (files[key] === 'broken') throw new Error('no bucket')
    const { body } = new Response(files[key])
    return files[key] === undefined ? null : { key, etag: 'e', body, text: async () => files[key] }
  }
  return {
    lines,
    pass: (ms: number) => void (time += ms),
    /** Returns the answer, and the keys that were read for it. */
    get: async (path: string) => {
      const { status, headers } = await answer(new Request(`https://site${path}`), {
        head: find,
        get: find,
      } as Bucket)
      return { status, rule: headers.get('x-rule'), reads: reads?.splice(0) }
    },
  }
}

const RULES = ['_headers', '_redirects']

it('the rules of a bucket are read again after five seconds, and a page by two reads at once', async () => {
  const files = { _headers: '/*\n  X-Rule: old', 'a.html': 'a' }
  const { get, pass } = createSite(files)
  expect(await get('/a')).toEqual({ status: 200, rule: 'old', reads: [...RULES, 'a.html', 'a'] })
  files['_headers'] = '/*\n  X-Rule: new'
  pass(4_999)
  expect(await get('/a')).toEqual({ status: 200, rule: 'old', reads: ['a.html', 'a'] })
  pass(1)
  expect(await get('/a')).toMatchObject({ rule: 'new' })
})

it('an address with many folders reads no 404 page of each', async () => {
  const { get } = createSite({ '404.html': 'none' })
  const { status, reads } = await get(`/${'x/'.repeat(300)}x`)
  expect([status, (reads ?? []).length < 20]).toEqual([404, true])
})

it('a bucket that fails gives an error that no cache keeps, and a line without an address', async () => {
  const { get, lines } = createSite({ 'a.html': 'broken' })
  expect(await get('/a')).toMatchObject({ status: 503 })
  expect(lines).toEqual(['files: no bucket'])
})
