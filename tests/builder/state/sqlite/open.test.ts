import { mkdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../../src/builder/state/sqlite/open-database.ts'
import { UsageError } from '../../../../src/builder/files/usage-error.ts'
import { isDamage } from '../../../../src/builder/result-codes.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

const SCHEMA = { version: 3, sql: 'CREATE TABLE notes (text TEXT NOT NULL);' }

function open(schema = SCHEMA): DatabaseSync {
  return openDatabase(path('notes.sqlite'), schema)
}

/** Returns the content of the file after it was opened. */
function readNotes(schema = SCHEMA): readonly unknown[] {
  const database = open(schema)
  const notes = database.prepare('SELECT text FROM notes').all()
  database.close()
  return notes.map((row) => row['text'])
}

function writeNote(text: string): void {
  const database = open()
  database.prepare('INSERT INTO notes VALUES (?)').run(text)
  database.close()
}

describe('a database that can be recreated', () => {
  it('is made where there is none, and kept where there is one', () => {
    expect(readNotes()).toEqual([])
    writeNote('kept')
    expect(readNotes()).toEqual(['kept'])
  })

  it('of another version, older or newer, is replaced by an empty one', () => {
    writeNote('old')
    expect(readNotes({ ...SCHEMA, version: 4 })).toEqual([])
    writeNote('newer')
    expect(readNotes()).toEqual(['newer'])
    expect(readNotes({ ...SCHEMA, version: 2 })).toEqual([])
  })

  it('that has lost a table or an index is replaced by an empty one', () => {
    const schema = { ...SCHEMA, sql: `${SCHEMA.sql}\nCREATE INDEX notes_text ON notes (text);` }
    for (const edit of ['', 'DROP TABLE notes', 'DROP INDEX notes_text']) {
      const database = open(schema)
      database.exec(`INSERT INTO notes VALUES ('kept'); ${edit}`)
      database.close()
      expect(readNotes(schema), edit).toEqual(edit === '' ? ['kept'] : [])
    }
  })

  it('whose last pages are still in the write-ahead log is kept', () => {
    writeNote('one')
    const writer = open()
    writer.exec(`PRAGMA wal_autocheckpoint = 0; INSERT INTO notes VALUES ('${'x'.repeat(50_000)}')`)
    expect(statSync(path('notes.sqlite')).size).toBeLessThan(50_000)
    expect(readNotes()).toEqual(['one', expect.any(String)])
    writer.close()
  })

  it('whose file is not a database is replaced by an empty one', () => {
    const others = [
      '',
      'x',
      'this is no database, but long enough to be looked at as if it were one'.repeat(99),
    ]
    for (const content of others) {
      writeFileSync(path('notes.sqlite'), content)
      expect(readNotes()).toEqual([])
      writeNote('sound')
      expect(readNotes()).toEqual(['sound'])
    }
  })

  it('is not made when its tables cannot be, so that the next try begins again', () => {
    const broken = {
      version: 3,
      sql: 'CREATE TABLE other (text); CREATE TABLE other (text);',
    }
    expect(() => open(broken)).toThrow(/already exists/)
    expect(readNotes()).toEqual([])
  })

  it('cannot be opened in place of a folder, and says so', () => {
    mkdirSync(path('notes.sqlite'))
    expect(() => open()).toThrow(UsageError)
  })
})

describe('damage', () => {
  it('is what SQLite says of a file that is no database, and nothing else', () => {
    writeFileSync(path('notes.sqlite'), 'x'.repeat(5000))
    const database = new DatabaseSync(path('notes.sqlite'))
    expect(isDamage(catchError(() => database.exec('SELECT * FROM sqlite_schema')))).toBe(true)
    expect(isDamage(catchError(() => database.exec('SELEKT')))).toBe(false)
    database.close()
    for (const value of [new Error('no code'), null, undefined, 'text', { errcode: 11 }])
      expect(isDamage(value)).toBe(false)
  })

  it('is a table, an index or a column that is not there', () => {
    const database = open()
    for (const sql of [
      'SELECT * FROM lost',
      'SELECT lost FROM notes',
      'SELECT * FROM notes INDEXED BY lost',
      'INSERT INTO notes (lost) VALUES (1)',
    ])
      expect(isDamage(catchError(() => database.exec(sql))), sql).toBe(true)
    database.close()
  })

  it('is a last page that is cut off in the middle', () => {
    writeNote('x'.repeat(5_000))
    truncateSync(path('notes.sqlite'), statSync(path('notes.sqlite')).size - 1)
    expect(isDamage(catchError(readNotes))).toBe(true)
  })

  it('is recognized by an extended result code too', () => {
    const SQLITE_CORRUPT_INDEX = 779
    expect(isDamage(Object.assign(new Error('malformed'), { errcode: SQLITE_CORRUPT_INDEX }))).toBe(true)
  })
})

function catchError(work: () => void): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return null
}
