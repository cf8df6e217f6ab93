/** A first read fills the file without a write-ahead log. */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { takeWhole } from '../../../support/edge/items.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()
const DOCUMENTS = [user('ana', 'Ana', 'Núñez'), product('a1', 'ana')]
const TOTALS = { sellers: 1, profiles: 1, products: 1 }
const NOTHING = { sellers: 0, profiles: 0, products: 0 }

/** Returns true if the file header selects a write-ahead log. Source: https://sqlite.org/fileformat.html, offset 18. */
function hasWriteAheadLog(): boolean {
  const WAL = 2
  return readFileSync(path('snapshot.sqlite'))[18] === WAL
}

test('a first read ends with a write-ahead log', async () => {
  const snapshot = openSnapshot(path('snapshot.sqlite'))
  let during = true
  await takeWhole(snapshot, DOCUMENTS, () => {
    during = hasWriteAheadLog()
  })
  expect([during, hasWriteAheadLog()]).toEqual([false, true])
  snapshot.close()
})

test('a first read that is refused at its end leaves an empty snapshot', async () => {
  const snapshot = openSnapshot(path('snapshot.sqlite'))
  const refuse = (): never => {
    throw new Error('refused')
  }
  await expect(takeWhole(snapshot, DOCUMENTS, refuse)).rejects.toThrow('refused')
  expect(snapshot.readTotals()).toEqual(NOTHING)
  expect(hasWriteAheadLog()).toBe(true)
  await takeWhole(snapshot, DOCUMENTS)
  expect(snapshot.readTotals()).toEqual(TOTALS)
  snapshot.close()
})

test('a first read succeeds while another connection reads the file', async () => {
  const snapshot = openSnapshot(path('snapshot.sqlite'))
  const other = new DatabaseSync(path('snapshot.sqlite'))
  other.prepare('SELECT count(*) FROM entries').get()
  await takeWhole(snapshot, DOCUMENTS)
  expect(other.prepare('SELECT count(*) AS count FROM entries').get()).toMatchObject({ count: 2 })
  other.close()
  snapshot.close()
})
