/** Which sellers' pictures a rebuild makes. */
import { expect, test } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { rebuild } from '../../../src/builder/rebuild/rebuild.ts'
import { createSellers } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { createWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()

interface Prepared {
  readonly sellers: number
  readonly drawsAll: boolean
}

/** Runs a rebuild. Returns the arguments of `prepare`, `null` if it was not called. */
async function run(
  documents: readonly SourceDocument[],
  { changedFile, mode }: { changedFile?: string; mode?: 'files' } = {},
): Promise<Prepared | null> {
  const world = createWorld({ folder: path(), documents })
  let prepared: Prepared | null = null
  try {
    await rebuild({
      ...world,
      inputs: {
        ...world.inputs,
        publicFiles: {
          ...world.inputs.publicFiles,
          ...(changedFile !== undefined && { [changedFile]: 'other bytes' }),
        },
      },
      state: {
        ...world.state,
        pictures: {
          ...world.state.pictures,
          ...(mode !== undefined && { settings: { mode } }),
          prepare: (catalogues, drawsAll) => {
            prepared = { sellers: [...catalogues].length, drawsAll }
            return world.state.pictures.prepare([], drawsAll)
          },
        },
      },
    })
    return prepared
  } finally {
    world.state.snapshot.close()
    world.state.record.close()
  }
}

test('those of the rendered sellers, and none when nothing changed', async () => {
  expect(await run(createSellers(5))).toEqual({ sellers: 5, drawsAll: true })
  expect(await run(createSellers(6))).toEqual({ sellers: 1, drawsAll: true })
  expect(await run(createSellers(6))).toBeNull()
})

test('those of all remaining sellers, when the site becomes small enough to draw all of them', async () => {
  expect(await run(createSellers(33))).toEqual({ sellers: 33, drawsAll: false })
  expect(await run(createSellers(32))).toEqual({ sellers: 32, drawsAll: true })
})

test('those of all sellers, when a drawing in the public folder changed under its name', async () => {
  await run(createSellers(2))
  expect(await run(createSellers(2), { changedFile: 'a/b.txt' })).toBeNull()
  expect(await run(createSellers(2), { changedFile: 'favicon.svg' })).toEqual({ sellers: 2, drawsAll: true })
  expect(await run(createSellers(2), { changedFile: 'favicon.svg' })).toBeNull()
})

test('those of all sellers, when settings of pictures changed: no page differs before they are made', async () => {
  await run(createSellers(40))
  expect(await run(createSellers(40), { mode: 'files' })).toEqual({ sellers: 40, drawsAll: false })
  expect(await run(createSellers(40), { mode: 'files' })).toBeNull()
})
