/** The calls of a builder to the files of a bucket, on the local runtime. */
import { createHash } from 'node:crypto'
import { request as callHttp } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBucketClient } from '../../../src/builder/publish/bucket-client.ts'
import { CallError } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import { formatFileCall } from '../../../src/domain/wire/file-calls.ts'
import type { Bucket } from '../../../src/edge/files/bucket.ts'
import { LONGEST_KEY } from '../../../src/edge/files/bucket.ts'
import { LARGEST_FILE } from '../../../src/domain/pages/site.ts'
import { createFilesApi } from '../../../src/edge/files/files-api.ts'
import type { WorkerRuntime } from '../../support/edge/worker-runtime.ts'
import { startRuntime } from '../../support/edge/worker-runtime.ts'
import { startServer } from '../../support/run/servers.ts'

let worker: WorkerRuntime

beforeAll(async () => {
  const entry = join(import.meta.dirname, '../../support/edge/workers/files-api.ts')
  worker = await startRuntime({ configuration: 'wrangler.bucket.jsonc', entry })
})

afterAll(() => worker?.kill())

const skip = async (): Promise<void> => {}

const TEXT = 'a file of the site'

interface Call {
  readonly method?: string
  readonly key?: string
  /** Who holds the lease, asked one time after the other. */
  readonly holder?: string
  /** Milliseconds between two looks at the clock. By default the Worker forgets who holds the lease. */
  readonly step?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

async function call({ method = 'PUT', key = 'a.html', holder = 'yes yes', step = 20_000, ...rest }: Call) {
  const body = method === 'PUT' ? (rest.body ?? TEXT) : undefined
  const response = await fetch(worker.origin + formatFileCall(key), {
    method,
    ...(body !== undefined && { body }),
    headers: {
      authorization: 'Bearer token',
      'content-md5': createHash('md5').update(TEXT).digest('base64'),
      'x-holder': holder,
      'x-step': String(step),
      ...rest.headers,
    },
  })
  return { status: response.status, left: response.headers.get('x-left'), text: await response.text() }
}

async function listKeys(prefix = ''): Promise<readonly string[]> {
  const { text } = await call({ method: 'GET', key: prefix })
  return JSON.parse(text).files.map(([key]: readonly string[]) => key)
}

const REFUSED: readonly (readonly [name: string, status: number, given: Call])[] = [
  ['without a token', 401, { headers: { authorization: '' } }],
  ['of a builder without the lease', 409, { holder: 'no' }],
  ['of a builder that loses the lease before the body has come', 409, { holder: 'yes no' }],
  ['without an MD5', 400, { headers: { 'content-md5': '' } }],
  ['of other bytes than the MD5 says', 400, { body: `${TEXT}?` }],
  ['with a key that is too long', 400, { key: 'k'.repeat(LONGEST_KEY + 1) }],
  ['without a key', 400, { key: '' }],
  ['of a folder', 400, { key: 'a/' }],
]

it.each(REFUSED)('a put %s stores nothing in the bucket', async (_, status, given) => {
  expect(await call({ key: 'refused.html', ...given })).toMatchObject({ status })
  expect(await listKeys('refused')).toEqual([])
})

it('a removal from a bucket and its list need the lease, and other methods are refused', async () => {
  await call({ key: 'kept.html' })
  expect(await call({ method: 'DELETE', key: 'kept.html', holder: 'no' })).toMatchObject({ status: 409 })
  expect(await call({ method: 'GET', key: '', holder: 'no' })).toMatchObject({ status: 409 })
  expect(await call({ method: 'POST' })).toMatchObject({ status: 405 })
  expect(await listKeys('kept')).toEqual(['kept.html'])
})

/** Sends the head of a put, and not its body. */
function beginPut(headers: Readonly<Record<string, string | number>>): Promise<number | undefined> {
  const { hostname, port } = new URL(worker.origin)
  const own = {
    authorization: 'Bearer token',
    'content-md5': createHash('md5').update(TEXT).digest('base64'),
    'x-holder': 'yes yes',
    'x-step': '20000',
  }
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path: formatFileCall('begun.html'), method: 'PUT' }
    const sent = callHttp({ ...options, headers: { ...own, ...headers } }, ({ statusCode }) => {
      resolve(statusCode)
      sent.destroy()
    })
    sent.on('error', reject)
    sent.flushHeaders()
  })
}

