import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { createEmbedded } from '../../../src/builder/sources/embedded/embedded-create.ts'
import { changeDatabase } from '../../../src/builder/sources/embedded/embedded-file.ts'
import { openEmbedded } from '../../../src/builder/sources/embedded/embedded.ts'
import { importFolder } from '../../../src/builder/sources/embedded/interchange.ts'
import { SourceError } from '../../../src/builder/sources/source.ts'
import { product, user, writeFolder } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { describeSource } from './contract.ts'
import { edit, makeEmbedded, gather } from './reading.ts'

const path = useTemporaryFolder()

describeSource('the embedded database', {
  hasLog: true,
  open: async (documents) => {
    if (existsSync(path('data.sqlite')) && documents.length > 0)
      await importFolder(writeFolder(path('data'), documents), path('data.sqlite'), { mode: 'replace' })
    else await makeEmbedded(path('data.sqlite'), documents)
    return openEmbedded(path('data.sqlite'))
  },
  openBroken: async () => {
    const file = await makeEmbedded(path('data.sqlite'), [user('ana')])
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.subarray(0, 8192).fill(0xff, 1000))
    return openEmbedded(file)
  },
})

const DOCUMENTS = [user('ana'), user('luz'), product('p1', 'ana'), product('p2', 'luz'), product('p3', 'eva')]

/** The file of each test, with `DOCUMENTS`. */
const useFile = (): (() => string) => {
  beforeEach(() => makeEmbedded(path('data.sqlite'), DOCUMENTS))
  return () => path('data.sqlite')
}

function use<T>(file: string, work: (source: ReturnType<typeof openEmbedded>) => T): T {
  const source = openEmbedded(file)
  try {
    return work(source)
  } finally {
    source.close()
  }
}

const readItems = (file: string) => use(file, (source) => [...source.readAll().items])
const readCursor = (file: string): string | null => use(file, (source) => source.readAll().cursor)
const readSellers = async (file: string, sellers: readonly string[]) => {
  const source = openEmbedded(file)
  const reading = await gather(source.readSellers(sellers))
  await source.close()
  return reading
}
/** In order; `null` if the source cannot tell. */
const readChanged = (file: string, cursor: string | null): readonly string[] | null =>
  use(file, (source) => {
    const read = source.readChanges(cursor ?? '', [])
    return read === null || read instanceof Promise ? null : (read.sellers?.toSorted() ?? null)
  })

/** A product with that owner and nothing else. */
const put = (verb: string, id: string, owner: string): string =>
  `${verb} INTO documents (collection, id, data) VALUES ('cataloge', '${id}', '{"owner":{"id":"${owner}"}}')`

/** Every way of changing a row with plain SQL, and the sellers that the log must name for it. */
const EDITS: readonly (readonly [sql: string, ...sellers: string[]])[] = [
  [put('INSERT', 'p9', 'ana'), 'ana'],
  [
    `INSERT INTO documents (collection, id, data) VALUES ('users', 'new', '{}'), ('users', 'x', '1')`,
    'new',
    'x',
  ],
  [`INSERT INTO documents (collection, id, data) VALUES ('cataloge', 'p9', '{"owner":{"id":7}}')`],
  [`UPDATE documents SET data = json_set(data, '$.price', 5) WHERE id = 'p1'`, 'ana'],
  [`UPDATE documents SET update_time = 'x' WHERE id = 'p1'`, 'ana'],
  [`UPDATE documents SET data = '{}' WHERE collection = 'users' AND id = 'luz'`, 'luz'],
  [`UPDATE documents SET data = json_set(data, '$.owner.id', 'luz') WHERE id = 'p1'`, 'ana', 'luz'],
  [`UPDATE documents SET id = 'p7' WHERE id = 'p1'`, 'ana'],
  [`UPDATE documents SET id = 'zoe' WHERE id = 'luz'`, 'luz', 'zoe'],
  [`UPDATE OR REPLACE documents SET id = 'p2' WHERE id = 'p1'`, 'ana', 'luz'],
  [`UPDATE documents SET collection = 'users' WHERE id = 'p3'`, 'eva', 'p3'],
  [put('INSERT OR REPLACE', 'p1', 'luz'), 'ana', 'luz'],
  [`REPLACE INTO documents (collection, id, data) VALUES ('cataloge', 'p1', '{}')`, 'ana'],
  [`${put('INSERT', 'p1', 'luz')} ON CONFLICT DO UPDATE SET data = excluded.data`, 'ana', 'luz'],
  [`DELETE FROM documents WHERE id = 'p3'`, 'eva'],
  ['DELETE FROM documents', 'ana', 'eva', 'luz'],
]

