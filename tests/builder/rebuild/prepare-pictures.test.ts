/** Which sellers' pictures a rebuild makes. */
import { expect, it } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { createSellers } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { runInWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()

/** Runs a rebuild. Returns the number of sellers whose pictures it makes; `null` if it makes none. */
async function run(
  documents: readonly SourceDocument[],
  setup: Partial<WorldSetup> = {},
): Promise<number | null> {
  let prepared: number | null = null
  await runInWorld({
    folder: path(),
    documents,
    ...setup,
    wrap: (world) => ({
      ...world,
      pictures: {
        ...world.pictures,
        make: (options) => {
          prepared = options.sellers.length
          return world.pictures.make(options)
        },
      },
    }),
  })
  return prepared
}

it('A rebuild makes the pictures of sellers who are due, and none if nobody is', async () => {
  expect(await run(createSellers(5))).toBe(5)
  expect(await run(createSellers(6))).toBe(1)
  expect(await run(createSellers(6))).toBeNull()
})

it('A rebuild with other settings makes the pictures of all sellers', async () => {
  await run(createSellers(40))
  expect(await run(createSellers(40), { siteName: 'Otra' })).toBe(40)
  expect(await run(createSellers(40), { siteName: 'Otra' })).toBeNull()
})

it('A rebuild that is explained makes no picture', async () => {
  expect(await run(createSellers(2), { options: { isExplained: true } })).toBeNull()
})
