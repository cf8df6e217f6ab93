/** Rows of an embedded database that are no documents: left out and reported, however they are read. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readSource } from '../../../src/builder/rebuild/read/read-source.ts'
import { openEmbedded } from '../../../src/builder/sources/embedded/embedded.ts'
import { openSnapshot } from '../../../src/builder/state/snapshot/open-snapshot.ts'
import type { Snapshot } from '../../../src/builder/state/snapshot/snapshot.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { SQL_EDITS } from './embedded-edits.ts'
import { edit, makeEmbedded } from './embedded-fixture.ts'
import { gather, gatherKeys } from './reading.ts'

const path = useTemporaryFolder()

async function readInto(snapshot: Snapshot, file: string, isDry = false, isFull = false): Promise<unknown> {
  const source = openEmbedded(file, { isDry })
  try {
    const options = {
      sellers: [],
      isFull,
      intake: '',
      accept: () => {},
      progress: () => {},
    }
    await readSource(source, snapshot, options)
  } finally {
    source.close()
  }
  const catalogues = [...snapshot.readSellers()].map((seller) => snapshot.readCatalogue(seller))
  return { catalogues, problems: snapshot.readProblems(), totals: snapshot.readTotals() }
}

async function readClean(file: string, isDry = false): Promise<unknown> {
  const snapshot = openSnapshot(':memory:')
  try {
    return await readInto(snapshot, file, isDry)
  } finally {
    snapshot.close()
  }
}

const raw = (hex: string): string => `CAST(X'${hex}' AS TEXT)`
const owned = (owner: string): string => `'{"name":"x","owner":{"id":"' || ${owner} || '"}}'`
const insert = (collection: string, id: string, data: string): string =>
  `INSERT INTO documents (collection, id, data) VALUES ('${collection}', ${id}, ${data})`

describe('text that is not UTF-8', () => {
  const STEPS = [
    insert('users', raw('ff'), `'{"fName":"Eva"}'`),
    insert('users', `char(65533)`, `'{"fName":"Real"}'`),
    insert('cataloge', `'p7'`, owned(raw('ff'))),
    insert('cataloge', `'p8'`, owned(`char(65533)`)),
    insert('cataloge', raw('61ff'), owned(`'ana'`)),
    `UPDATE documents SET data = json_set(data, '$.name', 'y') WHERE id IN ('p7', 'p8')`,
    `UPDATE documents SET data = json_set(data, '$.name', 'z') WHERE id = ${raw('61ff')}`,
    `UPDATE documents SET id = 'p9' WHERE id = ${raw('61ff')}`,
    `DELETE FROM documents WHERE id = ${raw('ff')}`,
  ]

  it('is left out and reported, the same by the change log and by a whole comparison as by a clean read', async () => {
    const file = await makeEmbedded(path('data.sqlite'), [user('ana'), product('p1', 'ana')])
    const followed = openSnapshot(':memory:')
    const compared = openSnapshot(':memory:')
    await readInto(followed, file)
    for (const sql of STEPS) {
      edit(file, sql)
      const clean = await readClean(file)
      expect(await readInto(followed, file)).toEqual(clean)
      expect(await readInto(compared, file, false, true)).toEqual(clean)
    }
    compared.close()
    expect(followed.readProblems()).toMatchObject([
      { id: 'p7', field: 'owner.id', reason: 'is not valid UTF-8' },
    ])
    expect(followed.readCatalogue('\uFFFD')?.name).toBe('Real')
    expect(followed.readCatalogue('ana')?.products.map(({ id }) => id)).toEqual(['p1', 'p9'])
    followed.close()
  })

  it('is shown as a literal of SQL', async () => {
    const file = await makeEmbedded(path('data.sqlite'))
    edit(file, insert('users', raw('ff'), `'{}'`))
    const source = openEmbedded(file)
    expect((await gather(source.readAll())).problems).toMatchObject([
      { collection: 'users', id: `CAST(X'FF' AS TEXT)`, reason: 'its id is not valid UTF-8', fatal: true },
    ])
    source.close()
  })
})

it.each(SQL_EDITS)(
  'the documents that the change log names are enough: after an outside $title, and with no row left',
  async ({ sql }) => {
    const owners = ['ana', 'luz', 'eva']
    const products = owners.map((owner, index) => product(`p${index + 1}`, owner))
    const file = await makeEmbedded(path('data.sqlite'), [user('ana'), user('luz'), ...products])
    const followed = openSnapshot(':memory:')
    await readInto(followed, file)
    for (const step of [sql, 'DELETE FROM documents']) {
      edit(file, step)
      expect(await readInto(followed, file)).toEqual(await readClean(file))
    }
    followed.close()
  },
)

describe('a table that another program made', () => {
  const TABLE = 'CREATE TABLE documents (collection, id, update_time, data)'
  const GOOD = `${insert('users', `'ana'`, `'{"fName":"Ana"}'`)}; ${insert('cataloge', `'p1'`, owned(`'ana'`))}`
  const BAD = [
    ['an id that is NULL', insert('users', 'NULL', `'{}'`), 'NULL', 'its id is NULL, not text'],
    ['a number as id', insert('users', '42', `'{}'`), '42', 'its id is a number, not text'],
    ['a BLOB as id', insert('users', `X'0a'`, `'{}'`), `X'0A'`, 'its id is a BLOB, not text'],
    ['an empty id', insert('users', `''`, `'{}'`), '', 'its id is empty'],
    ['data that is a BLOB', insert('cataloge', `'x'`, `X'7b7d'`), 'x', 'its data is a BLOB, not text'],
    ['data that is NULL', insert('cataloge', `'x'`, 'NULL'), 'x', 'its data is NULL, not text'],
    ['data that is not JSON', insert('cataloge', `'x'`, `'{oops'`), 'x', 'is not JSON'],
    [
      'another collection',
      insert('notes', `'x'`, `'{}'`),
      'x',
      'its collection is not one of users, cataloge',
    ],
  ] as const

  it.each(BAD)('keeps a row with %s, leaves it out and reports it', async (_, sql, id, reason) => {
    const file = path('data.sqlite')
    edit(file, `${TABLE}; ${GOOD}; ${sql}`)
    const before = readFileSync(file)
    const snapshot = openSnapshot(':memory:')
    await readInto(snapshot, file)
    expect(snapshot.readCatalogue('ana')).toMatchObject({ name: 'Ana', products: [{ id: 'p1' }] })
    expect(snapshot.readProblems()).toMatchObject([{ id, reason, fatal: true }])
    expect(readFileSync(file).equals(before)).toBe(true)
    edit(file, `${insert('cataloge', `'p2'`, owned(`'ana'`))}; DELETE FROM documents WHERE id = 'p1'`)
    expect(await readInto(snapshot, file)).toEqual(await readClean(file))
    expect(snapshot.readCatalogue('ana')?.products.map((one) => one.id)).toEqual(['p2'])
    snapshot.close()
  })

  it('is read by seller and by document, and gets its log when the last such row is gone', async () => {
    const file = path('data.sqlite')
    edit(file, `${TABLE}; ${GOOD}; ${insert('users', '42', `'{}'`)}`)
    const source = openEmbedded(file)
    expect(await gatherKeys(source.readSellers(['ana']))).toEqual(['cataloge/p1', 'users/ana'])
    expect(await gatherKeys(source.readDocuments([{ collection: 'cataloge', id: 'p1' }]))).toEqual([
      'cataloge/p1',
    ])
    expect(source.readCursor()).toBeNull()
    source.close()
    edit(file, `DELETE FROM documents WHERE id = 42`)
    const mended = openEmbedded(file)
    expect(mended.readCursor()).not.toBeNull()
    mended.close()
  })

  it.each([
    ['without a log', `${TABLE}; ${GOOD}`],
    ['with a bad row', `${TABLE}; ${GOOD}; ${insert('users', 'NULL', `'{}'`)}`],
  ])('is not changed by a dry run, which reads the same %s', async (_, sql) => {
    const file = path('data.sqlite')
    edit(file, sql)
    const before = readFileSync(file)
    const dry = await readClean(file, true)
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(await readClean(file)).toEqual(dry)
  })
})

it('a dry run leaves a database in a write-ahead log as it is, without files beside it', async () => {
  const file = await makeEmbedded(path('data.sqlite'), [user('ana')])
  edit(file, 'PRAGMA journal_mode = WAL; DROP TRIGGER log_deleted')
  const before = readFileSync(file)
  await readClean(file, true)
  expect(readFileSync(file).equals(before)).toBe(true)
  expect(() => readFileSync(`${file}-wal`)).toThrow(/ENOENT/)
})
