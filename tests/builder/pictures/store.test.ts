import { beforeEach, describe, expect, it } from 'vitest'
import { parsePhotoHosts, placePhoto } from '../../../src/domain/photos/photo-hosts.ts'
import type { KeptPicture } from '../../../src/builder/pictures/store/photo-store.ts'
import type { PictureStore } from '../../../src/builder/pictures/store/picture-store.ts'
import { openPictureStore } from '../../../src/builder/pictures/store/picture-store.ts'
import { LONGEST_WAIT } from '../../../src/builder/pictures/store/photo-queue.ts'
import { findRetryDelay } from '../../../src/builder/pictures/photos/process-photo.ts'

const ADDRESS = 'https://photos.example/a.jpg'
const NOW = 100

let store: PictureStore
beforeEach(() => {
  store = openPictureStore(':memory:', expect.unreachable)
})

/** Returns the sellers with changes since this position, or since the last that is deleted. */
function readChanges(after = 0): readonly string[] | null {
  return store.readChanges({ ...store.readVersion(), sequence: after })
}

/** Shows photos on the pages of sellers, those without a picture each with its own product. */
function showAll(photos: Readonly<Record<string, readonly string[]>>): void {
  store.beginShown()
  for (const [seller, addresses] of Object.entries(photos)) {
    store.addShown(seller, addresses)
    store.addLacking(
      addresses.map((address) => ({ product: `product of ${address}`, address })),
      NOW,
    )
  }
  store.keepShown()
}

const show = (seller: string, ...addresses: readonly string[]): void => showAll({ [seller]: addresses })

/** A picture with one file of this name and its JPEG, and a preview with a large size if that is named too. */
function createPicture(name: string, preview?: string | null): KeptPicture {
  const [path, fallback] = [`fotos/${name}.avif`, `fotos/${name}-small.jpg`]
  const shown = preview == null ? null : createPreview(preview)
  const large = shown === null ? [] : [shown, ...shown.sources]
  return {
    picture: { type: 'image/avif', sources: [{ path, width: 320 }], tone: 3, fallback },
    files: [
      { path, bytes: Buffer.from(name) },
      { path: fallback, bytes: Buffer.from(name) },
      ...large.map((file) => ({ path: file.path, bytes: Buffer.from(preview ?? '') })),
    ],
    previewed: preview === undefined ? null : { preview: shown },
    source: name,
    validators: { etag: null, modified: null },
    due: 100,
  }
}

const createPreview = (name: string) => ({
  path: `fotos/${name}.jpg`,
  width: 1080,
  height: 1440,
  sources: [{ path: `fotos/${name}-1080.avif`, width: 1080 }],
})

