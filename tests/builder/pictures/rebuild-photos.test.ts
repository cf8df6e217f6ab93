import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { THREADS_FROM } from '../../../src/builder/rebuild/writer-threads.ts'
import { product, user, writeFolder } from '../../support/rebuild/documents.ts'
import type { RebuildPlace } from '../../support/rebuild/rebuild.ts'
import { listFlags } from '../../support/rebuild/rebuild.ts'
import { makeMissingPictures } from '../../../src/builder/commands/local/start.ts'
import { openWorld } from '../../../src/builder/commands/rebuild/open-world.ts'
import { command as rebuild } from '../../../src/builder/commands/rebuild/run-rebuild.ts'
import { parseHere, photosHere, rebuildHere } from '../../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { createTestTerminal } from '../../support/run/test-terminal.ts'
import type { PhotoHost } from './photo-host.ts'
import { createPhoto, startPhotoHost } from './photo-host.ts'

const path = useTemporaryFolder()

let host: PhotoHost
beforeEach(async () => {
  // No time passes: a rebuild waits for pictures as long as a busy machine takes.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
  host = await startPhotoHost()
})
afterEach(() => {
  vi.restoreAllMocks()
  return host.close()
})

const place = (env: Record<string, string> = {}): RebuildPlace => ({
  source: path('source'),
  output: path('dist'),
  state: path('state'),
  env: { PHOTOS: 'files', PHOTO_HOSTS: host.origin, PRODUCT_PAGES: 'off', ...env },
})
const readPage = (seller: string): string => readFileSync(path('dist/catalogo', `${seller}.html`), 'utf8')
/** The small sizes of photos, without previews. */
const listPhotos = (): readonly string[] =>
  readdirSync(path('dist/fotos'))
    .filter((file) => file.endsWith('.avif'))
    .sort()
const withPhoto = (id: string, owner: string, photo: string, price = 1300): SourceDocument =>
  product(id, owner, { photo: host.origin + photo, price })

const runPhotos = (...options: readonly string[]) => photosHere(place(), ...options)

