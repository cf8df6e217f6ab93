/** A photo of the public folder is known by its bytes: a page never shows the picture of a file that was replaced. */
import { expect, it } from 'vitest'
import { hashBytes } from '../../../src/builder/files/file-hashes.ts'
import { openPictureStore } from '../../../src/builder/pictures/store/picture-store.ts'
import { createStoredPictures } from '../../../src/builder/pictures/stored-pictures.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { readFiles } from '../../support/run/files.ts'
import { LONGEST_TIME } from '../../support/run/longest-time.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { runInWorld } from '../../support/rebuild/world.ts'
import { createPhoto } from './photo-host.ts'

const path = useTemporaryFolder()
const NAME = 'muestra/a b.jpg'
const DOCUMENTS = [
  user('ana'),
  product('p', 'ana', { photo: '/muestra/a%20b.jpg' }),
  user('eva'),
  product('q', 'eva', { photo: null }),
]

let reads = 0

/** Runs a rebuild with this file in the public folder. Returns the files that the page shows. */
async function build(bytes: Uint8Array, known = bytes) {
  const readPublicFile = (): Uint8Array => {
    reads += 1
    return bytes
  }
  const pictures = createStoredPictures({
    store: openPictureStore(path('pictures.sqlite'), expect.unreachable),
    hosts: { names: [], origins: [] },
    readPublicFile,
    brand: 'Vitrina',
    makesPreviews: true,
    now: Date.now,
    patience: LONGEST_TIME,
  })
  try {
    await runInWorld({
      folder: path('site'),
      documents: DOCUMENTS,
      render: (page) => JSON.stringify(page),
      wrap: (world) => ({
        ...world,
        readInputs: () => {
          const inputs = world.readInputs()
          const publicFiles = { [NAME]: hashBytes(known) }
          return {
            ...inputs,
            basis: { ...inputs.basis, files: publicFiles },
            publicFiles,
            readPublicFile: () => bytes,
          }
        },
        pictures,
      }),
    })
    const page = readFiles(path('site/dist'))['catalogo/ana.html'] ?? ''
    return { photos: [...new Set(page.match(/fotos\/\w+-\d+\.avif/g))] }
  } finally {
    pictures.close()
  }
}

it('is shown anew by a plain rebuild after its file was replaced, or became a photo', async () => {
  const photo = await createPhoto('#a03040', 400, 500)
  const first = await build(photo)
  expect(first.photos).toHaveLength(1)
  reads = 0
  expect(await build(photo)).toMatchObject({ photos: first.photos })
  expect(reads).toBe(0)
  const second = await build(await createPhoto('#30a040', 400, 500))
  expect(second.photos).toHaveLength(1)
  expect(second.photos).not.toEqual(first.photos)
  expect((await build(Buffer.from('no photo'))).photos).toEqual([])
  expect((await build(photo)).photos).toEqual(first.photos)
})