describe('the picture store', () => {
  it('adds a change for all sellers who show a photo if its picture is new or changed, and none if it is the same', () => {
    for (const seller of ['ana', 'eva']) show(seller, ADDRESS)
    show('sol', 'https://photos.example/b.jpg')
    expect(store.keepPicture(ADDRESS, createPicture('one'))).toBe(true)
    expect(readChanges()).toEqual(['ana', 'eva'])
    const { sequence } = store.readVersion()
    expect(store.keepPicture(ADDRESS, createPicture('one'))).toBe(false)
    expect(readChanges(sequence)).toEqual([])
  })

  it('keeps changes after the position that was taken, and knows of none before it', () => {
    store.addChange('ana')
    const version = store.readVersion()
    store.addChange('eva')
    store.forgetChanges(version)
    expect(readChanges(version.sequence)).toEqual(['eva'])
    expect(readChanges(version.sequence - 1)).toBeNull()
  })

  it('knows no changes for a position of another store, or of a later state', () => {
    const version = store.readVersion()
    expect(store.readChanges(version)).toEqual([])
    expect(store.readChanges(null)).toBeNull()
    expect(store.readChanges({ ...version, identity: 'other' })).toBeNull()
    expect(store.readChanges({ ...version, sequence: version.sequence + 1 })).toBeNull()
  })

  it('keeps the picture of a photo whose revalidation fails', () => {
    show('ana', ADDRESS)
    store.keepPicture(ADDRESS, createPicture('one'))
    store.keepFailure(ADDRESS, { reason: 'answers with status 404', source: '', due: 500 })
    expect(store.findPictures([ADDRESS]).get(ADDRESS)?.sources).toEqual([
      { path: 'fotos/one.avif', width: 320 },
    ])
    expect(store.findFailures([ADDRESS]).get(ADDRESS)).toBe('answers with status 404')
  })

  it('retries failed photos when they are due, and leaves slow ones to a run without a time limit', () => {
    show('ana', ADDRESS, `${ADDRESS}?slow`)
    store.keepFailure(ADDRESS, { reason: 'answers with status 500', source: '', due: 500 })
    store.markSlow(`${ADDRESS}?slow`)
    expect(store.readWaiting(499, 9)).toEqual([])
    expect(store.readWaiting(500, 9).map(({ address, tries }) => ({ address, tries }))).toEqual([
      { address: ADDRESS, tries: 1 },
    ])
    expect(store.readDue(499, true).map(({ address }) => address)).toEqual([`${ADDRESS}?slow`])
  })

  it('does not leave a photo alone for years because the clock was ahead for a while', () => {
    const [now, year] = [1_000, 365 * 24 * 60 * 60_000]
    show('ana', ADDRESS, `${ADDRESS}?old`)
    store.keepPicture(`${ADDRESS}?old`, { ...createPicture('one'), due: now + year })
    const [failing, weeks] = [{ reason: 'answers with status 500', source: '' }, findRetryDelay(99)]
    store.keepFailure(ADDRESS, { ...failing, due: now + weeks })
    const list = () => store.readDue(now, false).map(({ address }) => address)
    expect([store.readWaiting(now, 9), list()]).toEqual([[], [`${ADDRESS}?old`]])
    store.keepFailure(ADDRESS, { ...failing, due: now + year })
    expect(store.readWaiting(now, 9)).toHaveLength(1)
    expect([list(), store.countDue(now, false)]).toEqual([
      [ADDRESS, `${ADDRESS}?old`],
      { due: 2, waiting: 1 },
    ])
  })

  it('lets sellers take turns, and takes up what is very much of one after everything else', () => {
    const list = (seller: string, count: number, name = seller): readonly string[] =>
      Array.from(
        { length: count },
        (_, index) => `https://photos.example/${name}${String(index).padStart(3, '0')}.jpg`,
      )
    const many = list('ana', 203)
    showAll({
      ana: many,
      eva: [...list('eva', 2), many[202] ?? ''],
      sol: list('sol', 1),
    })
    store.keepPicture(list('sol', 1)[0] ?? '', createPicture('one'))
    const read = (photos: readonly { readonly address: string }[]): readonly string[] =>
      photos.map(({ address }) => /(\w+)\.jpg/.exec(address)?.[1] ?? '')
    const due = read(store.readDue(100, false))
    // A photo that several show has its first turn of any.
    const first = ['ana000', 'ana202', 'ana001', 'eva000', 'ana002', 'eva001', 'ana003']
    expect(due.slice(0, first.length)).toEqual(first)
    expect(due.slice(-3)).toEqual(['sol000', 'ana200', 'ana201'])
    expect(read(store.readDue(100, true))).toEqual(due)
    expect([store.countDue(100, true), store.countDue(99, false)]).toEqual([
      { due: 206, waiting: 205 },
      { due: 205, waiting: 205 },
    ])
    expect(read(store.readDue(100, true, 3))).toEqual(first.slice(0, 3))
    const turns = store.readDue(100, true).map(({ turn }) => turn)
    expect(turns.slice(0, 6)).toEqual([1, 1, 2, 2, 3, 3])
    expect(turns.slice(-3)).toEqual([201, 202, 203])
    expect(read(store.readWaiting(0, 4))).toEqual(first.slice(0, 4))
  })

  it('gives the first turn of a seller to a photo that may be tried, not to one that must wait', () => {
    const due = 'https://photos.example/ana-b.jpg'
    const photos = ['a', 'b', 'c'].map((name) => `https://photos.example/ana-${name}.jpg`)
    show('ana', ...photos)
    for (const [index, address] of photos.entries())
      store.keepFailure(address, {
        reason: 'answers with status 500',
        source: '',
        due: address === due ? NOW + 9 * LONGEST_WAIT : NOW + 9 - index,
      })
    const fresh = ['1', '2'].map((name) => `https://photos.example/eva-${name}.jpg`)
    showAll({
      ana: photos,
      eva: fresh,
    })
    expect(store.readWaiting(NOW, 9).map(({ address }) => address)).toEqual([fresh[0], due, fresh[1]])
    expect(store.listTroubles().map(({ address }) => address)).toEqual(photos)
  })

  it('deletes photos that no page shows, and their files', () => {
    show('ana', ADDRESS)
    store.keepPicture(ADDRESS, createPicture('one'))
    store.keepPicture(ADDRESS, createPicture('two'))
    store.sweep(() => true)
    const read = (name: string) =>
      ['.avif', '-small.jpg'].map((end) => store.readFile(`fotos/${name}${end}`)?.length ?? null)
    expect([read('one'), read('two')]).toEqual([
      [null, null],
      [3, 3],
    ])
    show('ana')
    store.sweep(() => true)
    expect(read('two')).toEqual([null, null])
    expect(store.findPictures([ADDRESS]).size).toBe(0)
  })

  it('keeps the pictures that the guard refuses to delete, and drops photos without one', () => {
    show('ana', ADDRESS, `${ADDRESS}?new`)
    store.keepPicture(ADDRESS, createPicture('one'))
    show('ana')
    const asked: unknown[] = []
    expect(store.sweep((...counts) => asked.push(counts) === 0)).toBe(1)
    expect(asked).toEqual([[1, 1]])
    expect(store.findPictures([ADDRESS]).size).toBe(1)
    expect(store.readFile('fotos/one.avif')).not.toBeNull()
    show('ana', `${ADDRESS}?new`)
    expect(store.readDue(0, true).map(({ address, tries }) => [address, tries])).toEqual([
      [`${ADDRESS}?new`, 0],
    ])
  })
})

