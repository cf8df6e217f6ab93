import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openView } from '../../../src/builder/sources/embedded/embedded-view.ts'
import { createEmbedded } from '../../../src/builder/sources/embedded/embedded-create.ts'
import { QUERIES } from '../../../src/builder/sources/embedded/embedded-rows.ts'
import { openEmbedded } from '../../../src/builder/sources/embedded/embedded.ts'
import { isBeingWritten } from '../../../src/builder/sources/embedded/file-stamp.ts'
import { ReadAgainError, SourceError } from '../../../src/builder/sources/source.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { describeSource } from './contract.ts'
import { edit, makeEmbedded } from './embedded-fixture.ts'
import { gather } from './reading.ts'

const path = useTemporaryFolder()

describeSource('the embedded database', {
  open: async (documents) => {
    rmSync(path('data.sqlite'), { force: true })
    return openEmbedded(await makeEmbedded(path('data.sqlite'), documents))
  },
  openBroken: async () => {
    const file = await makeEmbedded(path('data.sqlite'), [user('ana')])
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.subarray(0, 8192).fill(0xff, 1000))
    return openEmbedded(file)
  },
})

describe('the embedded database', () => {
  let file = ''
  beforeEach(async () => {
    file = await makeEmbedded(path('data.sqlite'), [user('ana'), product('p1', 'ana'), product('p2', 'luz')])
  })
  const open = (name = 'data.sqlite') => openEmbedded(path(name))
  const readAll = async (name?: string) => {
    const source = open(name)
    const reading = await gather(source.readAll())
    source.close()
    return reading
  }

  it('gives a row inserted by hand the time of its insertion', async () => {
    const before = Date.now()
    edit(file, `INSERT INTO documents (collection, id, data) VALUES ('users', 'eva', '{}')`)
    const after = Date.now()
    const eva = (await readAll()).documents.find(({ id }) => id === 'eva')
    expect(eva?.updateTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const time = Date.parse(eva?.updateTime ?? '')
    expect([time >= before, time <= after]).toEqual([true, true])
  })

  it('rejects rows that are not documents', () => {
    const insert = (collection: string, id: string, data: string) => () =>
      edit(file, `INSERT INTO documents (collection, id, data) VALUES (${collection}, ${id}, ${data})`)
    expect(insert(`'catalog'`, `'x'`, `'{}'`)).toThrow(/CHECK.*collection/)
    expect(insert(`'users'`, `''`, `'{}'`)).toThrow(/CHECK.*id/)
    expect(insert(`'users'`, 'NULL', `'{}'`)).toThrow(/NOT NULL/)
    expect(insert(`'users'`, `'x'`, `'{oops'`)).toThrow(/json_valid/)
    expect(insert(`'cataloge'`, `'x'`, `'{oops'`)).toThrow(/malformed JSON/)
    expect(insert(`'users'`, `'ana'`, `'{}'`)).toThrow(/UNIQUE/)
  })

  it('lets others write during a read, and afterwards requires another read', async () => {
    const source = open()
    source.confirm()
    edit(file, `DELETE FROM documents WHERE id = 'p1'`)
    await gather(source.readAll())
    expect(() => source.confirm()).toThrow(ReadAgainError)
    expect((await gather(source.readAll())).documents).toHaveLength(2)
    expect(() => source.confirm()).not.toThrow()
    source.close()
  })

  it.each(['readChanges', 'readCursor'] as const)(
    'takes a write during %s for no damage, and requires another read',
    async (read) => {
      const many = Array.from({ length: 3_000 }, (_, n) => product(`p${n}`, 'ana'))
      rmSync(file)
      await makeEmbedded(file, many)
      edit(file, "UPDATE documents SET update_time = 'x' WHERE id <> 'p7'")
      const cursor = open().readCursor()
      const source = open()
      // The pages that the source has not read yet are gone.
      edit(file, 'DELETE FROM documents; DELETE FROM changes WHERE sequence < 5990; VACUUM')
      expect(() => (read === 'readCursor' ? source.readCursor() : source.readChanges(cursor))).toThrow(
        ReadAgainError,
      )
      expect(source.readChanges(cursor)).toMatchObject({ kind: 'whole' })
      expect(() => source.confirm()).not.toThrow()
      source.close()
    },
  )

  it('requires another read when the file was swapped', async () => {
    await makeEmbedded(path('other.sqlite'), [user('ana'), product('p1', 'ana'), product('p2', 'luz')])
    const source = open()
    renameSync(path('other.sqlite'), file)
    expect(() => source.confirm()).toThrow(ReadAgainError)
    expect(() => source.confirm()).not.toThrow()
    source.close()
  })

  const LINK = 'links/data.sqlite'
  /** Names of the database, one of which is a symbolic link. Journals are beside the real file. */
  const NAMES = ['data.sqlite', LINK]
  const link = (target: string): void => {
    mkdirSync(path('links'))
    symlinkSync(target, path(LINK))
  }

  it.each(NAMES)('rolls back the transaction of a writer that was killed (%s)', async (name) => {
    link('../data.sqlite')
    const text = 'x'.repeat(100_000)
    const lines = [
      `const { DatabaseSync } = require('node:sqlite'); const database = new DatabaseSync(process.argv[1])`,
      `database.exec('PRAGMA cache_size = 2; BEGIN; DELETE FROM documents')`,
      `database.prepare("INSERT INTO documents (collection, id, data) VALUES ('users', 'x', ?)").run('"${text}"')`,
      `process.kill(process.pid, 'SIGKILL')`,
    ]
    spawnSync(process.execPath, ['-e', lines.join('\n'), file])
    expect(isBeingWritten(path(name))).toBe(true)
    openView(path(name), false, 0).database.close()
    expect(isBeingWritten(path(name))).toBe(false)
    expect((await readAll(name)).documents).toHaveLength(3)
  })

  it('takes no lock because the clock was put forward', () => {
    let time = Date.now()
    const now = vi.spyOn(Date, 'now').mockImplementation(() => (time += 3_600_000))
    onTestFinished(() => now.mockRestore())
    const view = openView(file, false)
    expect(view.isShared).toBe(true)
    view.database.close()
  })

  it('takes a lock when others do not stop writing', () => {
    const view = openView(file, false, 0)
    expect(() => edit(file, 'DELETE FROM documents')).toThrow(/locked/)
    expect(() => view.confirm()).not.toThrow()
    view.database.close()
    edit(file, 'DELETE FROM documents')
  })

  it.each(NAMES)('reads what a write-ahead log holds, and leaves it in place (%s)', async (name) => {
    link('../data.sqlite')
    const writer = new DatabaseSync(file)
    writer.exec(
      `PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; DELETE FROM documents WHERE id = 'p1'`,
    )
    const log = readFileSync(`${file}-wal`)
    expect((await readAll(name)).documents).toHaveLength(2)
    expect(readFileSync(`${file}-wal`).equals(log)).toBe(true)
    writer.close()
  })

  it('can be copied and swapped as one file', () => {
    const source = open()
    source.close()
    const database = new DatabaseSync(file)
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' })
    database.close()
  })

  it('finds sellers and documents by index', () => {
    const database = new DatabaseSync(file)
    const explain = (sql: string, ...values: string[]): unknown[] =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...values)
        .map((row) => row['detail'])
    expect(explain(QUERIES.seller, 'ana')).toEqual([
      'SEARCH documents USING INDEX documents_by_seller (seller=?)',
    ])
    const byKey = 'SEARCH documents USING PRIMARY KEY (collection=? AND id=?)'
    expect(explain(QUERIES.document, 'users', 'ana')).toEqual([byKey])
    expect(explain(QUERIES.collection, 'users')).toEqual([
      'SEARCH documents USING PRIMARY KEY (collection=?)',
    ])
    database.close()
  })

  it('reports a document whose owner SQL and JavaScript read differently, however it is read', async () => {
    const owners = '{"name":"x","owner":{"id":"ana"},"owner":{"id":"luz"}}'
    edit(file, `UPDATE documents SET data = '${owners}' WHERE id = 'p1'`)
    const source = open()
    const problem = { collection: 'cataloge', id: 'p1', field: 'owner.id', fatal: true }
    const readings = [
      await gather(source.readAll()),
      await gather(source.readSellers(['ana'])),
      await gather(source.readDocuments([{ collection: 'cataloge', id: 'p1' }])),
    ]
    source.close()
    for (const { documents, problems } of readings) {
      expect(problems).toEqual([{ ...problem, reason: expect.stringContaining('occurs more than once') }])
      expect(documents.map(({ id }) => id)).not.toContain('p1')
    }
  })

  it('reads the last value of any other key that occurs twice, as JavaScript does', async () => {
    edit(file, `UPDATE documents SET data = '{"name":"x","name":"y","owner":{"id":"ana"}}' WHERE id = 'p1'`)
    const { documents } = await readAll()
    expect(documents.find(({ id }) => id === 'p1')?.data).toEqual({ name: 'y', owner: { id: 'ana' } })
  })

  it.each(['7', 'null', '{"id":"ana"}', '["ana"]', 'true', '1e308', '"\\ud800"', '"a\\u0000b"'])(
    'leaves an owner of %s to the door',
    async (owner) => {
      edit(file, `UPDATE documents SET data = '{"owner":{"id":${owner}}}' WHERE id = 'p1'`)
      const { documents, problems } = await readAll()
      expect(documents.find(({ id }) => id === 'p1')?.data).toEqual({ owner: { id: JSON.parse(owner) } })
      expect(problems).toEqual([])
    },
  )

  it('does not take an object for the owner whose id looks like its text', async () => {
    edit(file, `UPDATE documents SET data = '{"owner":{"id":{"x":1}}}' WHERE id = 'p1'`)
    const source = open()
    expect((await gather(source.readSellers(['{"x":1}']))).documents).toEqual([])
    source.close()
  })

  it('never overwrites another file, and is not created by opening it', async () => {
    await expect(createEmbedded(file)).rejects.toThrow(/exists already/)
    expect(() => open('missing.sqlite')).toThrow(SourceError)
    expect(() => open('missing.sqlite')).toThrow(/missing\.sqlite.*npm run import/)
    expect(() => readFileSync(path('missing.sqlite'))).toThrow(/ENOENT/)
  })

  it('replaces no symbolic link whose file is missing', async () => {
    link('../missing.sqlite')
    await expect(createEmbedded(path(LINK))).rejects.toThrow(/a symbolic link to a file that does not exist/)
    expect(readlinkSync(path(LINK))).toBe('../missing.sqlite')
  })

  it('ignores the journal of an earlier file of its name', async () => {
    writeFileSync(path('new.sqlite-journal'), 'leftover')
    await createEmbedded(path('new.sqlite'))
    expect(() => readFileSync(path('new.sqlite-journal'))).toThrow(/ENOENT/)
  })

  it('explains why a file is not an embedded database', () => {
    mkdirSync(path('folder.sqlite'))
    writeFileSync(path('text.sqlite'), 'hello '.repeat(1000))
    writeFileSync(path('empty.sqlite'), '')
    edit(path('other.sqlite'), 'CREATE TABLE documents (id TEXT, note TEXT)')
    expect(() => open('folder.sqlite')).toThrow(/folder\.sqlite.*not a file.*npm run import/)
    expect(() => open('text.sqlite')).toThrow(/text\.sqlite.*not a SQLite database: name another file/)
    expect(() => open('empty.sqlite')).toThrow(/empty\.sqlite.*no table named documents.*name another file/)
    expect(() => open('other.sqlite')).toThrow(/other\.sqlite.*no table named documents.*name another file/)
    for (const name of ['folder', 'text', 'empty', 'other'])
      expect(() => open(`${name}.sqlite`)).toThrow(SourceError)
  })

  it('does not change a foreign file', () => {
    edit(path('other.sqlite'), 'CREATE TABLE notes (id TEXT)')
    const before = readFileSync(path('other.sqlite'))
    expect(() => open('other.sqlite')).toThrow(SourceError)
    expect(readFileSync(path('other.sqlite')).equals(before)).toBe(true)
  })

  it('waits for a transaction that another program does not end, and then says so', () => {
    const writer = new DatabaseSync(file)
    writer.exec(`PRAGMA cache_size = 0; BEGIN EXCLUSIVE; UPDATE documents SET data = '{}'`)
    expect(() => openView(file, false, 0)).toThrow(/another program is writing to it: wait/)
    writer.close()
  })
})
