/** Which sellers' pictures a rebuild makes. */
import { expect, it } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { createSellers } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { runInWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()

interface Prepared {
  readonly sellers: number
  readonly drawsAll: boolean
}

/** Runs a rebuild. Returns the arguments of `make`, `null` if it was not called. */
async function run(
  documents: readonly SourceDocument[],
  setup: Partial<WorldSetup> = {},
): Promise<Prepared | null> {
  let prepared: Prepared | null = null
  await runInWorld({
    folder: path(),
    documents,
    ...setup,
    wrap: (world) => ({
      ...world,
      pictures: {
        ...world.pictures,
        make: (options) => {
          prepared = { sellers: [...options.readCatalogues()].length, drawsAll: options.drawsAll }
          return world.pictures.make(options)
        },
      },
    }),
  })
  return prepared
}

it('A rebuild makes the pictures of sellers who are due, and none if nobody is', async () => {
  expect(await run(createSellers(5))).toEqual({ sellers: 5, drawsAll: true })
  expect(await run(createSellers(6))).toEqual({ sellers: 1, drawsAll: true })
  expect(await run(createSellers(6))).toBeNull()
})

it('A site that becomes small enough to draw all pictures draws those of all remaining sellers', async () => {
  expect(await run(createSellers(33))).toEqual({ sellers: 33, drawsAll: false })
  expect(await run(createSellers(32))).toEqual({ sellers: 32, drawsAll: true })
})

it('A rebuild with other settings makes the pictures of all sellers', async () => {
  await run(createSellers(40))
  expect(await run(createSellers(40), { siteName: 'Otra' })).toEqual({ sellers: 40, drawsAll: false })
  expect(await run(createSellers(40), { siteName: 'Otra' })).toBeNull()
})

it('A rebuild that is explained makes no picture', async () => {
  expect(await run(createSellers(2), { options: { isExplained: true } })).toBeNull()
})
