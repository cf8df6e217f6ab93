/** Runs over many photos, of which some are hostile, and what the store keeps of them. */
import { copyFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hashBytes } from '../../../src/builder/files/file-hashes.ts'
import { openPictures } from '../../../src/builder/pictures/open-pictures.ts'
import type { MadeReport, MakeOptions, Pictures } from '../../../src/builder/pictures/pictures.ts'
import type { Catalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'
import { holdClosedHost } from '../../support/run/servers.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import type { PhotoHost } from './photo-host.ts'
import { createPhoto, startPhotoHost } from './photo-host.ts'

const path = useTemporaryFolder()

let host: PhotoHost
let pictures: Pictures
let now: number
let publicFiles: Record<string, Uint8Array>
let limit: AbortController
beforeEach(async () => {
  // No time passes until a test ends it.
  limit = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => limit.signal)
  now = 1_000
  publicFiles = {}
  host = await startPhotoHost()
  pictures = openStore()
})
afterEach(() => {
  vi.restoreAllMocks()
  pictures.close()
  return host.close()
})

function openStore(origins: readonly string[] = [host.origin]): Pictures {
  const hosts = { names: [], origins }
  const setup = {
    mode: 'files',
    hosts,
    brand: 'Vitrina',
    store: path('pictures.sqlite'),
  } as const
  return openPictures(setup, {
    readPublicFile: (file) => publicFiles[file] ?? null,
    now: () => now,
    warn: expect.unreachable,
  })
}

function createCatalogue(seller: string, photos: readonly string[]): Catalogue {
  const products = photos.map((photo, index) => ({ id: `${seller}-${index}`, photo }))
  return { seller, name: seller, products } as unknown as Catalogue
}

interface Making extends Partial<MakeOptions> {
  /** True if no other seller shows anything. */
  readonly isWhole?: boolean
}

function make(
  catalogues: readonly Catalogue[],
  { isWhole = false, ...options }: Making = {},
): Promise<MadeReport> {
  const shown = {
    sellers: catalogues.map(({ seller }) => seller),
    readCatalogue: (seller: string) => catalogues.find((one) => one.seller === seller) ?? null,
    publicFiles: Object.fromEntries(
      Object.entries(publicFiles).map(([file, bytes]) => [file, hashBytes(bytes)]),
    ),
  }
  pictures.register(shown, isWhole)
  return pictures.make({
    ...shown,
    scope: 'lacking',
    drawsAll: true,
    time: 1_000,
    signal: new AbortController().signal,
    progress: () => {},
    ...options,
  })
}

const findPhotos = (catalogue: Catalogue) => pictures.find(catalogue).pictures.photos

const SOUND = 35

