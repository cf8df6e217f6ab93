import { copyFileSync, rmSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_CHANGES } from '../../../src/builder/sources/embedded/embedded-changes.ts'
import { openEmbedded } from '../../../src/builder/sources/embedded/embedded.ts'
import { product, user } from '../../support/documents.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'
import { EDITS, put } from './embedded-edits.ts'
import { edit, makeEmbedded, readChanges, readCursor } from './embedded-fixture.ts'
import { gatherKeys } from './reading.ts'

const path = useTemporaryFolder()
const DOCUMENTS = [user('ana'), user('luz'), product('p1', 'ana'), product('p2', 'luz'), product('p3', 'eva')]

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

  it.each(EDITS)('names the sellers and documents of an outside $title', ({ sql, sellers, documents }) => {
    edit(file, sql)
    expect(readChanges(file, cursor)).toEqual({ sellers, documents })
  })

  it('names nothing after what was read, and stays silent when an edit fails or is rolled back', () => {
    expect(readChanges(file, cursor)).toEqual({ sellers: [], documents: [] })
    edit(file, `BEGIN; ${put('INSERT', 'p9', 'ana')}; ROLLBACK`)
    expect(() => edit(file, put('INSERT', 'p1', 'luz'))).toThrow(/UNIQUE/)
    expect(readChanges(file, cursor)).toEqual({ sellers: [], documents: [] })
    expect(readCursor(file)).toBe(cursor)
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

  it('requires a whole read after more than MAX_CHANGES changes', () => {
    const many = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= ${MAX_CHANGES})`
    edit(file, `INSERT INTO changes (collection, id) ${many} SELECT 'users', i FROM n`)
    expect(readChanges(file, cursor)).toMatchObject({
      kind: 'whole',
      reason: expect.stringContaining('more than'),
    })
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

  it('opens a database of an earlier version, with its table meta, and keeps the log', () => {
    edit(file, `CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID`)
    edit(file, `INSERT INTO meta VALUES ('origin', 'sample')`)
    expect(readChanges(file, cursor)).toEqual({ sellers: [], documents: [] })
  })

  it('keeps a column that another tool added', () => {
    edit(file, 'ALTER TABLE documents ADD COLUMN note TEXT')
    expect(readChanges(file, cursor)).toEqual({ sellers: [], documents: [] })
    edit(file, `UPDATE documents SET note = 'x' WHERE id = 'p1'`)
    expect(readChanges(file, cursor)).toEqual({ sellers: ['ana'], documents: ['cataloge/p1'] })
  })
})
