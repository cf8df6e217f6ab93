/** The check of the live site after a publish. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { beforeEach, expect, it } from 'vitest'
import { formatPageAddress, lookAtPicture, lookAtSite } from '../../../src/builder/publish/look-at-site.ts'
import { startServer } from '../../support/run/start-server.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()
const answers = new Map<string, readonly [status: number, text: string, headers?: Record<string, string>]>()
/** Is called before each answer. */
let onRequest = (_page: string): void => {}
let url: string

beforeEach(async () => {
  mkdirSync(path('catalogo'))
  writeFileSync(path('index.html'), 'home')
  writeFileSync(path('catalogo/perfumería ana.html'), 'ana')
  onRequest = () => {}
  answers.clear()
  answers.set('/', [200, 'home']).set('/catalogo/perfumería ana', [200, 'ana'])
  url = await startServer((request, response) => {
    const asked = decodeURIComponent(request.url?.split('?')[0] ?? '')
    onRequest(asked)
    const [status, text, headers] = answers.get(asked) ?? [404, '']
    response.writeHead(status, headers).end(text)
  })
})

const look = (pauses: readonly number[] = []): Promise<string | null> =>
  lookAtSite({ url, folder: path('.'), paths: ['index.html', 'catalogo/perfumería ana.html'], pauses })

it('accepts files with the published bytes', async () => {
  expect(await look()).toBeNull()
})

it('reports a page that is missing, fails, or has other bytes', async () => {
  answers.set('/catalogo/perfumería ana', [200, 'older'])
  expect(await look()).toContain('/catalogo/perfumer%C3%ADa%20ana does not serve the bytes')
  answers.set('/', [500, 'home'])
  expect(await look()).toBe(`${url}/ answers with status 500 instead of 200`)
})

it('retries while the edge still serves the old version', async () => {
  answers.set('/', [200, 'older'])
  let asked = 0
  onRequest = (page) => {
    if (page === '/' && (asked += 1) === 3) answers.set('/', [200, 'home'])
  }
  expect(await look([1, 1, 1])).toBeNull()
  expect(asked).toBe(3)
})

it('reports a site that cannot be reached', async () => {
  const problem = await lookAtSite({
    url: 'http://127.0.0.1:1',
    folder: path('.'),
    paths: ['index.html'],
    pauses: [],
  })
  expect(problem).toContain('cannot be reached')
})

it('reports a photo that is not resized', async () => {
  const photo = `${url}/cdn-cgi/image/width=172/a.jpg`
  expect(await lookAtPicture(photo)).toBe(`${photo} answers with status 404 instead of 200`)
  const asked = new URL(photo).pathname
  answers.set(asked, [302, '', { location: '/' }])
  expect(await lookAtPicture(photo)).toBe(`${photo} answers with status 302 instead of 200`)
  answers.set(asked, [200, 'home', { 'content-type': 'text/html' }])
  expect(await lookAtPicture(photo)).toBe(`${photo} has the content type text/html, so it is not a picture`)
  answers.set(asked, [200, 'avif', { 'content-type': 'image/avif' }])
  expect(await lookAtPicture(photo)).toBeNull()
})

it('maps files to addresses without `.html`', () => {
  expect(formatPageAddress('https://v.do', 'index.html')).toBe('https://v.do/')
  expect(formatPageAddress('https://v.do', 'catalogo/a b%2F.html')).toBe('https://v.do/catalogo/a%20b%252F')
})
