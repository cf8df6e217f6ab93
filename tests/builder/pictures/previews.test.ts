/** Previews of photos: made with pages of products, also for a store that has none, and shown only then. */
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Catalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { openPictures } from '../../../src/builder/pictures/open-pictures.ts'
import type { Pictures } from '../../../src/builder/pictures/pictures.ts'
import type { PicturePosition } from '../../../src/builder/state/site-state.ts'
import { openPictureStore } from '../../../src/builder/pictures/store/picture-store.ts'
import { createStoredPictures } from '../../../src/builder/pictures/stored-pictures.ts'
import { LONGEST_TIME } from '../../support/run/longest-time.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { createPhoto, liftFetchLimit, startPhotoHost } from './photo-host.ts'

const path = useTemporaryFolder()
const OWN = '/muestra/own.jpg'

interface Opening {
  readonly makesPreviews?: boolean
  readonly origins?: readonly string[]
  readonly photo?: Uint8Array
  readonly store?: string
}

/** Opens the pictures with one photo in the public folder. */
function open({ makesPreviews = true, origins = [], photo, store = 'pictures.sqlite' }: Opening): Pictures {
  return createStoredPictures({
    store: openPictureStore(path(store), expect.unreachable),
    hosts: { names: [], origins },
    readPublicFile: () => photo ?? null,
    brand: 'Vitrina',
    now: Date.now,
    patience: LONGEST_TIME,
    makesPreviews,
  })
}

function createCatalogue(...photos: readonly string[]): Catalogue {
  const none = { price: null, available: false }
  const products = photos.map((photo) => ({
    id: photo,
    name: photo,
    photo,
    ...none,
    _5ml: none,
    _10ml: none,
  }))
  return { seller: 'ana', name: 'Ana', whatsapp: null, products }
}

it('are made with the pictures, and change nothing about these', async () => {
  const photo = await createPhoto('#a03040', 640, 480)
  const [plain, full] = [open({ photo, makesPreviews: false, store: 'plain.sqlite' }), open({ photo })]
  const catalogue = createCatalogue(OWN)
  for (const pictures of [plain, full]) await pictures.prepare([catalogue], false)
  expect(full.find(catalogue)).toEqual(plain.find(catalogue))
  const preview = full.findPreview(OWN)
  expect(preview).toEqual({
    path: expect.stringMatching(/^fotos\/\w+\.jpg$/),
    width: 640,
    height: 480,
    sources: [{ path: expect.stringMatching(/^fotos\/\w+-640\.avif$/), width: 640 }],
  })
  for (const { path: file } of [preview, ...(preview?.sources ?? [])].filter((one) => one != null))
    expect(full.readFile(file)?.length).toBeGreaterThan(100)
  expect(plain.findPreview(OWN)).toBeNull()
  for (const pictures of [plain, full]) pictures.close()
})

it('are made for a store without them once they are wanted, and hidden once they are not', async () => {
  const photo = await createPhoto('#a03040', 640, 480)
  const catalogue = createCatalogue(OWN)
  const [off, on, offAgain] = [false, true, false].map(
    (makesPreviews) => () => open({ makesPreviews, photo }),
  )
  let position: PicturePosition | null = null
  const run = async (pictures: Pictures | undefined) => {
    if (pictures === undefined) throw new Error('there is no such run')
    position ??= pictures.readVersion()
    const { hasChanges, undrawn } = await pictures.prepare([catalogue], true)
    const found = {
      preview: pictures.findPreview(OWN),
      hasChanges,
      undrawn,
      sellers: pictures.readChanges(position),
    }
    position = pictures.readVersion()
    pictures.forgetChanges(position)
    pictures.close()
    return found
  }
  expect(await run(off?.())).toMatchObject({ preview: null, hasChanges: true, undrawn: 0 })
  const first = await run(on?.())
  expect(first).toMatchObject({ preview: { width: 640 }, hasChanges: true, sellers: ['ana'] })
  expect(await run(on?.())).toEqual({ ...first, hasChanges: false, sellers: [] })
  expect(await run(offAgain?.())).toMatchObject({ preview: null, hasChanges: false })
  expect(await run(on?.())).toEqual({ ...first, hasChanges: false, sellers: [] })
})

it('need the bytes of a photo that is known already, and keep its picture while its host fails', async () => {
  liftFetchLimit()
  onTestFinished(() => void vi.restoreAllMocks())
  const host = await startPhotoHost()
  const address = `${host.origin}/a.jpg`
  const catalogue = createCatalogue(address)
  const origins = [host.origin]
  host.put('/a.jpg', await createPhoto('#a03040', 640, 480))
  const old = open({ makesPreviews: false, origins })
  await old.prepare([catalogue], false)
  const picture = old.find(catalogue)
  old.close()
  const pictures = open({ origins })
  await pictures.prepare([catalogue], false)
  expect(pictures.findPreview(address)).not.toBeNull()
  expect(pictures.find(catalogue)).toEqual(picture)
  expect(host.asked).toEqual(['/a.jpg', '/a.jpg'])
  pictures.close()
  const unlisted = open({ origins: [] })
  expect(unlisted.findPreview(address)).toBeNull()
  unlisted.close()
  await host.close()
})

it('wait for a run with more time if the bounded time does not suffice', async () => {
  const photo = await createPhoto('#a03040', 640, 480)
  const catalogue = createCatalogue(OWN)
  const old = open({ makesPreviews: false, photo })
  await old.prepare([catalogue], true)
  old.close()
  const pictures = open({ photo })
  const worked = await pictures.workOff(() => [catalogue], { time: LONGEST_TIME, accepts: () => true })
  expect(worked).toMatchObject({ processed: 1, isDone: true })
  expect(pictures.findPreview(OWN)).not.toBeNull()
  pictures.close()
})

it('are none where the edge makes the sizes, and without photos', () => {
  const surroundings = { readPublicFile: () => null, now: () => 0, warn: expect.unreachable }
  const hosts = { names: ['photos.example'], origins: [] }
  for (const mode of ['service', 'off'] as const) {
    const setup = { mode, hosts, store: ':memory:', brand: 'Vitrina', makesPreviews: true }
    expect(openPictures(setup, surroundings).findPreview('https://photos.example/a.jpg')).toBeNull()
  }
})
