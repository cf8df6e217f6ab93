import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Problem, SourceDocument } from '../../../src/domain/documents/document.ts'
import { openEmbedded } from '../../../src/builder/sources/embedded/embedded.ts'
import { openFolder } from '../../../src/builder/sources/folder/folder.ts'
import { RefusedError } from '../../../src/builder/sources/embedded/embedded-create.ts'
import type { ImportMode } from '../../../src/builder/sources/embedded/interchange.ts'
import { exportDatabase, importFolder } from '../../../src/builder/sources/embedded/interchange.ts'
import { SourceError } from '../../../src/builder/sources/source.ts'
import { product, user, withTime, writeFolder } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { edit, makeEmbedded, gather } from './reading.ts'

const path = useTemporaryFolder()
const OLD = '2026-01-01T00:00:00.000Z'
const NEW = '2026-02-02T00:00:00.000Z'
const DOCUMENTS = [user('ana'), user('luz'), product('p1', 'ana'), product('p2', 'ana'), product('p3', 'luz')]
const CHANGED = [
  user('ana', 'Anita'),
  user('luz'),
  product('p1', 'luz'),
  product('p2', 'ana'),
  product('p9', 'eva'),
]

const readDatabase = async () => {
  const source = openEmbedded(path('data.sqlite'))
  const { cursor } = source.readAll()
  const { documents } = await gather(source.readAll())
  await source.close()
  return { cursor, documents }
}

const runImport = async (documents: readonly SourceDocument[], mode: ImportMode = 'create') => {
  const problems: Problem[] = []
  const options = { mode, report: (problem: Problem) => problems.push(problem) }
  const folder = writeFolder(path('folder'), documents)
  const summary = await importFolder(folder, path('data.sqlite'), options)
  return { summary, problems, documents: (await readDatabase()).documents }
}

/** A merge gives each changed document the present time. */
const withoutTimes = (documents: readonly SourceDocument[]): readonly SourceDocument[] =>
  documents.map((document) => ({ ...document, updateTime: null }))

describe('an import', () => {
  it('makes a new database of a folder', async () => {
    const { summary, documents } = await runImport(DOCUMENTS)
    expect(summary).toEqual({ documents: 5, inserted: 5, updated: 0, removed: 0 })
    expect(documents).toEqual((await gather(openFolder(path('folder')).readAll())).documents)
    expect(readdirSync(path()).toSorted()).toEqual(['data.sqlite', 'folder'])
  })

  it('creates no file when the folder cannot be read', async () => {
    mkdirSync(path('broken/users.ndjson'), { recursive: true })
    for (const folder of ['broken', 'missing'])
      await expect(importFolder(path(folder), path('data.sqlite'))).rejects.toThrow(SourceError)
    expect(readdirSync(path())).toEqual(['broken'])
  })

  it('reports malformed lines, and leaves out a document whose last line is one', async () => {
    writeFolder(path('folder'), DOCUMENTS)
    appendFileSync(path('folder', 'users.ndjson'), '{oops\n{"id":"ana"}\n')
    const problems: Problem[] = []
    const options = { report: (problem: Problem) => problems.push(problem) }
    const summary = await importFolder(path('folder'), path('data.sqlite'), options)
    expect(summary).toMatchObject({ documents: 4, inserted: 4 })
    expect(problems.map(({ id }) => id)).toEqual(['line 3', 'ana'])
    expect((await readDatabase()).documents.map(({ id }) => id)).not.toContain('ana')
  })

  it('keeps the last of a document on several lines, and reports the others', async () => {
    const last = user('ana', 'Timeless')
    const lines = [withTime(user('ana', 'New'), NEW), withTime(user('ana', 'Old'), OLD), last]
    const { documents, problems } = await runImport(lines)
    expect(documents).toEqual([last])
    expect(problems).toHaveLength(2)
    expect(problems[0]).toMatchObject({ id: 'ana', reason: expect.stringContaining('more than once') })
  })

  it('refuses an existing file without a mode', async () => {
    await makeEmbedded(path('data.sqlite'), DOCUMENTS)
    const before = readFileSync(path('data.sqlite'))
    await expect(runImport([user('eva')])).rejects.toThrow(RefusedError)
    expect(readFileSync(path('data.sqlite')).equals(before)).toBe(true)
  })

  it('merges: inserts and updates what differs, and keeps the rest', async () => {
    await runImport(DOCUMENTS)
    const { summary, documents } = await runImport(CHANGED, 'merge')
    expect(summary).toEqual({ documents: 5, inserted: 1, updated: 2, removed: 0 })
    expect(withoutTimes(documents)).toEqual([
      product('p1', 'luz'),
      product('p2', 'ana'),
      product('p3', 'luz'),
      product('p9', 'eva'),
      user('ana', 'Anita'),
      user('luz'),
    ])
  })

  it('replaces: afterwards there is exactly what the folder holds', async () => {
    await runImport(DOCUMENTS)
    const { summary, documents } = await runImport(CHANGED, 'replace')
    expect(summary).toEqual({ documents: 5, inserted: 1, updated: 2, removed: 1 })
    const { documents: wanted } = await gather(openFolder(path('folder')).readAll())
    expect(withoutTimes(documents)).toEqual(wanted)
  })

  it.each(['merge', 'replace'] as const)('logs nothing when a %s brings nothing new', async (mode) => {
    await runImport(DOCUMENTS)
    const data = `' { "lName" : "P\\u00e9rez", "fName": "Ana" } '`
    edit(path('data.sqlite'), `UPDATE documents SET data = ${data} WHERE id = 'ana'`)
    const { cursor } = await readDatabase()
    const { summary } = await runImport(DOCUMENTS.toReversed(), mode)
    expect(summary).toMatchObject({ inserted: 0, updated: 0, removed: 0 })
    expect((await readDatabase()).cursor).toBe(cursor)
  })

  it('takes the time of each line, and without one keeps that of what does not differ', async () => {
    await runImport(['a', 'b', 'c'].map((id) => withTime(user(id), OLD)))
    const before = new Date().toISOString()
    const lines = [withTime(user('a'), NEW), user('b'), user('c', 'Luz')]
    const { summary, documents } = await runImport(lines, 'merge')
    expect(summary).toMatchObject({ updated: 2 })
    const [given, kept, renewed] = documents.map(({ updateTime }) => updateTime ?? '')
    expect([given, kept]).toEqual([NEW, OLD])
    expect(String(renewed) >= before).toBe(true)
  })

  it('repairs an owner that occurred more than once', async () => {
    await runImport([product('p1', 'ana')])
    const data = JSON.stringify(product('p1', 'ana').data).replace('{', '{"owner":{"id":"luz"},')
    edit(path('data.sqlite'), `UPDATE documents SET data = '${data}'`)
    const { documents } = await runImport([product('p1', 'ana')], 'merge')
    expect(withoutTimes(documents)).toEqual([product('p1', 'ana')])
  })

  it('does not replace documents by an empty folder', async () => {
    await runImport(DOCUMENTS)
    await expect(runImport([], 'replace')).rejects.toThrow(
      /no document that can be read: nothing was changed/,
    )
    expect((await readDatabase()).documents).toHaveLength(5)
  })

  it('refuses to merge into a foreign file, and leaves it as it is', async () => {
    writeFileSync(path('data.sqlite'), 'precious text')
    await expect(runImport(DOCUMENTS, 'replace')).rejects.toThrow(/file is not a database/)
    expect(readFileSync(path('data.sqlite'), 'utf8')).toBe('precious text')
  })
})