describe('a run over many photos', () => {
  const HOSTILE = ['/silent', '/large.jpg', '/page.jpg', '/to-other-port']

  it('makes all but those that fail, ends with its time, and goes on in the next run', async () => {
    const down = `http://${await holdClosedHost()}`
    pictures.close()
    pictures = openStore([host.origin, down])
    const sound = Array.from({ length: SOUND }, (_, index) => `/${index}.jpg`)
    for (const [index, name] of sound.entries())
      host.put(name, await createPhoto(`#${String(100_000 + index)}`, 50, 60))
    host.put('/large.jpg', await createPhoto('#884422', 7_900, 7_900))
    const names = [...sound, ...HOSTILE]
    const photos = [...names.map((name) => host.origin + name), `${down}/a.jpg`]
    const catalogues = [createCatalogue('ana', photos.slice(20)), createCatalogue('eva', photos.slice(0, 20))]
    // The time is over when all photos but the one that never arrives are done.
    const run = (scope: MakeOptions['scope']): Promise<MadeReport> => {
      limit = new AbortController()
      return make(catalogues, { scope, progress: (done) => void (done === SOUND + 4 && limit.abort()) })
    }
    const first = await run('lacking')
    // With the pictures for shared links.
    expect(first).toMatchObject({ changed: SOUND + 3, left: 0 })
    expect(first.troubles.map(({ reason }) => reason).sort()).toEqual([
      expect.stringContaining('ECONNREFUSED'),
      'did not arrive in 1 s',
      expect.stringContaining('has 7900 × 7900 pixels'),
      'is not a JPEG, PNG, WebP, GIF or AVIF picture',
      expect.stringContaining('redirects to an address that'),
    ])
    expect(new Set(host.asked).size).toBe(host.asked.length)
    const asked = host.asked.length
    limit = new AbortController()
    expect(await make(catalogues)).toEqual({ ...first, changed: 0 })
    expect(host.asked).toHaveLength(asked)
    host.put('/5.jpg', await createPhoto('#ffffff', 50, 60))
    pictures.settle('one', pictures.readLast())
    expect(await run('all')).toMatchObject({ left: 0 })
    expect(pictures.readChanges()).toContain('eva')
    expect(host.asked).toHaveLength(2 * asked)
  })

  it('begins no photo after its time, and makes pictures of those that have arrived', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `/${index}.jpg`)
    for (const [index, name] of names.entries())
      host.put(name, await createPhoto(`#${String(100_000 + index)}`, 1_000, 1_200))
    const ana = createCatalogue(
      'ana',
      names.map((name) => host.origin + name),
    )
    const { left } = await make([ana], { progress: () => limit.abort() })
    expect(left).toBe(names.length - host.asked.length)
    expect(findPhotos(ana).size).toBe(host.asked.length)
    limit = new AbortController()
    expect(await make([ana])).toMatchObject({ left: 0 })
    expect([findPhotos(ana).size, host.asked.toSorted()]).toEqual([names.length, names])
  })

  it('draws all pictures for shared links of a small site, even if its time is over', async () => {
    limit.abort()
    const [ana, eva] = [createCatalogue('ana', []), createCatalogue('eva', [])]
    expect(await make([ana, eva])).toEqual({ changed: 3, left: 0, troubles: [] })
  })

  it('leaves the first picture for shared links of a seller of a large site, and draws later ones', async () => {
    const ana = createCatalogue('ana', [])
    const run = (scope: MakeOptions['scope'], name: string) =>
      make([{ ...ana, name }], { scope, drawsAll: false })
    // That of the home page is drawn.
    expect(await run('lacking', 'Ana')).toMatchObject({ changed: 1, left: 1 })
    expect(await run('due', 'Ana')).toMatchObject({ changed: 1, left: 0 })
    expect(await run('lacking', 'Ana María')).toMatchObject({ changed: 1, left: 0 })
  })

  it('asks for a photo of each seller in turn, so that nobody waits for those of a large shop', async () => {
    const many = Array.from({ length: 9 }, (_, index) => `${host.origin}/${index}.jpg`)
    await make([createCatalogue('ana', many), createCatalogue('eva', [`${host.origin}/z.jpg`])])
    expect(host.asked.slice(0, 4)).toContain('/z.jpg')
  })
})

