/** A publish with `PHOTOS=service` fetches one resized photo of the live site, and says why there is none. */
import { beforeEach, expect, it } from 'vitest'
import { tryPhoto } from '../../../../src/builder/commands/deploy/try-photo.ts'
import { mapSwitches } from '../../../../src/domain/documents/page-switches.ts'
import { createCatalogue } from '../../../../src/domain/catalogue/catalogue.ts'
import { startServer } from '../../../support/run/start-server.ts'
import { createProduct } from '../../../support/search/search-entries.ts'

const asked: string[] = []
let status = 404
let url: string
beforeEach(async () => {
  url = await startServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(status, { 'content-type': 'image/avif' }).end()
  })
})

const PHOTOS = ['https://other.example/a.jpg', 'https://photos.example/b.jpg', 'https://photos.example/c.jpg']
const state = {
  readSellers: () => ['ana', 'eva'],
  readCatalogue: (seller: string) =>
    seller === 'ana'
      ? null
      : createCatalogue(
          'eva',
          null,
          PHOTOS.map((photo, at) => createProduct(`p${at}`, 'Bleu', { photo })),
        ),
}

function publish(mode: 'files' | 'service'): Promise<readonly string[]> {
  const site = { name: '', url, accessUrl: null, ...mapSwitches(() => false) }
  return tryPhoto(
    { site, photos: { mode, hosts: { names: ['photos.example'], origins: [] } }, maxProducts: 100 },
    state,
  )
}

it('fetches the first photo that Cloudflare may resize, and reports one that it does not resize', async () => {
  expect(await publish('service')).toEqual([
    expect.stringMatching(/NOT resized: .*b\.jpg answers with status 404 instead of 200\. PHOTOS/),
  ])
  status = 200
  expect(await publish('service')).toEqual([])
  expect(asked).toEqual(Array(2).fill(expect.stringMatching(/^\/cdn-cgi\/image\/.*photos\.example\/b\.jpg$/)))
})

it('fetches none where the site has its own small photos', async () => {
  status = 404
  asked.length = 0
  expect([await publish('files'), asked]).toEqual([[], []])
})
