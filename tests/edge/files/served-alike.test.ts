/**
 * Requests for files, answered by Cloudflare's static assets and by the Worker of a bucket, each on the local runtime.
 * The bucket is filled by a publish.
 */
import { request as callHttp } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBucketClient } from '../../../src/builder/publish/bucket-client.ts'
import { publishToBucket } from '../../../src/builder/publish/bucket.ts'
import { formatHeaders } from '../../../src/builder/rebuild/static/edge-headers.ts'
import { createOutput } from '../../../src/builder/state/output.ts'
import type { WorkerRuntime } from '../../support/edge/worker-runtime.ts'
import { startRuntime } from '../../support/edge/worker-runtime.ts'
import { createAssets } from '../../support/search/search-assets.ts'
import { useSharedFolder, writeTree } from '../../support/run/temporary.ts'

const EXTENSIONS =
  'avif css gif ico jpeg jpg js json map md mjs mp3 mp4 otf pdf png svg ttf txt webmanifest webp woff2 xml zip'
const INLINE = { scripts: ["'sha256-a'"], styles: ["'sha256-b'"] }

/** Returns the file of a path in the site. */
function formatFile(path: string): string {
  return path === '/buscar' ? 'buscar.html' : path.slice(1)
}

const FILES: Readonly<Record<string, string>> = {
  _headers: formatHeaders(['_astro/app.1.js', 'viejo/x.css'], INLINE),
  // The forms that a site without product pages has.
  _redirects: [
    '/viejo/:seller/cartel /catalogo/:seller/cartel 200',
    '/viejo/:seller/nada /nada/:seller 200',
    '/viejo/:seller/:product /catalogo/:seller#p-:product 302',
    '/corto https://example.com/largo?a=1 301',
    '/todo/* /catalogo/:splat 308',
  ].join('\n'),
  '.assetsignore': '.partial\n',
  'index.html': '<p>home',
  '404.html': '<p>nothing here',
  'catalogo/404.html': '<p>no such seller',
  'catalogo/ana.html': '<p>ana',
  'catalogo/ana/404.html': '<p>no such product',
  'catalogo/ana/p1.html': '<p>p1',
  'catalogo/ana/cartel.html': '<p>poster',
  'catalogo/ana/feed.xml': '<feed/>',
  'catalogo/anabel.html': '<p>anabel',
  'catalogo/a%2Fb.html': '<p>a slash in the id',
  'catalogo/ñandú é.html': '<p>odd letters',
  "catalogo/@!'()*~;,&=+$.html": '<p>signs',
  'catalogo/a.b.html': '<p>a dot',
  'catalogo/店.html': '<p>shop',
  'carpeta/index.html': '<p>folder',
  'doble.html': '<p>file',
  'doble/index.html': '<p>index of the same name',
  sinpunto: 'no extension',
  'vacio.txt': '',
  'estado.json': '{}',
  ...Object.fromEntries([...createAssets().files].map(([path, text]) => [formatFile(path), text])),
  '_astro/app.1.js': 'app()',
  'fotos/a.avif': 'picture',
  ...Object.fromEntries(EXTENSIONS.split(' ').map((extension) => [`tipos/x.${extension}`, extension])),
}

type Sent = Readonly<Record<string, string>>
/** In a header, `ETAG` stands for the ETag that the place gives. */
type Case = readonly [status: number, path: string, method?: string, headers?: Sent]

