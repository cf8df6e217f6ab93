import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { openDatabase, removeDatabase } from '../../../../src/builder/state/sqlite/open-database.ts'
import { isDamage } from '../../../../src/builder/state/sqlite/result-codes.ts'
import { useTemporaryFolder } from '../../../support/temporary.ts'

const path = useTemporaryFolder()

const SCHEMA = { application: 'note', version: 3, sql: 'CREATE TABLE notes (text TEXT NOT NULL);' }

function open(schema = SCHEMA): DatabaseSync {
  return openDatabase(path('notes.sqlite'), schema, 50)
}

/** What stands in the file after it was opened. */
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

  it('of another kind is replaced by an empty one, whatever its version', () => {
    writeNote('of another kind')
    expect(readNotes({ ...SCHEMA, application: 'mail' })).toEqual([])
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
      application: 'note',
      version: 3,
      sql: 'CREATE TABLE other (text); CREATE TABLE other (text);',
    }
    expect(() => open(broken)).toThrow(/already exists/)
    expect(readNotes()).toEqual([])
  })

  it('is not made anew while another connection holds it: what it holds stays', () => {
    writeNote('kept')
    const holder = new DatabaseSync(path('notes.sqlite'))
    holder.exec("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; INSERT INTO notes VALUES ('more')")
    expect(() => open()).toThrow(/locked/)
    holder.exec('COMMIT')
    holder.close()
    expect(readNotes()).toEqual(['kept', 'more'])
  })

  it('cannot be opened where a folder stands, and says so', () => {
    mkdirSync(path('notes.sqlite'))
    expect(() => open()).toThrow(/unable to open/)
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

  it('is told by an extended result code too', () => {
    const SQLITE_CORRUPT_INDEX = 779
    expect(isDamage(Object.assign(new Error('malformed'), { errcode: SQLITE_CORRUPT_INDEX }))).toBe(true)
  })
})

describe('removing', () => {
  it('takes the journals along and minds no missing file', () => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) writeFileSync(path(`notes.sqlite${suffix}`), 'x')
    writeFileSync(path('notes.sqlite-other'), 'x')
    removeDatabase(path('notes.sqlite'))
    removeDatabase(path('notes.sqlite'))
    expect(readdirSync(path())).toEqual(['notes.sqlite-other'])
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
