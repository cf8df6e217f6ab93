/** A read that takes away a large part of the site is refused, and nothing changes. */
import { cpSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ShrinkError } from '../../../src/builder/rebuild/shrink-guard.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { runInWorld } from '../../support/rebuild/world.ts'
import { readFiles } from '../../support/run/files.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

const createShop = (seller: string, products: number): readonly SourceDocument[] => [
  user(seller),
  ...Array.from({ length: products }, (_, index) => product(`${seller}-${index}`, seller)),
]
const createShops = (sellers: number, products: number): readonly SourceDocument[] =>
  Array.from({ length: sellers }, (_, index) => createShop(`s${index}`, products)).flat()
const run = (documents: readonly SourceDocument[], setup: Partial<WorldSetup> = {}) =>
  runInWorld({ folder: path(), documents, ...setup })

interface Shrink {
  readonly before: readonly SourceDocument[]
  readonly after: readonly SourceDocument[]
}

const LARGE = [...createShops(20, 2), ...createShop('ana', 60)]

const ACCEPTED: Readonly<Record<string, Shrink>> = {
  'the whole shop of the seller who loses most': { before: LARGE, after: createShops(20, 2) },
  'most products of one seller': { before: LARGE, after: [...createShops(20, 2), ...createShop('ana', 1)] },
  'ten products of the others': { before: createShops(11, 2), after: createShops(11, 1) },
  'a fifth of all sellers, and one more': { before: createShops(60, 0), after: createShops(47, 0) },
}
const REFUSED: Readonly<Record<string, Shrink>> = {
  'two of three shops': { before: createShops(3, 20), after: createShops(1, 20) },
  'more than a fifth of all sellers': { before: createShops(60, 0), after: createShops(46, 0) },
  'half of the products of everybody': { before: createShops(20, 4), after: createShops(20, 2) },
  'all products there were': { before: createShop('ana', 3), after: createShop('ana', 0) },
}

describe.each(['with its state', 'whose state is lost'])('a site %s', (name) => {
  const forget = (): void => {
    if (name === 'whose state is lost') rmSync(path('state'), { recursive: true })
  }

  it.each(Object.entries(ACCEPTED))('loses %s', async (_, { before, after }) => {
    await run(before)
    forget()
    await run(after)
    await run(after, { folder: path('clean') })
    expect(Object.keys(readFiles(path('dist')))).toEqual(Object.keys(readFiles(path('clean/dist'))))
  })

  it.each(Object.entries(REFUSED))('keeps %s, unless the user allows it', async (_, { before, after }) => {
    await run(before)
    const site = readFiles(path('dist'))
    forget()
    await expect(run(after)).rejects.toThrow(ShrinkError)
    expect(readFiles(path('dist'))).toEqual(site)
    await run(after, { options: { isShrinkAllowed: true } })
    await expect(run(after)).resolves.toMatchObject({ isIdle: true })
  })

  it('is never emptied', async () => {
    await run(createShop('ana', 1))
    forget()
    for (const isShrinkAllowed of [false, true])
      await expect(run([], { options: { isShrinkAllowed } })).rejects.toThrow(/has no sellers/)
  })
})

it('A larger site is not replaced because an older state has few sellers', async () => {
  await run(createShops(2, 1))
  cpSync(path('state'), path('older'), { recursive: true })
  await run(createShops(40, 1))
  rmSync(path('state'), { recursive: true })
  cpSync(path('older'), path('state'), { recursive: true })
  const site = readFiles(path('dist'))
  await expect(run(createShops(2, 1))).rejects.toThrow(ShrinkError)
  expect(readFiles(path('dist'))).toEqual(site)
})

it('A read of named sellers is judged like a whole one', async () => {
  await run(createShops(3, 20))
  const options = { sellers: ['s1', 's2'], isClaimed: true }
  await expect(run(createShop('s0', 20), { options })).rejects.toThrow(ShrinkError)
})
