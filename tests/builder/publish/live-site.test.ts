/** The look at the live site after a publish. */
import { beforeEach, expect, it } from 'vitest'
import { lookAtSite, readLiveMarker } from '../../../src/builder/publish/live-site.ts'
import { formatMarker } from '../../../src/domain/wire/site-marker.ts'
import type { SiteMarker } from '../../../src/domain/wire/site-marker.ts'
import { startServer } from '../../support/run/servers.ts'

const MARKER: SiteMarker = {
  run: 'own',
  state: 'closed',
  time: '2026-01-01T00:00:00Z',
  renderer: 'r',
  sellers: 1,
  products: 1,
  largest: 1,
}
const answers = new Map<string, readonly [status: number, text: string]>()
let url: string
let looks: number

beforeEach(async () => {
  looks = 0
  answers.clear()
  answers.set('/', [200, 'home']).set('/estado.json', [200, formatMarker(MARKER)])
  url = await startServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    if (path === '/estado.json' && (looks += 1) === 3) answers.set(path, [200, formatMarker(MARKER)])
    const [status, text] = answers.get(path) ?? [404, '']
    response.writeHead(status).end(text)
  })
})

const look = (pauses: readonly number[] = []): Promise<string | null> =>
  lookAtSite({ url, run: 'own', home: Buffer.from('home'), pauses })

it('a look accepts the marker and the home page that were published, also if they come late', async () => {
  expect(await look()).toBeNull()
  answers.set('/estado.json', [200, formatMarker({ ...MARKER, run: 'older' })])
  expect(await look([1, 1])).toBeNull()
})

it.each<[string, readonly [number, string], string]>([
  [
    '/estado.json',
    [200, formatMarker({ ...MARKER, run: 'older' })],
    'is of run older (closed) instead of run own',
  ],
  [
    '/estado.json',
    [200, formatMarker({ ...MARKER, state: 'open' })],
    'is of run own (open) instead of run own',
  ],
  ['/estado.json', [404, ''], 'is of no run instead of run own'],
  ['/', [500, 'home'], 'answers with status 500 instead of 200'],
  ['/', [200, 'older'], 'has other bytes than the home page'],
])('reports what differs: %s with %j', async (path, answer, problem) => {
  answers.set(path, answer)
  expect(await look()).toContain(problem)
})

it('a look finds no marker where there is no site, and reports an address that fails or does not answer', async () => {
  answers.set('/estado.json', [404, ''])
  expect(await readLiveMarker(url)).toBeNull()
  answers.set('/estado.json', [503, ''])
  await expect(readLiveMarker(url)).rejects.toThrow('status 503')
  await expect(readLiveMarker('http://127.0.0.1:1')).rejects.toThrow('cannot be reached')
})