describe('the log of the embedded database', () => {
  const file = useFile()

  it.each(EDITS)('names the sellers of an outside %s', (sql, ...sellers) => {
    const cursor = readCursor(file())
    edit(file(), sql)
    expect(readChanged(file(), cursor)).toEqual(sellers)
  })

  it('stays as it is when an edit fails or is rolled back', () => {
    const cursor = readCursor(file())
    edit(file(), `BEGIN; ${put('INSERT', 'p9', 'ana')}; ROLLBACK`)
    expect(() => edit(file(), put('INSERT', 'p1', 'luz'))).toThrow(/UNIQUE/)
    expect(readCursor(file())).toBe(cursor)
  })

  it('is not taken for that of another file, or of a backup that was edited as often', async () => {
    const cursor = readCursor(file())
    copyFileSync(file(), path('backup.sqlite'))
    edit(file(), put('INSERT', 'p9', 'ana'))
    const latest = readCursor(file())
    copyFileSync(path('backup.sqlite'), file())
    expect(readChanged(file(), latest)).toBeNull()
    edit(file(), put('INSERT', 'p9', 'luz'))
    expect(readChanged(file(), latest)).toBeNull()
    expect(readChanged(file(), cursor)).toEqual(['luz'])
    const other = await makeEmbedded(path('other.sqlite'), DOCUMENTS)
    expect(readChanged(other, cursor)).toBeNull()
  })

  it('is bounded, and does not reach back for ever', () => {
    const cursor = readCursor(file())
    const add = (count: number): void =>
      edit(
        file(),
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
        INSERT INTO changes (seller) SELECT 'x' FROM n`,
      )
    add(49_999)
    expect(readChanged(file(), cursor)).toEqual(['x'])
    add(1)
    expect(readChanged(file(), cursor)).toBeNull()
  })

  it.each([
    ['an empty log', 'DELETE FROM changes'],
    ['no log', 'DROP TABLE changes'],
    ['a trigger less', 'DROP TRIGGER log_deleted'],
    ['no mark, as after a dump', 'PRAGMA application_id = 0'],
  ])('is begun anew by a program that writes, if the file has %s, and not used before', async (_, sql) => {
    const cursor = readCursor(file())
    edit(file(), sql)
    expect([readCursor(file()), readChanged(file(), cursor)]).toEqual([null, null])
    expect(readItems(file())).toHaveLength(DOCUMENTS.length)
    await changeDatabase(file(), () => {})
    expect(readChanged(file(), cursor)).toBeNull()
    const next = readCursor(file())
    edit(file(), "DELETE FROM documents WHERE id = 'p3'")
    expect(readChanged(file(), next)).toEqual(['eva'])
  })
})

describe('the embedded database', () => {
  const file = useFile()

  it('gives a row that is inserted or changed by hand the present time', async () => {
    const before = new Date().toISOString()
    edit(file(), put('INSERT', 'p9', 'ana'))
    edit(file(), "UPDATE documents SET data = '{}' WHERE id = 'ana'")
    const { documents } = await readSellers(file(), ['ana'])
    const times = documents.map(({ updateTime }) => (updateTime ?? '') >= before)
    expect(times).toEqual([false, true, true])
  })

  it('is read in one state, whatever others write, and not written', () => {
    const before = readFileSync(file())
    readItems(file())
    expect(readFileSync(file()).equals(before)).toBe(true)
    edit(file(), 'PRAGMA journal_mode = WAL')
    use(file(), (source) => {
      const { cursor } = source.readAll()
      edit(file(), 'DELETE FROM documents')
      expect([...source.readAll().items]).toHaveLength(DOCUMENTS.length)
      expect(source.readAll().cursor).toBe(cursor)
    })
  })

  it('rolls back the transaction of a writer that was killed', () => {
    const lines = [
      `const { DatabaseSync } = require('node:sqlite'); const database = new DatabaseSync(process.argv[1])`,
      `database.exec('PRAGMA cache_size = 2; BEGIN; DELETE FROM documents')`,
      `database.prepare("INSERT INTO documents (collection, id, data) VALUES ('users', 'x', ?)").run('"${'x'.repeat(100_000)}"')`,
      `process.kill(process.pid, 'SIGKILL')`,
    ]
    spawnSync(process.execPath, ['-e', lines.join('\n'), file()])
    expect(existsSync(`${file()}-journal`)).toBe(true)
    expect(readItems(file())).toHaveLength(DOCUMENTS.length)
  })

  it('reports rows that are no documents, and reads the others', async () => {
    const rows = [
      ['p1', `'{"name":"x","owner":{"id":"ana"},"owner":{"id":"luz"}}'`],
      ['p2', `'{"owner":{"id":"' || CAST(X'ff' AS TEXT) || '"}}'`],
    ] as const
    for (const [id, data] of rows) edit(file(), `UPDATE documents SET data = ${data} WHERE id = '${id}'`)
    edit(file(), `UPDATE documents SET id = CAST(X'ff' AS TEXT) WHERE id = 'p3'`)
    const items = readItems(file())
    expect(items.filter(({ kind }) => kind === 'document')).toHaveLength(2)
    expect(items.flatMap((item) => (item.kind === 'unreadable' ? [item.key] : []))).toEqual([
      { collection: 'cataloge', id: 'p1' },
      { collection: 'cataloge', id: 'p2' },
      null,
    ])
    const ofAna = await readSellers(file(), ['ana'])
    expect(ofAna).toMatchObject({ documents: [{ id: 'ana' }], problems: [{ id: 'p1' }] })
  })

  it('reads a table of another program, whatever its rows hold', async () => {
    const other = path('other.sqlite')
    edit(
      other,
      `CREATE TABLE documents (collection, id, update_time, data);
      INSERT INTO documents VALUES ('users', 'ana', 5, '{"fName":"Ana"}'), ('cataloge', 'p1', NULL, '{oops'),
        ('cataloge', NULL, NULL, '{}'), ('cataloge', 7, NULL, '{}'), ('x', 'y', NULL, '{}'),
        ('cataloge', 'p2', NULL, NULL), ('cataloge', 'p3', NULL, '{"owner":{"id":"luz"}}')`,
    )
    expect(readItems(other).map(({ kind }) => kind === 'document')).toEqual([
      true,
      ...Array(5).fill(false),
      true,
    ])
    const { documents, problems } = await readSellers(other, ['luz'])
    expect([documents.length, problems.length, readCursor(other)]).toEqual([1, 5, null])
    await expect(changeDatabase(other, () => {})).rejects.toThrow(SourceError)
  })

  it('is not created over another file or a link, nor by a read', async () => {
    await expect(createEmbedded(file())).rejects.toThrow(/exists already/)
    symlinkSync('missing.sqlite', path('link.sqlite'))
    await expect(createEmbedded(path('link.sqlite'))).rejects.toThrow(/exists already/)
    expect(() => openEmbedded(path('missing.sqlite'))).toThrow(/missing\.sqlite.*npm run import/)
    expect(existsSync(path('missing.sqlite'))).toBe(false)
    writeFileSync(path('new.sqlite-journal'), 'leftover of an earlier file')
    await createEmbedded(path('new.sqlite'))
    expect(existsSync(path('new.sqlite-journal'))).toBe(false)
  })

  it.each([
    ['folder', /not a file.*npm run import/],
    ['text', /not a database.*name another file/],
    ['empty', /no such table: documents.*name another file/],
    ['foreign', /name another file/],
  ])('says what to do if the file is %s', (name, words) => {
    mkdirSync(path('folder.sqlite'))
    writeFileSync(path('text.sqlite'), 'hello '.repeat(1000))
    writeFileSync(path('empty.sqlite'), '')
    edit(path('foreign.sqlite'), 'CREATE TABLE documents (note)')
    expect(() => openEmbedded(path(`${name}.sqlite`))).toThrow(SourceError)
    expect(() => openEmbedded(path(`${name}.sqlite`))).toThrow(words)
  })
})