describe('an export', () => {
  it('writes one line a document, ordered by id, in place of an earlier export', async () => {
    await runImport([user('b'), withTime(user('ñ'), NEW), user('a'), product('p1', 'b')])
    edit(
      path('data.sqlite'),
      `UPDATE documents SET data = '{\n  "fName": "Ana"\n}', update_time = 'x' WHERE id = 'b'`,
    )
    writeFolder(path('out'), [user('old')])
    expect(await exportDatabase(path('data.sqlite'), path('out'))).toBe(4)
    expect(readdirSync(path('out'))).toEqual(['cataloge.ndjson', 'users.ndjson'])
    expect(readFileSync(path('out', 'users.ndjson'), 'utf8').split('\n')).toEqual([
      '{"id":"a","data":{"fName":"Ana","lName":"Pérez"}}',
      '{"id":"b","updateTime":"x","data":{"fName":"Ana"}}',
      `{"id":"ñ","updateTime":"${NEW}","data":{"fName":"Ana","lName":"Pérez"}}`,
      '',
    ])
  })

  it('keeps hostile and unusual data as it is', async () => {
    const data = [
      '{"__proto__":{"x":1},"constructor":null,"fName":"\\ud800","lName":"\\u0000\\u001b[31m"}',
      '{"a":[1,[2,{"b":[]}],{}],"n":1e+308,"m":-1.5e-7,"t":true,"e":"","👩🏽‍🚀":"ع\u202e\u2028"}',
      '"text"',
      'null',
      `${'['.repeat(100)}${']'.repeat(100)}`,
      '{"owner":{"id":"\\udfff"},"name":"half"}',
    ]
    writeFolder(path('folder'), [])
    const lines = data.map((text, index) => `{"id":"p${index}","data":${text}}\n`).join('')
    writeFileSync(path('folder', 'cataloge.ndjson'), lines)
    await importFolder(path('folder'), path('data.sqlite'))
    await exportDatabase(path('data.sqlite'), path('out'))
    expect(readFileSync(path('out', 'cataloge.ndjson'), 'utf8')).toBe(lines)
  })

  it('leaves out and reports what cannot be read', async () => {
    const file = await makeEmbedded(path('data.sqlite'), DOCUMENTS)
    edit(file, `UPDATE documents SET data = '{"owner":{"id":"a"},"owner":{"id":"b"}}' WHERE id = 'p1'`)
    const ids: string[] = []
    expect(await exportDatabase(file, path('out'), { report: ({ id }) => void ids.push(id) })).toBe(4)
    expect(ids).toEqual(['p1'])
  })

  it('leaves an earlier export whole when it fails', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => user(`u${index}`))
    const file = await makeEmbedded(path('data.sqlite'), many)
    writeFileSync(file, readFileSync(file).fill(0xff, 40_000, 60_000))
    writeFolder(path('out'), [user('old')])
    await expect(exportDatabase(file, path('out'))).rejects.toThrow(SourceError)
    expect(readdirSync(path('out'))).toEqual(['cataloge.ndjson', 'users.ndjson'])
    expect((await gather(openFolder(path('out')).readAll())).documents).toEqual([user('old')])
  })
})
