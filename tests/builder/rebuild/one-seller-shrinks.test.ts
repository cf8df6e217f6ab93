/** One seller who removes much of the site does not hold up the others. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createRebuildReport } from '../../../src/builder/commands/rebuild/rebuild-report.ts'
import { formatOutcome } from '../../../src/builder/commands/rebuild/format-rebuild.ts'
import type { RebuildOutcome } from '../../../src/builder/rebuild/rebuild.ts'
import { HOLD_TIME, ShrinkError } from '../../../src/builder/rebuild/read/shrink-guard.ts'
import { openFolder } from '../../../src/builder/sources/folder/folder.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { product, user, writeFolder } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { runInWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()

const SELLERS = Array.from({ length: 20 }, (_, index) => `s${index}`)
const OTHERS = SELLERS.flatMap((seller) => [
  user(seller),
  product(`${seller}-1`, seller),
  product(`${seller}-2`, seller),
])
const list = (seller: string, count: number, overrides = {}) =>
  Array.from({ length: count }, (_, index) => product(`${seller}-x${index}`, seller, overrides))
const BEFORE = [...OTHERS, user('ana'), ...list('ana', 30)]

/** Another seller has a new price. */
const EDITED = OTHERS.map((document) =>
  document.id === 's7-1' ? product('s7-1', 's7', { price: 4321 }) : document,
)

const run = (
  documents: readonly SourceDocument[],
  setup: Partial<WorldSetup> = {},
): Promise<RebuildOutcome> => runInWorld({ folder: path(), documents, ...setup })

const place = (seller: string): string => path(`dist/catalogo/${seller}.html`)
const readPage = (seller: string): string => readFileSync(place(seller), 'utf8')
const countProducts = (seller: string): number => readPage(seller).split('Perfume').length - 1

describe.each<[string, readonly SourceDocument[], number]>([
  ['removes most of her products', [user('ana'), ...list('ana', 3)], 3],
  ['removes all that she has', [], 0],
  ['takes the prices of her products away', [user('ana'), ...list('ana', 30, { price: undefined })], 30],
])('a seller who %s', (_, left, count) => {
  it('keeps them, and the change of another seller is published', async () => {
    await run(BEFORE)
    const page = readPage('ana')
    const outcome = await run([...EDITED, ...left])
    expect(readPage('s7')).toContain('4321')
    expect(readPage('ana')).toBe(page)
    const report = createRebuildReport(outcome, 0)
    expect(report.exit).toBe(6)
    expect(report.held).toMatchObject([{ seller: 'ana', until: new Date(HOLD_TIME).toISOString() }])
    expect(formatOutcome(outcome, report)).toMatch(/ana: \d+ documents .* held back until .*--allow-shrink/)
  })

  it.each<[string, Partial<WorldSetup>]>([
    ['a day later', { now: HOLD_TIME }],
    ['with --allow-shrink', { options: { isShrinkAllowed: true } }],
    [
      'with --allow-shrink and a read of another seller',
      { options: { isShrinkAllowed: true, sellers: ['s3'] } },
    ],
  ])('has her way %s', async (__, setup) => {
    const after = [...EDITED, ...left]
    await run(BEFORE)
    const refused = await run(after)
    const early = await run(after, { now: HOLD_TIME - 1 })
    expect(early.held).toEqual(refused.held)
    expect(countProducts('ana')).toBe(30)
    const { held } = await run(after, setup)
    expect(held).toEqual([])
    expect(existsSync(place('ana'))).toBe(left.length > 0)
    expect(left.length === 0 || countProducts('ana') === count).toBe(true)
    expect((await run(after, { now: HOLD_TIME })).held).toEqual([])
  })

  it('leaves a record of what the source has, in case the snapshot is lost', async () => {
    await run(BEFORE)
    await run([...EDITED, ...left])
    rmSync(path('state/snapshot.sqlite'))
    await run([...EDITED, ...left])
    expect(readPage('s7')).toContain('4321')
  })
})

it('a seller who shrinks the site is held back in each way to read it', async () => {
  await run(BEFORE)
  const { held } = await run([...EDITED, user('ana')], { options: { sellers: ['ana', 's7'] } })
  expect(held).toMatchObject([{ seller: 'ana', products: 30 }])
  expect(readPage('s7')).toContain('4321')
})

it.each<[string, readonly SourceDocument[], readonly SourceDocument[]]>([
  ['several sellers', [...BEFORE, ...list('luz', 30)], [...OTHERS, user('ana'), user('luz')]],
  ['one seller, and all others a bit', BEFORE, [user('ana'), ...SELLERS.map((seller) => user(seller))]],
  ['the whole source', BEFORE, []],
  [
    'the only seller with products',
    [user('luz'), user('ana'), ...list('ana', 30)],
    [user('luz'), user('ana')],
  ],
])('what %s lose is refused', async (_, before, after) => {
  await run(before)
  await expect(run(after)).rejects.toThrow(ShrinkError)
  expect((await run(before)).held).toEqual([])
})

it('a first read is not refused because of doubled lines', async () => {
  const doubled = list('ana', 30).flatMap(({ id }) => [
    product(id, 'ana'),
    product(id, 'ana', { price: undefined }),
  ])
  const folder = writeFolder(path('source'), [user('ana'), ...doubled])
  const { totals } = await run([], {
    wrap: (world) => ({ ...world, openSource: async () => openFolder(folder) }),
  })
  expect(totals.products).toBe(30)
})

it('removals are held back for a day, also if the clock was ahead', async () => {
  const after = [...EDITED, user('ana'), ...list('ana', 3)]
  await run(BEFORE)
  await run(after, { now: 100 * HOLD_TIME })
  const { held } = await run(after, { now: 0 })
  expect(held).toMatchObject([{ seller: 'ana', since: 0 }])
  expect((await run(after, { now: HOLD_TIME })).held).toEqual([])
  expect(countProducts('ana')).toBe(3)
})

it('removals are held back for the rest of the day after a run whose clock was behind', async () => {
  const after = [...EDITED, user('ana'), ...list('ana', 3)]
  await run(BEFORE)
  await run(after, { now: HOLD_TIME })
  await run(after, { now: HOLD_TIME / 2 })
  const { held } = await run(after, { now: 1.75 * HOLD_TIME })
  expect(held).toMatchObject([{ seller: 'ana', since: HOLD_TIME }])
})
