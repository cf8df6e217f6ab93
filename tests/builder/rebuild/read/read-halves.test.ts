/** A whole read of which another thread does half gives what a read in one thread gives. */
import { existsSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { FarTask, StartFar } from '../../../../src/builder/rebuild/read/far-half.ts'
import { startFarRead } from '../../../../src/builder/rebuild/read/far-half.ts'
import { readSource } from '../../../../src/builder/rebuild/read/read-source.ts'
import { findWorker } from '../../../../src/builder/commands/rebuild/find-worker.ts'
import { openEmbedded } from '../../../../src/builder/sources/embedded/embedded.ts'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'
import type { Snapshot } from '../../../../src/builder/state/snapshot/snapshot.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { readContent } from '../../../support/rebuild/snapshot-content.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { SQL_EDITS } from '../../sources/embedded-edits.ts'
import { edit, makeEmbedded } from '../../sources/embedded-fixture.ts'
import { settleAll } from '../../../support/rebuild/settle-all.ts'

const path = useTemporaryFolder()

const DOCUMENTS = [
  user('ana'),
  user('luz'),
  ...['p0', 'p1', 'p2', 'p3', 'p4', 'p5'].map((id) => product(id, id < 'p3' ? 'ana' : 'luz')),
  product('double', 'ana'),
  product('p6', 'luz', { price: 'not a number' }),
]

beforeEach(() => makeEmbedded(path('shop.sqlite'), DOCUMENTS))

const file = (): string => path('part.sqlite')

interface Reading {
  readonly snapshot?: Snapshot
  readonly startFar?: StartFar | null
  readonly sellers?: readonly string[]
  readonly accept?: () => void
}

function openFile(): Snapshot {
  const snapshot = openSnapshot(path('snapshot.sqlite'))
  onTestFinished(() => snapshot.close())
  return snapshot
}

/** Counts the reads in another thread. */
function countFar(module = findWorker('read-worker')): StartFar & { count: number } {
  const startFar = (half: FarTask['half'], isCompared: boolean): ReturnType<StartFar> => {
    counting.count += 1
    return startFarRead(module, {
      half,
      compared: isCompared ? path('snapshot.sqlite') : null,
      file: file(),
    })
  }
  const counting = Object.assign(startFar, { count: 0 })
  return counting
}

async function readAll({
  snapshot,
  startFar = null,
  sellers = [],
  accept = () => {},
}: Reading): Promise<object> {
  const kept = snapshot ?? openSnapshot(':memory:')
  const source = openEmbedded(path('shop.sqlite'), { largeFrom: 0 })
  try {
    const options = {
      sellers,
      isFull: true,
      intake: '',
      accept,
      progress: () => {},
      startFar,
    }
    const { reads, unknownSellers } = await readSource(source, kept, options)
    return { reads, unknownSellers, ...readContent(kept) }
  } finally {
    source.close()
    if (snapshot === undefined) kept.close()
  }
}

it('first, and compared with an earlier read', async () => {
  const startFar = countFar()
  const snapshot = openFile()
  const alone = await readAll({})
  expect(alone).toMatchObject({ reads: DOCUMENTS.length, totals: { products: 8 } })
  expect(await readAll({ snapshot, startFar })).toEqual(alone)
  settleAll(snapshot)
  expect(await readAll({ snapshot, startFar })).toEqual(alone)
  expect(startFar.count).toBe(2)
  expect(snapshot.waits.list()).toEqual([])
  expect(existsSync(file())).toBe(false)
})

// The id of the first document is that with which a report names the second one, whose id is not text.
const NAMED_ALIKE = `
INSERT INTO documents (collection, id, data) VALUES ('cataloge', 'CAST(X''7035FF'' AS TEXT)', '[]');
INSERT INTO documents (collection, id, data) VALUES ('cataloge', CAST(X'7035FF' AS TEXT), '[]')`

const RAW = "CAST(X'7035FF' AS TEXT)"
const STRANGE = `
INSERT INTO documents (collection, id, data) SELECT collection, ${RAW}, data FROM documents WHERE id = 'p1';
INSERT INTO documents (collection, id, data) SELECT collection, 'p5' || char(65533), data FROM documents WHERE id = 'p4';
INSERT INTO documents (collection, id, data) SELECT collection, 'é', data FROM documents WHERE id = 'p4'`

describe.each([
  ...SQL_EDITS,
  { title: 'INSERT of ids that are not UTF-8', sql: STRANGE },
  { title: 'INSERT of ids that reports do not tell apart', sql: NAMED_ALIKE },
])('after an outside $title', ({ sql }) => {
  it('gives what one thread gives', async () => {
    const startFar = countFar()
    const snapshot = openFile()
    await readAll({ snapshot })
    edit(path('shop.sqlite'), sql)
    const alone = await readAll({})
    expect(await readAll({ snapshot, startFar })).toEqual(alone)
    expect(await readAll({ startFar })).toEqual(alone)
    const isDivided = !sql.startsWith('DELETE FROM documents') || sql.includes('WHERE')
    expect(startFar.count).toBe(isDivided ? 2 : 0)
  })
})

it('reads again if another program writes meanwhile', async () => {
  const startFar = countFar()
  let isEdited = false
  const editFirst: StartFar = (half, isCompared) => {
    if (!isEdited) edit(path('shop.sqlite'), "DELETE FROM documents WHERE id IN ('p0', 'p5')")
    isEdited = true
    return startFar(half, isCompared)
  }
  const content = await readAll({ startFar: editFirst })
  expect(startFar.count).toBe(2)
  expect(content).toEqual(await readAll({}))
  expect(content).toMatchObject({ totals: { products: 6 } })
})

it.each([
  ['fails', "throw new Error('of the test')"],
  ['ends without a result', ''],
])('reads alone if the other thread %s', async (_, code) => {
  writeFileSync(path('failing.mjs'), code)
  const startFar = countFar(path('failing.mjs'))
  const snapshot = openFile()
  expect(await readAll({ snapshot, startFar })).toEqual(await readAll({}))
  expect(startFar.count).toBe(1)
})

it('changes nothing if the change is refused', async () => {
  const startFar = countFar()
  const snapshot = openFile()
  const refuse = (): never => {
    throw new Error('refused')
  }
  await expect(readAll({ snapshot, startFar, accept: refuse })).rejects.toThrow('refused')
  expect(snapshot.readTotals().sellers).toBe(0)
  expect(existsSync(file())).toBe(false)
  expect(await readAll({ snapshot, startFar })).toEqual(await readAll({}))
})

it('reads alone to find whether anything names a seller', async () => {
  const startFar = countFar()
  expect(await readAll({ startFar, sellers: ['luz', 'typo'] })).toMatchObject({ unknownSellers: ['typo'] })
  expect(startFar.count).toBe(0)
})

it('does not divide a small file', () => {
  const source = openEmbedded(path('shop.sqlite'))
  onTestFinished(() => source.close())
  expect(source.divide?.()).toBeNull()
})

it('does not divide a file with a write-ahead log, which another connection may read in another state', () => {
  const large = openEmbedded(path('shop.sqlite'), { largeFrom: 0 })
  expect(large.divide?.()).toMatchObject({ far: { first: 'p2' } })
  large.close()
  const writer = new DatabaseSync(path('shop.sqlite'))
  writer.exec("PRAGMA journal_mode = WAL; UPDATE documents SET update_time = '' WHERE id = 'p1'")
  const source = openEmbedded(path('shop.sqlite'), { largeFrom: 0 })
  onTestFinished(() => [source, writer].forEach((one) => one.close()))
  expect(source.divide?.()).toBeNull()
})
