/** Random power cuts on a disk that forgets. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRandom } from '../../../scripts/measure/random.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { product } from '../../support/rebuild/documents.ts'
import { createDying, DeathError } from '../../support/rebuild/faults/dying-world.ts'
import { readFiles } from '../../support/run/files.ts'
import { useSharedFolder } from '../../support/run/temporary.ts'
import type { LossyDisk } from '../../support/rebuild/faults/lossy-disk.ts'
import { createLossyDisk } from '../../support/rebuild/faults/lossy-disk.ts'
import { runInWorld } from '../../support/rebuild/world.ts'

const CUTS = 30
/** More steps than a run has: it ends well. */
const LAST = 400

interface StoryRun {
  /** The documents that it finds. */
  readonly data: number
  /** The step at which its process is killed. */
  readonly end: number
}

const DATA: readonly (readonly SourceDocument[])[] = [
  createDocuments(3, 1),
  createDocuments(3, 2),
  createDocuments(9, 1),
  createDocuments(22, 1),
  createDocuments(22, 2),
  // Few pages change from this to the one before.
  [product('p0', 's0', { price: 5 }), ...createDocuments(22, 2).slice(1)],
]

function createDocuments(count: number, price: number): readonly SourceDocument[] {
  return Array.from({ length: count }, (_, index) => product(`p${index}`, `s${index}`, { price }))
}

const path = useSharedFolder()

const run: fc.Arbitrary<StoryRun> = fc.record({
  data: fc.nat(DATA.length - 1),
  end: fc.oneof(fc.constant(LAST), fc.nat(60)),
})

const cleans = new Map<number, Readonly<Record<string, string>>>()

async function readClean(data: number): Promise<Readonly<Record<string, string>>> {
  const folder = path(`clean-${data}`)
  if (!cleans.has(data)) await runInWorld({ folder, documents: DATA[data] ?? [] })
  const files = cleans.get(data) ?? readFiles(join(folder, 'dist'))
  cleans.set(data, files)
  return files
}

interface World {
  readonly folder: string
  readonly disk: LossyDisk
}

async function play({ folder, disk }: World, { data, end }: StoryRun, boot: string): Promise<void> {
  const setup = { folder, documents: DATA[data] ?? [], options: { isShrinkAllowed: true }, boot }
  try {
    await runInWorld({ ...setup, wrap: (world) => createDying(disk.wrap(world), end, 'after') })
    disk.keepState()
  } catch (error) {
    if (!(error instanceof DeathError)) throw error
  }
}

it('any run after a power cut makes the site of a clean build', async () => {
  const story = fc.record({
    runs: fc.array(run, { minLength: 1, maxLength: 3 }),
    next: fc.array(fc.nat(DATA.length - 1), { minLength: 1, maxLength: 2 }),
    seed: fc.nat(),
  })
  const property = fc.asyncProperty(story, async ({ runs, next, seed }) => {
    const folder = path('site')
    rmSync(folder, { recursive: true, force: true })
    const world = { folder, disk: createLossyDisk(folder) }
    for (const one of runs) await play(world, one, 'boot 1')
    world.disk.cut(createRandom(seed))
    for (const [index, data] of next.entries()) {
      await play(world, { data, end: LAST }, `boot ${2 + index}`)
      expect(readFiles(join(folder, 'dist'))).toEqual(await readClean(data))
    }
  })
  await fc.assert(property, { numRuns: CUTS, seed: 7, endOnFailure: true })
})