const CASES: readonly Case[] = [
  [200, '/'],
  [200, '/?q=1'],
  [307, '/index.html?q=1'],
  [307, '/index'],
  [200, '/catalogo/ana'],
  [200, '/catalogo/ana', 'HEAD'],
  [307, '/catalogo/ana/'],
  [307, '/catalogo/ana.html'],
  [307, '/catalogo/ana/?a=b&c'],
  [307, '/catalogo/ana/index'],
  [307, '/catalogo/ana/index.html'],
  [200, '/catalogo/ana/p1'],
  [200, '/catalogo/ana/feed.xml'],
  [404, '/catalogo/ana/feed.xml/'],
  [200, '/catalogo/anabel'],
  [200, '/catalogo/a%252Fb'],
  [307, '/catalogo/a%2Fb'],
  [307, '/catalogo/%61na'],
  [200, '/catalogo/%C3%B1and%C3%BA%20%C3%A9'],
  [307, '/catalogo/%c3%b1and%c3%ba%20%c3%a9'],
  [307, "/catalogo/@!'()*~;,&=+$"],
  [200, "/catalogo/%40!'()*~%3B%2C%26%3D%2B%24"],
  [200, '/catalogo/a.b'],
  [200, '/catalogo/%E5%BA%97'],
  [307, '/catalogo/%E5%BA'],
  [307, '/catalogo/%zz'],
  [307, '/catalogo//ana'],
  [307, '//catalogo/ana'],
  [307, '//example.com/'],
  [200, '/x/../catalogo/ana'],
  [200, '/x/%2e%2e/catalogo/ana'],
  [307, '/x/..%2f..%2fcatalogo/ana'],
  [404, '/catalogo/%00'],
  [404, '/catalogo/nadie'],
  [404, '/catalogo/nadie/'],
  [404, '/catalogo/nadie', 'HEAD'],
  [404, '/catalogo/ana/nada'],
  [404, '/catalogo/nadie/nada'],
  [404, '/catalogo'],
  [404, `/${'largo'.repeat(300)}`],
  [404, `/catalogo/ana/${'x/'.repeat(60)}x`],
  [404, '/nada.html'],
  [200, '/404'],
  [307, '/404.html'],
  [307, '/catalogo/404/'],
  [200, '/carpeta'],
  [307, '/carpeta/'],
  [307, '/carpeta/index.html'],
  [200, '/doble'],
  [200, '/doble/index.html'],
  [307, '/doble/index'],
  [200, '/sinpunto'],
  [404, '/sinpunto/'],
  [200, '/vacio.txt'],
  [200, '/estado.json?1'],
  [200, '/buscar'],
  [200, '/buscar', 'HEAD'],
  [200, '/buscar?q=eros'],
  [200, '/buscar?q=eros', 'HEAD'],
  [405, '/buscar?q=eros', 'POST'],
  [200, '/buscar/00.txt'],
  [404, '/buscar/99.txt'],
  [200, '/_astro/app.1.js'],
  [404, '/_astro/app.2.js'],
  [200, '/fotos/a.avif'],
  [404, '/fotos/b.avif'],
  [404, '/_headers'],
  [404, '/_redirects'],
  [404, '/.assetsignore'],
  [302, '/viejo/ana/p1?a=b'],
  [302, '/viejo/a%2Fb/%C3%B1', 'POST'],
  [200, '/viejo/ana/cartel'],
  [404, '/viejo/ana/nada'],
  [301, '/corto'],
  [308, '/todo/ana/p1'],
  [308, '/todo//example.com'],
  [304, '/catalogo/ana', 'GET', { 'if-none-match': 'ETAG' }],
  [304, '/catalogo/ana', 'GET', { 'if-none-match': 'W/ETAG' }],
  [304, '/catalogo/ana', 'HEAD', { 'if-none-match': 'ETAG' }],
  [304, '/catalogo/ana', 'HEAD', { 'if-none-match': 'W/ETAG' }],
  [200, '/catalogo/ana', 'GET', { 'if-none-match': '"1"' }],
  [200, '/catalogo/ana', 'GET', { 'if-none-match': '"1", ETAG' }],
  [200, '/catalogo/ana', 'GET', { 'if-none-match': '*' }],
  [200, '/catalogo/ana', 'GET', { 'if-modified-since': 'Fri, 31 Dec 2100 00:00:00 GMT' }],
  [304, '/catalogo/nadie', 'GET', { 'if-none-match': 'ETAG' }],
  [304, '/estado.json', 'GET', { 'if-none-match': 'ETAG' }],
  [200, '/fotos/a.avif', 'HEAD'],
  [200, '/fotos/a.avif', 'GET', { range: 'bytes=0-1' }],
  [200, '/fotos/a.avif', 'GET', { range: 'bytes=-2' }],
  [200, '/fotos/a.avif', 'GET', { range: 'bytes=0-1,3-4' }],
  [200, '/fotos/a.avif', 'GET', { range: 'bytes=999-' }],
  [200, '/fotos/a.avif', 'GET', { range: 'bytes=0-1', 'if-range': 'ETAG' }],
  [200, '/fotos/a.avif', 'HEAD', { range: 'bytes=0-1' }],
  [304, '/fotos/a.avif', 'GET', { range: 'bytes=0-1', 'if-none-match': 'ETAG' }],
  [404, '/fotos/b.avif', 'GET', { range: 'bytes=0-1' }],
  [200, '/catalogo/ana', 'GET', { authorization: 'Basic eA==' }],
  [405, '/catalogo/ana', 'POST'],
  [405, '/catalogo/ana', 'PUT'],
  [405, '/catalogo/ana/', 'DELETE'],
  [405, '/catalogo/nadie', 'OPTIONS'],
  ...Object.keys(FILES)
    .filter((path) => path.startsWith('tipos/'))
    .map((path) => [200, `/${path}`] as const),
]

