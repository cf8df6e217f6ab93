/** After a power cut, files may be empty, old or back again, and the record may have lost its last commits. */
import { cpSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { MOST_SYNCED } from '../../../src/builder/state/output/changed-files.ts'
import { openRecord } from '../../../src/builder/state/record/open-record.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import type { World } from '../../../src/builder/rebuild/world.ts'
import { product } from '../../support/rebuild/documents.ts'
import { readFiles } from '../../support/run/files.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { runInWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()

const SELLERS = MOST_SYNCED + 10

function list(count: number, price = 1): readonly SourceDocument[] {
  return Array.from({ length: count }, (_, index) => product(`p${index}`, `s${index}`, { price }))
}

const run = (setup: Partial<WorldSetup> = {}) =>
  runInWorld({ folder: path('site'), documents: list(SELLERS), ...setup })
const dist = (name = 'site') => readFiles(path(name, 'dist'))
const page = (seller: string) => path('site/dist/catalogo', `${seller}.html`)
const empty = (seller: string) => truncateSync(page(seller))

async function runAfterBoot(setup: Partial<WorldSetup> = {}) {
  const { preparation } = await run({ boot: 'boot 2', ...setup })
  const rendered = preparation.plan.render.flatMap(({ seller }) => seller ?? [])
  return { rendered, isWhole: preparation.isWhole, isChecked: preparation.check !== null }
}

function readUnsynced(): readonly string[] {
  const record = openRecord(path('site/state/record.sqlite'))
  try {
    return record.readUnsynced()
  } finally {
    record.close()
  }
}

async function expectClean(documents: readonly SourceDocument[]): Promise<void> {
  await runInWorld({ folder: path('clean'), documents })
  expect(dist()).toEqual(dist('clean'))
}

describe('a large run', () => {
  beforeEach(() => run())

  it('lists its files as not synced', () => {
    const names = readUnsynced()
    expect(names).toContain('catalogo/s0.html')
    expect(names).toContain('index.html')
    expect(names.length).toBeGreaterThan(SELLERS)
  })

  it('is compared with the disk once after another boot, and what was lost is rendered', async () => {
    empty('s3')
    rmSync(page('s5'))
    expect(await runAfterBoot()).toEqual({ rendered: ['s3', 's5'], isWhole: false, isChecked: true })
    await expectClean(list(SELLERS))
    expect(readUnsynced()).toEqual([])
    expect(await runAfterBoot({ boot: 'boot 3' })).toMatchObject({ isChecked: false })
  })

  it('is compared once also if nothing was lost', async () => {
    expect(await runAfterBoot()).toEqual({ rendered: [], isWhole: false, isChecked: true })
    expect(await runAfterBoot()).toMatchObject({ isChecked: false })
  })

  it('is not compared in the same boot', async () => {
    expect((await run()).preparation.check).toBeNull()
  })

  it('removes again the page of a removed seller that came back', async () => {
    const documents = list(SELLERS - 1, 2)
    const old = dist()
    await run({ documents })
    writeFileSync(page(`s${SELLERS - 1}`), String(old[`catalogo/s${SELLERS - 1}.html`]))
    expect(await runAfterBoot({ documents })).toMatchObject({ rendered: [], isChecked: true })
    await expectClean(documents)
  })

  it('is followed by a small run whose files are synced: only the others are compared', async () => {
    const documents = [...list(1, 5), ...list(SELLERS).slice(1)]
    await run({ documents })
    expect(readUnsynced()).not.toContain('catalogo/s0.html')
    expect(readUnsynced()).toContain('catalogo/s1.html')
  })
})

describe('a small run', () => {
  it('leaves nothing to compare after another boot', async () => {
    await run({ documents: list(3) })
    await runAfterBoot({ documents: list(3) })
    const documents = list(3, 2)
    expect(await runAfterBoot({ documents })).toMatchObject({ rendered: ['s0', 's1', 's2'] })
    expect(readUnsynced()).toEqual([])
    expect(await runAfterBoot({ documents, boot: 'boot 3' })).toMatchObject({ isChecked: false })
  })
})

describe('an interrupted run', () => {
  /** Ends at the n-th written file. The record is put back to what was forced to the disk, like after a power cut. */
  function cutAt(n: number): (world: World) => World {
    let count = 0
    return (world) => ({
      ...world,
      state: {
        ...world.state,
        record: {
          ...world.state.record,
          writeDurability: (...values) => {
            world.state.record.writeDurability(...values)
            cpSync(path('site/state'), path('durable'), { recursive: true })
          },
        },
        output: {
          ...world.state.output,
          write: (name, bytes) => {
            if ((count += 1) > n) throw new Error('cut')
            world.state.output.write(name, bytes)
          },
        },
      },
    })
  }

  it.each([2, 20])('is repaired after another boot, with any loss of the record: at file %i', async (n) => {
    await run({ documents: list(SELLERS, 1) })
    await expect(run({ documents: list(SELLERS, 2), wrap: cutAt(n) })).rejects.toThrow('cut')
    rmSync(path('site/state'), { recursive: true })
    cpSync(path('durable'), path('site/state'), { recursive: true })
    // The source has changed back meanwhile, so its documents equal the lost commit's.
    expect(await runAfterBoot({ documents: list(SELLERS, 1) })).toMatchObject({ isWhole: true })
    await expectClean(list(SELLERS, 1))
  })

  it('keeps its files at risk though the next run in the same boot ends well', async () => {
    await run({ documents: list(3, 1) })
    await expect(run({ documents: list(3, 2), wrap: cutAt(2) })).rejects.toThrow('cut')
    await run({ documents: list(3, 2) })
    empty('s0')
    expect(await runAfterBoot({ documents: list(3, 2) })).toMatchObject({ isWhole: true, rendered: ['s0'] })
    await expectClean(list(3, 2))
    expect(await runAfterBoot({ documents: list(3, 2), boot: 'boot 3' })).toMatchObject({ isChecked: false })
  })
})