it('a file that is too large is not read, and one that does not come is not waited for', async () => {
  expect(await beginPut({ 'content-length': LARGEST_FILE + 1 })).toBe(413)
  expect(await beginPut({ 'content-length': TEXT.length, 'x-short': '' })).toBe(408)
  expect(await listKeys('begun')).toEqual([])
})

it('an isolate remembers for ten seconds who holds the lease, and only that', async () => {
  const headers = { authorization: 'Bearer first' }
  const other = { authorization: 'Bearer second' }
  expect(await call({ holder: 'yes', step: 0, headers })).toMatchObject({ status: 204, left: '0' })
  expect(await call({ holder: 'no', step: 1_000, headers })).toMatchObject({ status: 204, left: '1' })
  expect(await call({ holder: 'no no', step: 0, headers: other })).toMatchObject({ status: 409, left: '1' })
  expect(await call({ holder: 'no', step: 10_000, headers })).toMatchObject({ status: 409, left: '0' })
})

it('the builder puts, lists and removes files of a bucket, whatever letters their keys have', async () => {
  const headers = { 'x-holder': 'yes yes', 'x-step': '20000' }
  const origin = await startServer(async (request, response) => {
    const chunks = await request.toArray()
    const answer = await fetch(worker.origin + request.url, {
      method: request.method ?? '',
      headers: { ...(request.headers as Record<string, string>), ...headers },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    response.writeHead(answer.status).end(await answer.text())
  })
  const client = createBucketClient({ origin, token: 'token', permit: skip, wait: skip })
  const keys = ['l/ñandú é.html', 'l/a%2Fb.html', 'l/@!?#&=+$ %zz.html', 'l/店/p.html', 'l/vacio.txt']
  for (const key of keys) await client.put(key, Buffer.from(key === 'l/vacio.txt' ? '' : key))
  const listed = await client.list('l/')
  expect([...listed.keys()].toSorted()).toEqual(keys.toSorted())
  expect(listed.get('l/a%2Fb.html')).toBe(createHash('md5').update('l/a%2Fb.html').digest('hex'))
  for (const key of keys) await client.remove(key)
  expect(await client.list('l/')).toEqual(new Map())
})

it('the builder gets all pages of a bucket’s list', async () => {
  const keys = Array.from({ length: 2_500 }, (_, index) => `k/${String(index).padStart(4, '0')}`)
  const list: Bucket['list'] = async ({ cursor = '0' }) => {
    const end = Number(cursor) + 1_000
    const objects = keys.slice(Number(cursor), end).map((key) => ({ key, etag: key }))
    return end < keys.length ? { objects, truncated: true, cursor: `${end}` } : { objects, truncated: false }
  }
  const answer = createFilesApi({ now: Date.now, log: () => {} })
  const origin = await startServer(async ({ url = '' }, response) => {
    const request = new Request(`https://site${url}`, { headers: { authorization: 'Bearer token' } })
    const answered = await answer(request, { bucket: { list } as Bucket, isHolder: async () => true })
    response.end(await answered.text())
  })
  const client = createBucketClient({ origin, token: 'token', permit: skip, wait: skip })
  expect([...(await client.list('k/')).keys()]).toEqual(keys)
})

it('the builder repeats a put that comes too often or before the Worker has a bucket, and ends with the lease', async () => {
  const answers = [404, 429, 503, 204, 409]
  const waits: number[] = []
  const origin = await startServer((_, response) => void response.writeHead(answers.shift() ?? 500).end())
  const client = createBucketClient({
    origin,
    token: 'token',
    permit: skip,
    wait: async (ms) => void waits.push(ms),
  })
  await client.put('a', Buffer.from('a'))
  expect(waits).toEqual([1_000, 2_000, 3_000])
  await expect(client.remove('a')).rejects.toThrow(CallError)
  expect(answers).toEqual([])
})