describe('photos in a rebuild', () => {
  it('are shown small, with a JPEG for old browsers, and fetched once', async () => {
    host.put('/a.jpg', await createPhoto('#a03040'))
    writeFolder(path('source'), [user('ana'), withPhoto('p', 'ana', '/a.jpg')])
    expect((await rebuildHere(place())).report.exit).toBe(0)
    const [file = ''] = listPhotos()
    const stem = file.replace(/-\d+\.avif$/, '')
    expect(listPhotos()).toEqual([`${stem}-344.avif`, `${stem}-496.avif`])
    expect(readPage('ana')).toMatch(
      new RegExp(
        `<picture> ?<source type="image/avif" srcset="/fotos/${stem}-344.avif 344w, /fotos/${stem}-496.avif 496w" sizes="[^"]+">` +
          ` ?<img class="t\\d+" src="/fotos/${stem}\\.jpg" alt="not found" width="400" height="500" loading="eager" fetchpriority="high"`,
      ),
    )
    writeFolder(path('source'), [user('ana'), withPhoto('p', 'ana', '/a.jpg', 5)])
    expect((await rebuildHere(place(), '--verify')).report.pages.written).toBe(1)
    expect((await rebuildHere(place())).said).toContain('Nothing to do')
    expect(host.asked).toEqual(['/a.jpg'])
  })

  it('are shown whole and sharp once products have pages, and by links to these in place of the seller', async () => {
    host.put('/a.jpg', await createPhoto('#a03040'))
    writeFolder(path('source'), [user('ana'), withPhoto('p', 'ana', '/a.jpg')])
    await rebuildHere(place())
    expect(readdirSync(path('dist/fotos'))).toHaveLength(3)
    const pages = place({ PRODUCT_PAGES: 'on' })
    expect((await rebuildHere(pages)).report).toMatchObject({ exit: 0 })
    const html = readFileSync(path('dist/catalogo/ana/p.html'), 'utf8')
    const [, preview = ''] =
      /property="og:image" content="http:\/\/localhost:8787(\/fotos\/\w+\.jpg)"/.exec(html) ?? []
    expect(html).toMatch(/og:image:width" content="900">.*og:image:height" content="1200"/)
    expect(html).toMatch(
      new RegExp(
        `<a class="photo" href="${preview}" aria-label="Ver la foto en grande"> ?<picture> ?` +
          `<source type="image/avif" srcset="/fotos/\\w+-t-900.avif 900w" sizes="[^"]+"> ?` +
          `<img src="${preview}" alt="not found" width="900" height="1200"`,
      ),
    )
    expect((await rebuildHere(pages)).said).toContain('Nothing to do')
    const files = readdirSync(path('dist/fotos')).sort()
    expect(files).toHaveLength(4)
    await rebuildHere({ ...pages, output: path('clean') }, '--full')
    expect(readdirSync(path('clean/fotos')).sort()).toEqual(files)
    expect(readFileSync(path('clean/catalogo/ana/p.html'), 'utf8')).toBe(html)
  })

  it('that a rebuild left are made between the rebuilds of npm start', async () => {
    host.put('/a.jpg', await createPhoto('#a03040'))
    writeFolder(path('source'), [user('ana'), withPhoto('p', 'ana', '/a.jpg')])
    vi.mocked(AbortSignal.timeout).mockReturnValueOnce(AbortSignal.abort())
    expect((await rebuildHere(place())).said).toContain('1 picture still to be made')
    const { env = {}, ...folders } = place()
    const world = openWorld(parseHere(rebuild, listFlags(folders), env), {
      progress: () => {},
      warn: expect.unreachable,
    })
    const make = () => makeMissingPictures(world, new AbortController().signal, createTestTerminal())
    expect([await make(), await make()]).toEqual([0, null])
    world.close()
    await rebuildHere(place())
    expect(readPage('ana')).toContain('<picture>')
    expect(host.asked).toEqual(['/a.jpg'])
  })

  it('that change under the same address are found, and only the pages that show them are rendered', async () => {
    host.put('/a.jpg', await createPhoto('#a03040'))
    const sellers = ['ana', 'eva', 'luz'].flatMap((id) => [user(id), withPhoto(`p-${id}`, id, '/a.jpg')])
    writeFolder(path('source'), [...sellers, user('sol'), product('p-sol', 'sol')])
    await rebuildHere(place())
    const before = listPhotos()
    expect((await runPhotos('--all')).report).toMatchObject({ changed: 0, left: 0 })
    host.put('/a.jpg', await createPhoto('#30a040'))
    expect((await runPhotos('--all')).report).toMatchObject({ changed: 4 })
    const { said } = await rebuildHere(place(), '--explain')
    expect(said).toContain('catalogo/ana.html')
    expect((await rebuildHere(place())).report.pages).toMatchObject({ written: 3 })
    const after = listPhotos().filter((file) => !before.includes(file))
    expect(after).toHaveLength(2)
    expect(readPage('eva')).toContain(after[0])
    // Older ones stay until everything is looked at.
    expect(listPhotos()).toEqual([...before, ...after].sort())
    await rebuildHere(place(), '--full')
    expect(listPhotos()).toEqual(after.sort())
    expect((await rebuildHere(place())).said).toContain('Nothing to do')
  })

  it('by the hundred do not delay a price change of another seller', async () => {
    const many = Array.from({ length: 500 }, (_, index) => withPhoto(`q${index}`, 'eva', '/silent?' + index))
    const sellers = (price: number) => [user('ana'), product('p', 'ana', { price }), user('eva'), ...many]
    writeFolder(path('source'), sellers(1))
    const patience = new AbortController()
    const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal)
    const running = rebuildHere(place())
    // No more are asked for at once of a host that never answered.
    await expect.poll(() => host.asked).toHaveLength(4)
    patience.abort()
    const first = await running
    expect(limit.mock.calls[0]?.[0]).toBeLessThanOrEqual(2_000)
    expect(first.report.exit).toBe(0)
    expect(first.said).toContain('496 pictures still to be made')
    limit.mockReturnValue(new AbortController().signal)
    writeFolder(path('source'), sellers(2))
    // It would wait for ever if it asked for one.
    const second = await rebuildHere(place())
    expect(second.report.pages.written).toBe(1)
    expect(host.asked).toHaveLength(4)
    expect(readPage('ana')).toContain('RD$2<')
  })

  it('are made by the edge with PHOTOS=service, and keep their address with PHOTOS=off', async () => {
    writeFolder(path('source'), [user('ana'), withPhoto('p', 'ana', '/a.jpg')])
    await rebuildHere(place({ PHOTOS: 'service' }), '--verify')
    const address = `/cdn-cgi/image/width=344,height=430,fit=cover,format=auto,onerror=redirect/${host.origin}/a.jpg`
    expect(readPage('ana')).toContain(`srcset="${address} 344w, `)
    const { report } = await rebuildHere(place({ PHOTOS: 'off' }))
    expect(report.pages.written).toBe(1)
    expect(readPage('ana')).not.toContain('<picture>')
    expect(host.asked).toEqual([])
  })
})

describe('the pictures in the output folder', () => {
  it('are shown by pages that workers render', async () => {
    host.put('/a.jpg', await createPhoto('#a03040'))
    const ids = Array.from({ length: THREADS_FROM }, (_, index) => `s${index}`)
    const documents = ids.flatMap((id) => [user(id), withPhoto(`p-${id}`, id, '/a.jpg')])
    writeFolder(path('source'), [...documents])
    const { report } = await rebuildHere(place())
    expect(report).toMatchObject({ exit: 0, error: null })
    expect(report.pages.written).toBeGreaterThanOrEqual(THREADS_FROM)
    for (const id of ids) expect(readPage(id)).toContain('<picture>')
    expect((await rebuildHere(place(), '--full', '--verify')).report).toMatchObject({
      exit: 0,
      pages: { written: 0 },
    })
    expect(listPhotos()).toHaveLength(2)
  })
})
