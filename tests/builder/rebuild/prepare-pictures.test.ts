/** Whose pictures a rebuild makes. */
import { expect, test } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { rebuild } from '../../../src/builder/rebuild/rebuild.ts'
import { product, user } from '../../support/documents.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'
import { createWorld, runInWorld } from '../../support/world.ts'

const path = useTemporaryFolder()

interface Prepared {
  readonly sellers: number
  readonly drawsAll: boolean
}

const documentsOf = (count: number): readonly SourceDocument[] =>
  Array.from({ length: count }, (_, index) => [user(`s${index}`), product(`p${index}`, `s${index}`)]).flat()

/** Answers what the pictures were asked for, `null` when they were not. */
async function run(documents: readonly SourceDocument[]): Promise<Prepared | null> {
  const world = createWorld({ folder: path(), documents })
  let prepared: Prepared | null = null
  try {
    await rebuild({
      ...world,
      pictures: {
        ...world.pictures,
        prepare: (catalogues, drawsAll) => {
          prepared = { sellers: [...catalogues].length, drawsAll }
          return world.pictures.prepare([], drawsAll)
        },
      },
    })
    return prepared
  } finally {
    world.snapshot.close()
    world.record.close()
  }
}

test('those of the sellers that are rendered, and nobody looks at them when nothing changed', async () => {
  expect(await run(documentsOf(5))).toEqual({ sellers: 5, drawsAll: true })
  expect(await run(documentsOf(6))).toEqual({ sellers: 1, drawsAll: true })
  expect(await run(documentsOf(6))).toBeNull()
})

test('those of all who stay, when a site becomes small enough to have all of them drawn', async () => {
  expect(await run(documentsOf(33))).toEqual({ sellers: 33, drawsAll: false })
  expect(await run(documentsOf(32))).toEqual({ sellers: 32, drawsAll: true })
})

test('a drawing of the public folder that changed under its name makes every page be looked at anew', async () => {
  const setup = { folder: path(), documents: documentsOf(2) }
  await runInWorld(setup)
  const withFile = async (name: string) => {
    const { preparation } = await runInWorld({
      ...setup,
      wrap: (world) => ({ ...world, publicFiles: { ...world.publicFiles, [name]: 'other bytes' } }),
    })
    return preparation.plan.render.filter(({ reason }) => reason === 'settings').length
  }
  expect(await withFile('a/b.txt')).toBe(0)
  expect(await withFile('favicon.svg')).toBeGreaterThan(0)
})
