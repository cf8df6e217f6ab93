/** When the workers that render start to load their code. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { POOL_FROM } from '../../../src/builder/rebuild/plan-site.ts'
import { readDocuments } from '../../../src/builder/rebuild/read-documents.ts'
import type { World } from '../../../src/builder/rebuild/world.ts'
import { product, user } from '../../support/documents.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'
import type { WorldSetup } from '../../support/world.ts'
import { createWorld } from '../../support/world.ts'

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
  return { ...world, renderers: { ...world.renderers, startWorkers: () => (starts += 1) } }
}

const FEW = [user('ana'), product('uno', 'ana')]
const MANY = Array.from({ length: 5_000 }, (_, index) => product(`p${index}`, 'ana'))
const SELLERS = Array.from({ length: POOL_FROM }, (_, index) => user(`s${index}`))

it('they do so during a first read of many documents', async () => {
  await readDocuments(open(MANY), false)
  expect(starts).toBeGreaterThan(0)
})

it.each<[string, Partial<WorldSetup>, readonly SourceDocument[], boolean]>([
  ['a first read of few', {}, FEW, false],
  ['a dry run', {}, MANY, true],
  ['a site of objects', { lane: 'objects' }, MANY, false],
])('they do not for %s', async (_, setup, documents, isDry) => {
  await readDocuments(open(documents, setup), isDry)
  expect(starts).toBe(0)
})

it('they do so at once when all pages of many sellers are asked for, and not for a change', async () => {
  await readDocuments(open(SELLERS), false)
  await readDocuments(open([...SELLERS, ...FEW]), false)
  expect(starts).toBe(0)
  await readDocuments(open([...SELLERS, ...FEW], { options: { isFull: true } }), false)
  expect(starts).toBeGreaterThan(0)
})
