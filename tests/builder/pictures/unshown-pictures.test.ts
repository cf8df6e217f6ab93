/** When pictures go that no page shows any more. */
import { expect, it } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import type { Picture } from '../../../src/domain/photos/picture.ts'
import type { Pictures } from '../../../src/builder/pictures/pictures.ts'
import { createStorelessPictures } from '../../../src/builder/pictures/pictures.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { readFiles } from '../../support/run/files.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import type { World } from '../../../src/builder/rebuild/world.ts'
import { runInWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()

/** Each photo has one file with its name. */
const PICTURES: Pictures = {
  ...createStorelessPictures({}, (address): Picture => {
    const name = address.replace(/^.*\/(.*)\.jpg$/, '$1')
    return { type: 'image/avif', sources: [{ path: `fotos/${name}.avif`, width: 320 }], tone: null }
  }),
  readFile: (file) => Buffer.from(file),
}

const withPhoto = (id: string, owner: string, photo: string): SourceDocument =>
  product(id, owner, { photo: `https://photos.example/${photo}.jpg` })

const OLD = [
  user('ana'),
  withPhoto('p', 'ana', 'old'),
  withPhoto('q', 'eva', 'shared'),
  withPhoto('r', 'sol', 'gone'),
]
const OTHER = [user('ana'), withPhoto('p', 'ana', 'other'), withPhoto('q', 'eva', 'shared')]

function build(documents: readonly SourceDocument[], isFull = false): Promise<unknown> {
  const wrap = (world: World): World => ({ ...world, pictures: PICTURES })
  return runInWorld({ folder: path('site'), documents, options: { isFull }, wrap })
}

it('Pictures that no page shows any more go in a run over everything, and in no other', async () => {
  const list = (): readonly string[] =>
    Object.keys(readFiles(path('site/dist'))).filter((name) => name.startsWith('fotos/'))
  await build(OLD)
  expect(list()).toEqual(['fotos/gone.avif', 'fotos/old.avif', 'fotos/shared.avif'])
  await build(OTHER)
  expect(list()).toHaveLength(4)
  await build(OTHER, true)
  expect(list()).toEqual(['fotos/other.avif', 'fotos/shared.avif'])
})
