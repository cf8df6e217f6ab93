/** Which photos pages show is gathered without a lock, and pictures of hosts that are no longer listed stay. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Catalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { registerPhotos } from '../../../src/builder/pictures/finish-queue.ts'
import { FETCH_LIMITS } from '../../../src/builder/pictures/stored-pictures.ts'
import type { PhotoTools } from '../../../src/builder/pictures/photos/process-photo.ts'
import { preparePictures } from '../../../src/builder/pictures/prepare-pictures.ts'
import type { PictureStore } from '../../../src/builder/pictures/store/picture-store.ts'
import { openPictureStore } from '../../../src/builder/pictures/store/picture-store.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

let store: PictureStore
let other: PictureStore
beforeEach(() => {
  store = openPictureStore(path('pictures.sqlite'), expect.unreachable)
  other = openPictureStore(path('pictures.sqlite'), expect.unreachable)
})
afterEach(() => {
  store.close()
  other.close()
})

const address = (name: string): string => `https://photos.example/${name}.jpg`

function createCatalogue(seller: string, ...photos: readonly string[]): Catalogue {
  const products = photos.map((photo, index) => ({ id: `${seller}-${index}`, photo: address(photo) }))
  return { seller, name: seller, products } as unknown as Catalogue
}

function createTools(names: readonly string[]): PhotoTools {
  return {
    store,
    hosts: { names, origins: [] },
    readPublicFile: () => null,
    brand: '',
    makesPreviews: true,
    limits: FETCH_LIMITS,
    lookUp: () => Promise.reject(new Error('not found')),
    now: () => 0,
    limitMaking: (_, work) => work(),
  }
}

function keepPicture(name: string): void {
  const file = { path: `fotos/${name}.avif`, bytes: Buffer.from(name) }
  const picture = { type: 'image/avif', sources: [{ path: file.path, width: 320 }], tone: 0 }
  const validators = { etag: null, modified: null }
  store.keepPicture(address(name), {
    picture,
    files: [file],
    previewed: null,
    source: name,
    validators,
    due: 5,
  })
}

const LISTED = ['photos.example']
const never = (): boolean => expect.unreachable('nothing is to be deleted')

describe('photos that pages show', () => {
  it.each(['register', 'prepare'])(
    'do not lock the store while they are gathered to %s them',
    async (way) => {
      function* readSlowly(): Generator<Catalogue> {
        yield createCatalogue('ana', 'a')
        // Another process writes meanwhile. Had it to wait, it would fail after 10 s.
        other.transact(() => other.addChange('eva'))
        yield createCatalogue('luz', 'b')
      }
      if (way === 'register') registerPhotos(readSlowly(), createTools(LISTED), never)
      else await preparePictures(readSlowly(), createTools(LISTED), { patience: 1, drawsAll: false })
      expect(store.readUsers()).toEqual(['ana', 'luz'])
      expect(other.readChanges({ ...other.readVersion(), sequence: 0 })).toContain('eva')
    },
  )

  it('keep their pictures while their host is not listed, and are not fetched', () => {
    const catalogues = [createCatalogue('ana', 'a', 'b')]
    registerPhotos(catalogues, createTools(LISTED), never)
    for (const name of ['a', 'b']) keepPicture(name)
    expect(registerPhotos(catalogues, createTools([]), never)).toBe(0)
    expect(store.findPictures([address('a'), address('b')]).size).toBe(2)
    expect(store.readDue(1_000, false)).toEqual([])
    registerPhotos(catalogues, createTools(LISTED), never)
    expect(store.readDue(1_000, false)).toHaveLength(2)
  })

  it('take the pictures for shared links of gone sellers with them, if the guard agrees', () => {
    const file = (seller: string) => ({ path: `social/${seller}.jpg`, bytes: Buffer.from(seller) })
    for (const seller of ['ana', 'eva', 'luz', '']) store.keepSocial(seller, '', file(seller))
    registerPhotos(
      [createCatalogue('ana', 'a'), createCatalogue('eva', 'b')],
      createTools(LISTED),
      () => true,
    )
    for (const name of ['a', 'b']) keepPicture(name)
    const drawn = () => ['ana', 'eva', 'luz', ''].filter((seller) => store.findSocial(seller) !== null)
    expect(drawn()).toEqual(['ana', 'eva', ''])
    registerPhotos([createCatalogue('ana')], createTools(LISTED), () => false)
    expect(drawn()).toEqual(['ana', 'eva', ''])
    registerPhotos([createCatalogue('ana')], createTools(LISTED), () => true)
    expect(drawn()).toEqual(['ana', ''])
    expect(drawn().map((seller) => store.readFile(file(seller).path)?.length)).toEqual([3, 0])
    expect(['eva', 'luz'].map((seller) => store.readFile(file(seller).path))).toEqual([null, null])
  })

  it('lose their pictures once no product has them, if the guard agrees', () => {
    registerPhotos([createCatalogue('ana', 'a', 'b')], createTools(LISTED), never)
    for (const name of ['a', 'b']) keepPicture(name)
    const later = [createCatalogue('ana', 'a')]
    expect(registerPhotos(later, createTools(LISTED), () => false)).toBe(1)
    expect(store.findPictures([address('b')]).size).toBe(1)
    expect(registerPhotos(later, createTools(LISTED), (gone, before) => gone === 1 && before === 2)).toBe(0)
    expect(store.findPictures([address('b')]).size).toBe(0)
    expect(store.findPictures([address('a')]).size).toBe(1)
  })
})
