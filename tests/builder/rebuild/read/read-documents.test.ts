/** When the workers that render start to load their code. */
import { writeFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import { findWorker } from '../../../../src/builder/commands/rebuild/find-worker.ts'
import type { StartFar } from '../../../../src/builder/rebuild/read/far-half.ts'
import { startFarRead } from '../../../../src/builder/rebuild/read/far-half.ts'
import { POOL_FROM } from '../../../../src/builder/rebuild/plan/plan-site.ts'
import { readDocuments } from '../../../../src/builder/rebuild/read/read-documents.ts'
import type { World } from '../../../../src/builder/rebuild/world.ts'
import { openEmbedded } from '../../../../src/builder/sources/embedded/embedded.ts'
import type { Source } from '../../../../src/builder/sources/source.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import type { WorldSetup } from '../../../support/rebuild/world.ts'
import { createWorld } from '../../../support/rebuild/world.ts'
import { makeEmbedded } from '../../sources/embedded-fixture.ts'

const path = useTemporaryFolder()
const worlds: World[] = []
let starts = 0

beforeEach(() => (starts = 0))
afterEach(() => {
  for (const { state } of worlds.splice(0)) {
    state.snapshot.close()
    state.record.close()
  }
})

function open(documents: readonly SourceDocument[], setup: Partial<WorldSetup> = {}): World {
  const world = createWorld({ folder: path(), documents, ...setup })
  worlds.push(world)
  const startWorkers = async (): Promise<void> => void (starts += 1)
  return { ...world, renderers: { ...world.renderers, startWorkers } }
}

const FEW = [user('ana'), product('uno', 'ana')]
const MANY = Array.from({ length: 5_000 }, (_, index) => product(`p${index}`, 'ana'))
const SELLERS = Array.from({ length: POOL_FROM }, (_, index) => user(`s${index}`))

it('they do so during a first read of many documents', async () => {
  await readDocuments(open(MANY), false)
  expect(starts).toBeGreaterThan(0)
})

it.each<[string, readonly SourceDocument[], boolean]>([
  ['a first read of few', FEW, false],
  ['a dry run', MANY, true],
])('they do not for %s', async (_, documents, isDry) => {
  await readDocuments(open(documents), isDry)
  expect(starts).toBe(0)
})

it('they do so when the thread that reads half has ended, whose failure is reported', async () => {
  const documents = [...SELLERS, product('p0', 's0'), product('p1', 's1'), product('p2', 's2')]
  const file = await makeEmbedded(path('shop.sqlite'), documents)
  writeFileSync(path('failing.mjs'), "throw new Error('broken on purpose')")
  for (const module of [findWorker('read-worker'), path('failing.mjs')]) {
    starts = 0
    const told: string[] = []
    const startsBefore: number[] = []
    const startFar: StartFar = (half) => {
      startsBefore.push(starts)
      return startFarRead(module, { half, compared: null, file: path('part.sqlite') })
    }
    const world = open([])
    const openSource = async (): Promise<Source> => openEmbedded(file, { largeFrom: 0 })
    const options = { ...world.options, isFull: true }
    await readDocuments(
      { ...world, options, openSource, startFar, progress: (text) => void told.push(text) },
      false,
    )
    expect(world.state.snapshot.readTotals()).toMatchObject({ sellers: POOL_FROM, products: 3 })
    expect([startsBefore, starts > 0]).toEqual([[0], true])
    const isBroken = module.endsWith('failing.mjs')
    expect(told.filter((text) => text.includes('broken on purpose'))).toHaveLength(isBroken ? 1 : 0)
  }
})

it('they have started before what another thread has read is copied, which keeps this one busy', async () => {
  const file = await makeEmbedded(path('shop.sqlite'), [...SELLERS, ...FEW])
  const world = open([])
  let hasStarted = false
  const startWorkers = async (): Promise<void> => {
    // Long enough for all that would not wait for it.
    for (let turns = 0; turns < 100; turns += 1) await turn()
    hasStarted = true
  }
  const whenConfirmed: boolean[] = []
  const openSource = async (): Promise<Source> => {
    const source = openEmbedded(file, { largeFrom: 0 })
    return { ...source, confirm: () => void whenConfirmed.push(hasStarted) }
  }
  const startFar: StartFar = (half) =>
    startFarRead(findWorker('read-worker'), { half, compared: null, file: path('part.sqlite') })
  const options = { ...world.options, isFull: true }
  const renderers = { ...world.renderers, startWorkers }
  await readDocuments({ ...world, options, renderers, openSource, startFar }, false)
  expect(whenConfirmed).toEqual([true])
})

it('they do so at once when all pages of many sellers are asked for, and not for a change', async () => {
  await readDocuments(open(SELLERS), false)
  await readDocuments(open([...SELLERS, ...FEW]), false)
  expect(starts).toBe(0)
  await readDocuments(open([...SELLERS, ...FEW], { options: { isFull: true } }), false)
  expect(starts).toBeGreaterThan(0)
})
