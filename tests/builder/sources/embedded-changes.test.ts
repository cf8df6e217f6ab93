import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { DERIVED, LOG_LENGTH } from '../../../src/builder/sources/embedded/embedded-schema.ts'
import { openEmbedded } from '../../../src/builder/sources/embedded/embedded.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { SQL_EDITS, put } from './embedded-edits.ts'
import { edit, makeEmbedded, readChanges, readCursor } from './embedded-fixture.ts'
import { gatherKeys } from './reading.ts'

const path = useTemporaryFolder()
const hasSqlite3 = spawnSync('sqlite3', ['--version']).status === 0
const DOCUMENTS = [user('ana'), user('luz'), product('p1', 'ana'), product('p2', 'luz'), product('p3', 'eva')]

/** The triggers are put back as they were, with the text that the schema keeps. */
const withoutTriggers = (sql: string): string => {
  const triggers = DERIVED.filter(({ type }) => type === 'trigger')
  const drop = triggers.map(({ name }) => `DROP TRIGGER ${name};`).join(' ')
  return `${drop} ${sql}; ${triggers.map((trigger) => trigger.sql).join('; ')}`
}

describe('the change log of the embedded database', () => {
  let file = ''
  let cursor: string | null = null
  beforeEach(async () => {
    file = await makeEmbedded(path('data.sqlite'), DOCUMENTS)
    edit(
      file,
      `INSERT INTO documents (collection, id, data) VALUES ('cataloge', 'double', '{"owner":{"id":"a"},"owner":{"id":"b"}}')`,
    )
    cursor = readCursor(file)
  })

  it.each(SQL_EDITS)(
    'names the sellers and documents of an outside $title',
    ({ sql, sellers, documents }) => {
      edit(file, sql)
      expect(readChanges(file, cursor)).toEqual({ sellers, documents })
    },
  )

  it('names nothing after what was read, and stays silent when an edit fails or is rolled back', () => {
    expect(readChanges(file, cursor)).toEqual({ sellers: [], documents: [] })
    edit(file, `BEGIN; ${put('INSERT', 'p9', 'ana')}; ROLLBACK`)
    expect(() => edit(file, put('INSERT', 'p1', 'luz'))).toThrow(/UNIQUE/)
    expect(readChanges(file, cursor)).toEqual({ sellers: [], documents: [] })
    expect(readCursor(file)).toBe(cursor)
  })

  it('is exact, unless a row names a seller without a document', () => {
    const isExact = (): unknown => {
      const source = openEmbedded(file)
      const changes = source.readChanges(cursor)
      source.close()
      return 'isExact' in changes && changes.isExact
    }
    edit(file, put('INSERT', 'p9', 'ana'))
    expect(isExact()).toBe(true)
    edit(file, "INSERT INTO changes (seller) VALUES ('luz')")
    expect(isExact()).toBe(false)
  })

  it('continues from each cursor', () => {
    edit(file, put('INSERT', 'p8', 'ana'))
    const later = readCursor(file)
    edit(file, put('INSERT', 'p9', 'luz'))
    expect(readChanges(file, cursor)).toEqual({
      sellers: ['ana', 'luz'],
      documents: ['cataloge/p8', 'cataloge/p9'],
    })
    expect(readChanges(file, later)).toEqual({ sellers: ['luz'], documents: ['cataloge/p9'] })
  })

  it('gives each row a distinct nonce', () => {
    edit(file, 'DELETE FROM documents')
    expect(() => edit(file, 'CREATE UNIQUE INDEX one_nonce ON changes (nonce)')).not.toThrow()
  })

  it('notices another file in its place, also one that never changed', async () => {
    const untouched = await makeEmbedded(path('other.sqlite'), DOCUMENTS)
    copyFileSync(untouched, file)
    expect(readChanges(file, cursor)).toMatchObject({
      kind: 'whole',
      reason: expect.stringContaining('another file'),
    })
    rmSync(path('other.sqlite'))
    await makeEmbedded(path('other.sqlite'), DOCUMENTS)
    expect(readChanges(path('other.sqlite'), readCursor(file))).toMatchObject({ kind: 'whole' })
  })

  it('notices a restored backup, also one that was edited as often as the original', () => {
    copyFileSync(file, path('backup.sqlite'))
    edit(file, put('INSERT', 'p9', 'ana'))
    const latest = readCursor(file)
    copyFileSync(path('backup.sqlite'), file)
    expect(readChanges(file, latest)).toMatchObject({ kind: 'whole' })
    edit(file, put('INSERT', 'p9', 'luz'))
    expect(readChanges(file, latest)).toMatchObject({ kind: 'whole' })
    expect(readChanges(file, cursor)).toEqual({ sellers: ['luz'], documents: ['cataloge/p9'] })
  })

  it('requires a whole read when the log was cut, even to nothing', () => {
    edit(file, put('INSERT', 'p9', 'ana'))
    edit(file, 'DELETE FROM changes')
    expect(readChanges(file, cursor)).toMatchObject({ kind: 'whole' })
    expect(readChanges(file, readCursor(file))).toEqual({ sellers: [], documents: [] })
  })

  it('keeps a bounded log, and requires a whole read when it does not reach back to the cursor', () => {
    const add = (count: number): void =>
      edit(
        file,
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
        INSERT INTO changes (collection, id) SELECT 'users', 'x' FROM n`,
      )
    const other = readCursor(file)
    add(LOG_LENGTH - 1)
    expect(readChanges(file, other)).toEqual({ sellers: [], documents: ['users/x'] })
    add(1)
    expect(readChanges(file, other)).toMatchObject({ kind: 'whole' })
    expect(readChanges(file, readCursor(file))).toEqual({ sellers: [], documents: [] })
    const database = new DatabaseSync(file)
    expect(database.prepare('SELECT count(*) AS count FROM changes').get()).toEqual({ count: LOG_LENGTH })
    database.close()
  })

  /** As `sqlite3 old .dump | sed … | sqlite3 new` does. */
  const readBack = (from: string, to: string): void => {
    const dump = execFileSync('sqlite3', [from, '.dump'], { encoding: 'utf8' })
    execFileSync('sqlite3', [to], { input: dump.replace('Perfume p1', 'Otro') })
  }

  it.skipIf(!hasSqlite3)('notices a database made anew from its edited dump, also one edited later', () => {
    readBack(file, path('dumped.sqlite'))
    renameSync(path('dumped.sqlite'), file)
    expect(readChanges(file, cursor)).toMatchObject({ kind: 'whole' })
    expect(readChanges(file, readCursor(file))).toEqual({ sellers: [], documents: [] })
  })

  it.skipIf(!hasSqlite3)(
    'notices a dump copied over the file, also when it was edited through triggers',
    () => {
      readBack(file, path('dumped.sqlite'))
      edit(path('dumped.sqlite'), put('INSERT', 'p9', 'ana'))
      copyFileSync(path('dumped.sqlite'), file)
      expect(readChanges(file, cursor)).toMatchObject({ kind: 'whole' })
    },
  )

  const UNLOGGED = [
    [
      'data changed while a trigger was away',
      'whole',
      withoutTriggers(`UPDATE documents SET data = '{}' WHERE id = 'p1'`),
    ],
    [
      'the tables read back from a dump',
      'whole',
      'CREATE TABLE d AS SELECT * FROM changes; DELETE FROM documents; DELETE FROM changes; INSERT INTO changes SELECT * FROM d',
    ],
    [
      'data changed and the log put back, without another schema',
      'whole',
      `CREATE TEMP TABLE d AS SELECT * FROM changes; UPDATE documents SET data = '{}' WHERE id = 'p1'; DELETE FROM changes; INSERT INTO changes SELECT * FROM d`,
    ],
    ['a new table', 'whole', 'CREATE TABLE meta (key TEXT)'],
    ['VACUUM', 'whole', 'VACUUM'],
  ] as const

  it.each(UNLOGGED)('compares everything once after %s', (_, kind, sql) => {
    edit(file, sql)
    expect(readChanges(file, cursor)).toMatchObject({ kind })
    expect(readChanges(file, readCursor(file))).toEqual({ sellers: [], documents: [] })
  })

  it.each([
    [
      'a change without the log',
      `CREATE TEMP TABLE d AS SELECT * FROM changes; UPDATE documents SET data = '{}' WHERE id = 'p1'; DELETE FROM changes; INSERT INTO changes SELECT * FROM d; UPDATE sqlite_sequence SET seq = (SELECT max(sequence) FROM changes)`,
    ],
    [
      'a change whose rows were taken from the log',
      `UPDATE documents SET data = '{}' WHERE id = 'p1'; DELETE FROM changes WHERE sequence = (SELECT max(sequence) - 1 FROM changes)`,
    ],
  ])('compares everything after %s, also if others with it follow', (_, sql) => {
    edit(file, `BEGIN; ${sql}; COMMIT`)
    edit(file, `UPDATE documents SET data = json_set(data, '$.price', 5) WHERE id = 'p2'`)
    expect(readChanges(file, cursor)).toMatchObject({ kind: 'whole' })
    expect(readChanges(file, readCursor(file))).toEqual({ sellers: [], documents: [] })
  })

  it('names what many transactions changed in one document', () => {
    for (let price = 0; price < 5; price += 1)
      edit(file, `UPDATE documents SET data = json_set(data, '$.price', ${price}) WHERE id = 'p2'`)
    expect(readChanges(file, cursor)).toEqual({ sellers: ['luz'], documents: ['cataloge/p2'] })
  })

  it('compares everything after a change without the log in a write-ahead log', () => {
    edit(file, 'PRAGMA journal_mode = WAL')
    const before = readCursor(file)
    expect(readChanges(file, before)).toEqual({ sellers: [], documents: [] })
    edit(file, `${put('INSERT', 'p9', 'ana')}; DELETE FROM changes WHERE sequence > 1`)
    expect(readChanges(file, before)).toMatchObject({ kind: 'whole' })
    expect(readChanges(file, readCursor(file))).toEqual({ sellers: [], documents: [] })
  })

  it('compares everything in a copy, and stays silent after its own reads', () => {
    expect(readChanges(file, cursor)).toEqual({ sellers: [], documents: [] })
    copyFileSync(file, path('copy.sqlite'))
    renameSync(path('copy.sqlite'), file)
    expect(readChanges(file, cursor)).toMatchObject({
      kind: 'whole',
      reason: expect.stringContaining('another file'),
    })
  })

  it('sets the time of a row whose data changed, unless the writer did', () => {
    const database = new DatabaseSync(file)
    const read = (sql: string): string => {
      database.exec(`UPDATE documents SET update_time = '2020-01-01T00:00:00.000Z' WHERE id = 'p1'; ${sql}`)
      const row = database.prepare("SELECT update_time FROM documents WHERE id IN ('p1', 'p7')").get()
      return String(row?.['update_time']).slice(0, 4)
    }
    const change = (rest: string): string =>
      `UPDATE documents SET data = json_set(data, '$.price', random())${rest} WHERE id = 'p1'`
    for (const recursive of ['OFF', 'ON']) {
      database.exec(`PRAGMA recursive_triggers = ${recursive}`)
      expect(Number(read(change('')))).toBeGreaterThan(2020)
      expect(read(change(`, update_time = '2021-01-01T00:00:00Z'`))).toBe('2021')
      expect(read('UPDATE documents SET data = data')).toBe('2020')
    }
    database.close()
  })

  const BROKEN = [
    ['a trigger', 'DROP TRIGGER log_updated'],
    ['the index', 'DROP INDEX documents_by_seller'],
    ['the log', 'DROP TABLE changes'],
    ['everything but the documents', 'DROP TABLE changes; DROP INDEX documents_by_seller'],
    [
      'its own form of the table',
      'CREATE TABLE d AS SELECT * FROM documents; DROP TABLE documents; ALTER TABLE d RENAME TO documents',
    ],
    [
      'its own triggers',
      `DROP TRIGGER log_deleted; CREATE TRIGGER log_deleted BEFORE DELETE ON documents BEGIN SELECT 1; END`,
    ],
  ] as const

  it.each(BROKEN)('restarts its log when another tool removed %s', async (_, sql) => {
    edit(file, sql)
    const source = openEmbedded(file)
    expect(source.readChanges(cursor)).toMatchObject({ kind: 'whole' })
    expect(await gatherKeys(source.readSellers(['ana']))).toEqual(['cataloge/p1', 'users/ana'])
    const begun = source.readCursor()
    source.close()
    edit(file, `${put('INSERT OR REPLACE', 'p1', 'luz')}; DELETE FROM documents WHERE id = 'p3'`)
    expect(readChanges(file, begun)).toEqual({
      sellers: ['ana', 'eva', 'luz'],
      documents: ['cataloge/p1', 'cataloge/p3'],
    })
    expect(readChanges(file, cursor)).toMatchObject({ kind: 'whole' })
  })

  it('keeps a column that another tool added', () => {
    edit(file, 'ALTER TABLE documents ADD COLUMN note TEXT')
    cursor = readCursor(file)
    edit(file, `UPDATE documents SET note = 'x' WHERE id = 'p1'`)
    expect(readChanges(file, cursor)).toEqual({ sellers: ['ana'], documents: ['cataloge/p1'] })
  })
})
