import { existsSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { copyDatabase } from '../../../../src/builder/state/sqlite/copy-database.ts'
import { openDatabase } from '../../../../src/builder/state/sqlite/open-database.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

function create(): DatabaseSync {
  const database = openDatabase(path('one.sqlite'), {
    application: 'note',
    version: 1,
    sql: 'CREATE TABLE notes (text TEXT);',
  })
  database.exec("INSERT INTO notes VALUES ('kept')")
  return database
}

function readCopy(): readonly unknown[] {
  const database = new DatabaseSync(path('copy.sqlite'), { readOnly: true })
  const rows = database.prepare('SELECT text FROM notes').all()
  database.close()
  return rows.map((row) => row['text'])
}

test('a copy contains the committed rows while another connection is in a transaction', async () => {
  const writer = create()
  writer.exec("BEGIN; INSERT INTO notes VALUES ('half-way')")
  await copyDatabase(path('one.sqlite'), path('copy.sqlite'))
  expect(readCopy()).toEqual(['kept'])
  writer.exec('COMMIT')
  writer.close()
})

test('a copy is independent of later changes of the original', async () => {
  const writer = create()
  await copyDatabase(path('one.sqlite'), path('copy.sqlite'))
  writer.exec('DELETE FROM notes')
  writer.close()
  expect(readCopy()).toEqual(['kept'])
})

test('a missing database is not copied and not created', async () => {
  await copyDatabase(path('one.sqlite'), path('copy.sqlite'))
  expect([existsSync(path('one.sqlite')), existsSync(path('copy.sqlite'))]).toEqual([false, false])
})

test('copying a damaged file gives no sound database and no error', async () => {
  writeFileSync(path('one.sqlite'), 'this is no database'.repeat(999))
  await copyDatabase(path('one.sqlite'), path('copy.sqlite'))
  const copy = openDatabase(path('copy.sqlite'), {
    application: 'note',
    version: 1,
    sql: 'CREATE TABLE notes (text TEXT);',
  })
  expect(copy.prepare('SELECT * FROM notes').all()).toEqual([])
  copy.close()
})

test('a database during its first fill is not copied, without an error', async () => {
  const writer = create()
  writer.exec('PRAGMA journal_mode = TRUNCATE; BEGIN EXCLUSIVE; DELETE FROM notes')
  await copyDatabase(path('one.sqlite'), path('copy.sqlite'))
  expect(existsSync(path('copy.sqlite'))).toBe(false)
  writer.exec('ROLLBACK')
  writer.close()
})
