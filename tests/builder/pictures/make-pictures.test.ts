/** Runs over many photos, of which some are hostile, and what the store keeps of them. */
import { copyFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashBytes } from '../../../src/builder/files/file-hashes.ts'
import { openPictures } from '../../../src/builder/pictures/open-pictures.ts'
import type { MadeReport, MakeOptions, Pictures } from '../../../src/builder/pictures/pictures.ts'
import type { Catalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { holdClosedHost } from '../../support/run/servers.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import type { PhotoHost } from './photo-host.ts'
import { createPhoto, liftFetchLimit, startPhotoHost } from './photo-host.ts'

const path = useTemporaryFolder()

let host: PhotoHost
let pictures: Pictures
let now: number
let publicFiles: Record<string, Uint8Array>
beforeEach(async () => {
  liftFetchLimit()
  now = 1_000
  publicFiles = {}
  host = await startPhotoHost()
  pictures = openStore()
})
afterEach(() => {
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

function make(catalogues: readonly Catalogue[], options: Partial<MakeOptions> = {}): Promise<MadeReport> {
  return pictures.make({
    scope: 'shown',
    readCatalogues: () => catalogues,
    time: Infinity,
    drawsAll: false,
    signal: new AbortController().signal,
    progress: () => {},
    ...options,
  })
}

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
    const run = (options: Partial<MakeOptions>): Promise<MadeReport> => {
      const end = new AbortController()
      const progress = (done: number): void => void (done === SOUND + 4 && end.abort())
      return make(catalogues, { signal: end.signal, progress, ...options })
    }
    expect(await run({})).toMatchObject({ changed: SOUND, failed: 4, waiting: 0 })
    expect(new Set(host.asked).size).toBe(host.asked.length)
    const asked = host.asked.length
    const again = await make(catalogues)
    expect(again).toMatchObject({ changed: 0, unchanged: 0, failed: 0, waiting: 0 })
    expect(again.troubles.map(({ reason }) => reason).sort()).toEqual([
      expect.stringContaining('ECONNREFUSED'),
      expect.stringContaining('has 7900 × 7900 pixels'),
      'is not a JPEG, PNG, WebP, GIF or AVIF picture',
      expect.stringContaining('redirects to an address that'),
      'took longer than there was time',
    ])
    expect(host.asked).toHaveLength(asked)
    now += 1
    host.put('/5.jpg', await createPhoto('#ffffff', 50, 60))
    const position = pictures.readVersion()
    expect(await run({ scope: 'all' })).toMatchObject({ changed: 1, unchanged: SOUND - 1, failed: 4 })
    expect(pictures.readChanges(position)).toContain('eva')
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
    const position = pictures.readVersion()
    expect(pictures.readChanges(position)).toEqual([])
    await make([shop('ana', '/a.jpg'), shop('eva', '/a.jpg'), shop('luz', '/missing')])
    expect(pictures.readChanges(position)).toEqual(['ana', 'eva'])
    expect(host.asked.toSorted()).toEqual(['/a.jpg', '/missing'])
    const later = pictures.readVersion()
    pictures.forgetChanges(later)
    expect([pictures.readChanges(position), pictures.readChanges(later)]).toEqual([null, []])
    expect(pictures.readChanges(null)).toBeNull()
  })

  it('keeps the picture of a photo that fails later', async () => {
    const ana = shop('ana', '/a.jpg')
    host.put('/a.jpg', await createPhoto('#884422'))
    await make([ana])
    const { photos } = pictures.find(ana)
    now += 1
    host.put('/a.jpg', Buffer.from('no photo any more'))
    expect(await make([ana], { scope: 'all' })).toMatchObject({ failed: 1 })
    expect(photos.size).toBe(1)
    expect(pictures.find(ana).photos).toEqual(photos)
  })

  it('does not take its log for that of a copy that was restored and went on', async () => {
    host.put('/a.jpg', await createPhoto('#884422'))
    pictures.close()
    copyFileSync(path('pictures.sqlite'), path('copy.sqlite'))
    pictures = openStore()
    await make([shop('ana', '/a.jpg')])
    const lost = pictures.readVersion()
    pictures.close()
    copyFileSync(path('copy.sqlite'), path('pictures.sqlite'))
    pictures = openStore()
    expect(pictures.readChanges(lost)).toBeNull()
    await make([shop('eva', '/a.jpg')])
    expect(pictures.readVersion().sequence).toBe(lost.sequence)
    expect(pictures.readChanges(lost)).toBeNull()
  })

  it('keeps the pictures of a host that is no longer listed, and shows them again once it is', async () => {
    host.put('/a.jpg', await createPhoto('#884422'))
    const [ana, eva] = [shop('ana', '/a.jpg'), shop('eva', '/missing')]
    await make([ana])
    const { photos } = pictures.find(ana)
    const address = `${host.origin}/a.jpg`
    const preview = pictures.findPreview(address)
    expect([[...photos.keys()], preview]).toEqual([[address], expect.anything()])
    pictures.close()
    pictures = openStore([])
    for (const scope of ['shown', 'due', 'all'] as const) {
      const { troubles, waiting } = await make([ana, eva], { scope })
      expect([troubles.map(({ product }) => product), waiting]).toEqual([['ana-0', 'eva-0'], 0])
    }
    pictures.clean([ana, eva])
    expect([pictures.find(ana).photos, pictures.findPreview(address)]).toEqual([new Map(), null])
    pictures.close()
    pictures = openStore()
    expect([pictures.find(ana).photos, pictures.findPreview(address)]).toEqual([photos, preview])
    expect(host.asked).toEqual(['/a.jpg'])
  })

  it('forgets the picture of a public file that was replaced under its name, and makes a new one', async () => {
    const ana = createCatalogue('ana', ['/own.jpg'])
    const put = async (colour: string): Promise<Record<string, string>> => {
      const bytes = await createPhoto(colour)
      publicFiles = { 'own.jpg': bytes }
      return { 'own.jpg': hashBytes(bytes) }
    }
    pictures.renewOwn(await put('#884422'))
    await make([ana])
    const before = pictures.find(ana)
    const position = pictures.readVersion()
    pictures.renewOwn(await put('#884422'))
    expect([pictures.find(ana), pictures.readChanges(position)]).toEqual([before, []])
    pictures.renewOwn(await put('#224488'))
    expect([pictures.find(ana).photos, pictures.readChanges(position)]).toEqual([new Map(), ['ana']])
    await make([ana])
    expect([...pictures.find(ana).photos.keys()]).toEqual(['/own.jpg'])
    expect(pictures.find(ana)).not.toEqual(before)
  })

  it('loses what nobody shows only when it is cleaned', async () => {
    host.put('/a.jpg', await createPhoto('#884422'))
    host.put('/b.jpg', await createPhoto('#224488'))
    const [ana, eva] = [shop('ana', '/a.jpg'), shop('eva', '/b.jpg')]
    await make([ana, eva], { drawsAll: true })
    const list = () => [ana, eva].map((one) => pictures.find(one))
    const before = list()
    const social = before[1]?.social ?? ''
    await make([ana])
    expect(list()).toEqual(before)
    pictures.clean([ana])
    expect(list()).toEqual([before[0], { photos: new Map(), social: null }])
    expect(pictures.readFile(social)).toBeNull()
    expect(pictures.readFile(before[0]?.social ?? '')).not.toBeNull()
  })
})