describe('the picture store', () => {
  const shop = (seller: string, name: string) => createCatalogue(seller, [host.origin + name])

  it('has a photo fetched once, and its picture logged for each seller who shows it', async () => {
    host.put('/a.jpg', await createPhoto('#884422'))
    await make([])
    pictures.settle('one', pictures.readLast())
    expect(pictures.readChanges()).toEqual([])
    const catalogues = [shop('ana', '/a.jpg'), shop('eva', '/a.jpg'), shop('luz', '/missing')]
    // No time for drawings, which are logged, too.
    await make(catalogues, { progress: () => limit.abort() })
    expect(pictures.readChanges().toSorted()).toEqual(['ana', 'eva', 'luz'])
    expect(host.asked.toSorted()).toEqual(['/a.jpg', '/missing'])
    pictures.settle('two', pictures.readLast())
    expect(pictures.readChanges()).toEqual([])
  })

  it('has a failed photo fetched again after 10 minutes, then 20, and a sound one after a day', async () => {
    host.put('/a.jpg', await createPhoto('#884422'))
    const MINUTE = 60_000
    const shops = [shop('ana', '/a.jpg'), shop('luz', '/missing')]
    const counts: number[] = []
    // Delays vary by a quarter.
    for (const minutes of [0, 7, 13, 14, 26, 24 * 60]) {
      now += minutes * MINUTE
      await make(shops, { scope: 'due' })
      counts.push(host.asked.length)
    }
    expect(counts).toEqual([2, 2, 3, 3, 4, 6])
  })

  it('keeps the picture of a photo that fails later', async () => {
    const ana = shop('ana', '/a.jpg')
    host.put('/a.jpg', await createPhoto('#884422'))
    await make([ana])
    const photos = findPhotos(ana)
    host.put('/a.jpg', Buffer.from('no photo any more'))
    expect(await make([ana], { scope: 'all' })).toEqual({ changed: 0, left: 0, troubles: [] })
    expect([photos.size, host.asked.length]).toEqual([1, 2])
    expect(findPhotos(ana)).toEqual(photos)
  })

  it('knows by the run whether a site is the last that was made with it', () => {
    pictures.settle('one', 0)
    pictures.close()
    copyFileSync(path('pictures.sqlite'), path('copy.sqlite'))
    pictures = openStore()
    pictures.settle('two', 0)
    expect([pictures.isOf('one'), pictures.isOf('two')]).toEqual([false, true])
    pictures.close()
    copyFileSync(path('copy.sqlite'), path('pictures.sqlite'))
    pictures = openStore()
    expect([pictures.isOf('one'), pictures.isOf('two')]).toEqual([true, false])
  })

  it('keeps the pictures of a host that is no longer listed, and shows them again once it is', async () => {
    host.put('/a.jpg', await createPhoto('#884422'))
    const [ana, eva] = [shop('ana', '/a.jpg'), shop('eva', '/missing')]
    await make([ana])
    const shown = pictures.find(ana)
    const address = `${host.origin}/a.jpg`
    expect([[...findPhotos(ana).keys()], Object.keys(shown.previews)]).toEqual([[address], [address]])
    pictures.close()
    pictures = openStore([])
    for (const scope of ['lacking', 'due', 'all'] as const) {
      const { troubles, left } = await make([ana, eva], { scope, isWhole: true })
      expect([troubles.map(({ product }) => product), left]).toEqual([['ana-0', 'eva-0'], 0])
    }
    expect([findPhotos(ana), pictures.find(ana).previews]).toEqual([new Map(), {}])
    pictures.close()
    pictures = openStore()
    expect([findPhotos(ana), pictures.find(ana).previews]).toEqual([shown.pictures.photos, shown.previews])
    expect(host.asked).toEqual(['/a.jpg'])
  })

  it('forgets the picture of a public file that was replaced under its name, and makes a new one', async () => {
    const ana = createCatalogue('ana', ['/own.jpg'])
    const put = async (colour: string): Promise<void> => {
      publicFiles = { 'own.jpg': await createPhoto(colour) }
    }
    await put('#884422')
    await make([ana])
    const before = pictures.find(ana)
    await make([ana])
    expect(pictures.find(ana)).toEqual(before)
    await put('#224488')
    await make([ana], { signal: AbortSignal.abort() })
    expect(findPhotos(ana)).toEqual(new Map())
    await make([ana])
    expect([...findPhotos(ana).keys()]).toEqual(['/own.jpg'])
    expect(pictures.find(ana)).not.toEqual(before)
  })

  it('loses what nobody shows only when all sellers are known', async () => {
    host.put('/a.jpg', await createPhoto('#884422'))
    host.put('/b.jpg', await createPhoto('#224488'))
    const [ana, eva] = [shop('ana', '/a.jpg'), shop('eva', '/b.jpg')]
    await make([ana, eva])
    const list = () => [ana, eva].map((one) => pictures.find(one))
    const before = list()
    const social = before[1]?.pictures.social ?? ''
    await make([ana])
    expect(list()).toEqual(before)
    await make([ana], { isWhole: true })
    expect(list()).toEqual([before[0], { pictures: NO_PICTURES, previews: {} }])
    expect(pictures.readFile(social)).toBeNull()
    expect(pictures.readFile(before[0]?.pictures.social ?? '')).not.toBeNull()
  })
})