const folder = useSharedFolder()
let assets: WorkerRuntime
let bucket: WorkerRuntime

beforeAll(async () => {
  writeTree(folder(), FILES)
  const find = (name: string): string => join(import.meta.dirname, '../../support/edge/workers', name)
  assets = await startRuntime({
    configuration: 'wrangler.jsonc',
    files: folder(),
    entry: find('asset-search.ts'),
  })
  bucket = await startRuntime({ configuration: 'wrangler.bucket.jsonc', entry: find('held-bucket.ts') })
  const skip = async (): Promise<void> => {}
  const client = createBucketClient({ origin: bucket.origin, token: 'held', permit: skip, wait: skip })
  await publishToBucket({
    output: createOutput(folder()),
    // The Worker would remember that there are no rules yet.
    client: { ...client, readPolicy: async () => '' },
    due: 'everything',
    failing: new Set(),
    keptAssets: [],
    markers: { open: '{"open"}', closed: '{}' },
    formatHeaders: () => FILES['_headers'] ?? '',
    wait: skip,
    progress: () => {},
  })
})

afterAll(async () => {
  await assets?.kill()
  await bucket?.kill()
})

interface Answer {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** The ETag is a hash of the bytes in both places, but another one. */
const OF_PLACE = ['date', 'cf-cache-status']

/** Sends the path as it is, without the corrections of `fetch`. */
function send(origin: string, [, path, method = 'GET', headers = {}]: Case): Promise<Answer> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const call = callHttp({ hostname, port, path, method, headers }, async (response) => {
      let body = ''
      for await (const chunk of response) body += chunk
      const own = Object.entries(response.headers).filter(([name]) => !OF_PLACE.includes(name))
      resolve({ status: response.statusCode, headers: Object.fromEntries(own), body })
    })
    call.on('error', reject)
    call.end()
  })
}

async function answer(origin: string, one: Case): Promise<Answer> {
  const [status, path, , sent = {}] = one
  const { headers } = await send(origin, [status, path])
  const given = Object.entries(sent).map(([name, value]) => [
    name,
    value.replace('ETAG', String(headers['etag'])),
  ])
  const found = await send(origin, [status, path, one[2], Object.fromEntries(given)])
  const { etag, ...others } = found.headers
  expect(etag ?? '""').toMatch(/^"[\da-f]*"$/)
  return { ...found, headers: { ...others, hasTag: etag !== undefined } }
}

describe('static assets and a bucket answer alike', () => {
  const rows = CASES.map((one) => [one.map((part) => JSON.stringify(part)).join(' '), one] as const)
  it.each(rows)('%s', async (_, one) => {
    const expected = await answer(assets.origin, one)
    expect(expected.status).toBe(one[0])
    expect(await answer(bucket.origin, one)).toEqual(expected)
  })
})
