/** How long pictures stay that no page shows any more. */
import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
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

function build(
  folder: string,
  documents: readonly SourceDocument[],
  wrap: (world: World) => World = (world) => world,
): Promise<unknown> {
  return runInWorld({
    folder,
    documents,
    wrap: (world) => wrap({ ...world, state: { ...world.state, pictures: PICTURES } }),
  })
}

describe('pictures that no page shows any more', () => {
  it('are kept for three publishes, and longer only if a page shows them again', async () => {
    const list = (): readonly string[] =>
      Object.keys(readFiles(path('site/dist'))).filter((name) => name.startsWith('fotos/'))
    await build(path('site'), OLD)
    expect(list()).toEqual(['fotos/gone.avif', 'fotos/old.avif', 'fotos/shared.avif'])
    await build(path('site'), OTHER)
    expect(list()).toHaveLength(4)
    for (const name of ['a', 'b']) await build(path('site'), [...OTHER, user('luz', name)])
    expect(list()).toHaveLength(4)
    await build(path('site'), [...OTHER, withPhoto('z', 'luz', 'old')])
    expect(list()).toEqual(['fotos/old.avif', 'fotos/other.avif', 'fotos/shared.avif'])
  })

  it('go also in a publish that only removes a file that is not part of the site', async () => {
    await build(path('site'), OLD)
    await build(path('site'), OTHER)
    for (const name of ['a', 'b']) await build(path('site'), [...OTHER, user('luz', name)])
    writeFileSync(path('site/dist/catalogo/stray.txt'), 'stray')
    await build(path('site'), [...OTHER, user('luz', 'b')], (world) => ({
      ...world,
      options: { ...world.options, isVerify: true },
    }))
    const files = Object.keys(readFiles(path('site/dist')))
    expect(files.filter((name) => /^fotos|stray/.test(name))).toEqual([
      'fotos/other.avif',
      'fotos/shared.avif',
    ])
  })
})