describe('the preview of a photo', () => {
  const listUnpreviewed = (now = 0) => store.readOutdated(now, true, 9).map(({ address }) => address)
  const listDue = (previews: boolean) => store.readDue(0, previews).map(({ address }) => address)

  it('is found by the address, and a new one is a change for the sellers who show the photo', () => {
    show('ana', ADDRESS)
    expect(store.keepPicture(ADDRESS, createPicture('one'))).toBe(true)
    expect(store.findPreview(ADDRESS)).toBeNull()
    const { sequence } = store.readVersion()
    expect(store.keepPicture(ADDRESS, createPicture('one', 'first'))).toBe(true)
    expect(store.findPreview(ADDRESS)).toEqual(createPreview('first'))
    expect(readChanges(sequence)).toEqual(['ana'])
    expect(store.keepPicture(ADDRESS, createPicture('one', 'first'))).toBe(false)
    expect(store.readFile('fotos/first.jpg')).toHaveLength(5)
  })

  it('goes with its photo, and when another one takes its place', () => {
    show('ana', ADDRESS)
    store.keepPicture(ADDRESS, createPicture('one', 'first'))
    store.keepPicture(ADDRESS, createPicture('two', 'second'))
    const read = (name: string) =>
      ['.jpg', '-1080.avif'].map((end) => store.readFile(`fotos/${name}${end}`)?.length ?? null)
    store.sweep(() => true)
    expect([read('first'), read('second')]).toEqual([
      [null, null],
      [6, 6],
    ])
    show('ana')
    store.sweep(() => true)
    expect(read('second')).toEqual([null, null])
  })

  it('is forgotten with the picture of a replaced photo', () => {
    show('ana', ADDRESS)
    store.keepPicture(ADDRESS, createPicture('one', 'first'))
    store.renew(ADDRESS)
    expect(store.findPreview(ADDRESS)).toBeNull()
    expect(store.readWaiting(0, 9)).toHaveLength(1)
  })

  it('that is missing is made in the time of new photos, and after a failure when its photo is due', () => {
    show('ana', ADDRESS, `${ADDRESS}?small`)
    store.keepPicture(ADDRESS, createPicture('one'))
    store.keepPicture(`${ADDRESS}?small`, createPicture('two', null))
    expect([listUnpreviewed(), store.countOutdated(true)]).toEqual([[ADDRESS], 1])
    expect([listDue(true), listDue(false)]).toEqual([[ADDRESS], []])
    store.keepFailure(ADDRESS, { reason: 'answers with status 404', source: '', due: 500 })
    expect([listUnpreviewed(499), store.countOutdated(true), listDue(true)]).toEqual([[], 0, []])
    expect(listUnpreviewed(500)).toEqual([ADDRESS])
    show('eva', `${ADDRESS}?small`)
    expect(listUnpreviewed(500)).toEqual([])
  })
})

describe('a photo that failed', () => {
  it('is tried again after growing delays, at most a week', () => {
    const delays = [1, 2, 3, 20].map((failures) => findRetryDelay(failures) / 60_000)
    expect(delays).toEqual([10, 20, 40, 7 * 24 * 60])
  })
})

describe('the hosts of photos', () => {
  it('are names, names with all subdomains, or exact origins', () => {
    expect(parsePhotoHosts('B.example, *.a.example  http://127.0.0.1:9000')).toEqual({
      names: ['*.a.example', 'b.example'],
      origins: ['http://127.0.0.1:9000'],
    })
    for (const wrong of [
      'a.example/x',
      'https://a.example/x',
      'ftp://a.example',
      '*',
      'a b!',
      'javascript:1',
    ])
      expect(parsePhotoHosts(wrong), wrong).toBeNull()
  })

  it('determine which photos are fetched', () => {
    const hosts = parsePhotoHosts('*.a.example, http://127.0.0.1:9000') ?? { names: [], origins: [] }
    const kinds = [
      'https://x.a.example/p',
      'http://127.0.0.1:9000/p',
      '/muestra/p.jpg',
      '/muestra/p.SVG',
      'https://a.example/',
    ]
    expect(kinds.map((address) => placePhoto(address, hosts).kind)).toEqual([
      'remote',
      'remote',
      'own',
      'drawing',
      'refused',
    ])
  })
})
