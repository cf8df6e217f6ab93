import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Problem, SourceDocument } from '../../../src/domain/documents/document.ts'
import { openEmbedded } from '../../../src/builder/sources/embedded/embedded.ts'
import { openFolder } from '../../../src/builder/sources/folder/folder.ts'
import type { ImportMode } from '../../../src/builder/sources/embedded/interchange.ts'
import { exportDatabase, importFolder } from '../../../src/builder/sources/embedded/interchange.ts'
import { RefusedError } from '../../../src/builder/sources/embedded/embedded-create.ts'
import { SourceError } from '../../../src/builder/sources/source.ts'
import { product, user, withTime, writeFolder } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { edit, makeEmbedded } from './embedded-fixture.ts'
import { gather } from './reading.ts'

const path = useTemporaryFolder()
const OLD = '2026-01-01T00:00:00.000Z'
const NEW = '2026-02-02T00:00:00.000Z'
const DOCUMENTS = [user('ana'), user('luz'), product('p1', 'ana'), product('p2', 'ana'), product('p3', 'luz')]

const readDatabase = async (file: string): Promise<readonly SourceDocument[]> => {
  const source = openEmbedded(file)
  const { documents } = await gather(source.readAll())
  source.close()
  return documents
}

const readLog = (): string | null => {
  const source = openEmbedded(path('data.sqlite'))
  const { cursor } = source.readAll()
  source.close()
  return cursor
}

/** An update gives each changed document the present time. */
const withoutTimes = (documents: readonly SourceDocument[]): readonly SourceDocument[] =>
  documents.map((document) => ({ ...document, updateTime: null }))

const runImport = async (documents: readonly SourceDocument[], mode: ImportMode = 'create') => {
  const problems: Problem[] = []
  const options = { mode, report: (problem: Problem) => problems.push(problem) }
  const folder = writeFolder(path('folder'), documents)
  const summary = await importFolder(folder, path('data.sqlite'), options)
  return { summary, problems, documents: await readDatabase(path('data.sqlite')) }
}

describe('an import', () => {
  it('makes a new database of a folder, whole or not at all', async () => {
    const { summary, documents } = await runImport(DOCUMENTS)
    expect(summary).toEqual({ documents: 5, inserted: 5, updated: 0, removed: 0 })
    expect(documents).toEqual((await gather(openFolder(path('folder')).readAll())).documents)
    expect(readdirSync(path()).toSorted()).toEqual(['data.sqlite', 'folder'])
  })

  it('creates no file when the folder cannot be read', async () => {
    writeFolder(path('folder'), DOCUMENTS)
    mkdirSync(path('broken'))
    mkdirSync(path('broken', 'users.ndjson'))
    await expect(importFolder(path('broken'), path('data.sqlite'))).rejects.toThrow(SourceError)
    await expect(importFolder(path('missing'), path('data.sqlite'))).rejects.toThrow(SourceError)
    expect(readdirSync(path()).toSorted()).toEqual(['broken', 'folder'])
  })

  it('reports malformed lines, leaves them out and takes the others', async () => {
    writeFolder(path('folder'), DOCUMENTS)
    writeFileSync(path('folder', 'users.ndjson'), '{"id":"ana","data":{}}\n{oops\n{"id":"x"}\n')
    const problems: Problem[] = []
    const options = { report: (problem: Problem) => problems.push(problem) }
    const summary = await importFolder(path('folder'), path('data.sqlite'), options)
    expect(summary.documents).toBe(4)
    expect(problems.map(({ id }) => id)).toEqual(['line 2', 'x'])
  })

  const versions = [
    withTime(user('ana', 'New'), NEW),
    withTime(user('ana', 'Old'), OLD),
    user('ana', 'Timeless'),
  ]
  it.each([versions, versions.toReversed(), [...versions.slice(1), ...versions.slice(0, 1)]])(
    'keeps the last of a document on several lines (%#)',
    async (...lines) => {
      const { summary, documents, problems } = await runImport(lines)
      expect(documents).toEqual([lines.at(-1)])
      expect([summary.documents, problems.length]).toEqual([1, 2])
      expect(problems[0]).toMatchObject({
        id: 'ana',
        fatal: false,
        reason: 'occurs more than once in users.ndjson: only the last occurrence is used',
      })
    },
  )

  it('leaves out a document whose last line is invalid', async () => {
    writeFolder(path('folder'), DOCUMENTS)
    appendFileSync(path('folder', 'users.ndjson'), '{"id":"ana"}\n')
    const summary = await importFolder(path('folder'), path('data.sqlite'))
    expect(summary).toMatchObject({ documents: 4, inserted: 4 })
    expect((await readDatabase(path('data.sqlite'))).map(({ id }) => id)).not.toContain('ana')
  })

  it('reports its progress', async () => {
    const counts: number[] = []
    writeFolder(
      path('folder'),
      Array.from({ length: 2500 }, (_, index) => user(`u${index}`)),
    )
    await importFolder(path('folder'), path('data.sqlite'), { progress: (count) => counts.push(count) })
    expect(counts).toEqual([1000, 2000])
  })

  it('refuses an existing file without a mode', async () => {
    await makeEmbedded(path('data.sqlite'), DOCUMENTS)
    const before = readFileSync(path('data.sqlite'))
    await expect(runImport([user('eva')])).rejects.toThrow(RefusedError)
    expect(readFileSync(path('data.sqlite')).equals(before)).toBe(true)
  })

  it.each(['merge', 'replace'] as const)('makes the file when there is none to %s', async (mode) => {
    expect((await runImport(DOCUMENTS, mode)).documents).toHaveLength(5)
  })

  const CHANGED = [
    user('ana', 'Anita'),
    user('luz'),
    product('p1', 'luz'),
    product('p2', 'ana'),
    product('p9', 'eva'),
  ]

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
    expect(withoutTimes(documents)).toEqual([
      product('p1', 'luz'),
      product('p2', 'ana'),
      product('p9', 'eva'),
      user('ana', 'Anita'),
      user('luz'),
    ])
  })

  it.each(['merge', 'replace'] as const)('logs nothing when a %s brings nothing new', async (mode) => {
    await runImport(DOCUMENTS)
    const file = path('data.sqlite')
    edit(
      file,
      `UPDATE documents SET data = ' { "lName" : "P\\u00e9rez", "fName": "Ana" } ' WHERE id = 'ana'; UPDATE documents SET update_time = NULL`,
    )
    const log = readLog()
    const { summary } = await runImport(DOCUMENTS.toReversed(), mode)
    expect(summary).toMatchObject({ inserted: 0, updated: 0, removed: 0 })
    expect(readLog()).toBe(log)
    expect(readdirSync(path()).toSorted()).toEqual(['data.sqlite', 'folder'])
  })

  it('treats another update time as a difference', async () => {
    await runImport([withTime(user('ana'), OLD)])
    const { summary, documents } = await runImport([withTime(user('ana'), NEW)], 'merge')
    expect(summary).toMatchObject({ updated: 1 })
    expect(documents[0]?.updateTime).toBe(NEW)
  })

  it('repairs an owner that occurred more than once', async () => {
    await runImport([product('p1', 'ana')])
    const data = JSON.stringify(product('p1', 'ana').data).replace('{', '{"owner":{"id":"luz"},')
    edit(path('data.sqlite'), `UPDATE documents SET data = '${data}'`)
    const { documents } = await runImport([product('p1', 'ana')], 'merge')
    expect(withoutTimes(documents)).toEqual([product('p1', 'ana')])
  })

  it.each(['merge', 'replace'] as const)(
    'keeps the times of what a %s without times does not change, and renews those of the rest',
    async (mode) => {
      await runImport([user('ana'), user('luz')].map((document) => withTime(document, OLD)))
      const before = new Date().toISOString()
      const { summary, documents } = await runImport([user('ana'), user('luz', 'Luz')], mode)
      expect(summary).toMatchObject({ inserted: 0, updated: 1, removed: 0 })
      const [kept = '', changed = ''] = documents.map(({ updateTime }) => updateTime ?? '')
      expect(kept).toBe(OLD)
      expect(changed >= before).toBe(true)
    },
  )

  it('does not replace documents by an empty folder', async () => {
    await runImport(DOCUMENTS)
    await expect(runImport([], 'replace')).rejects.toThrow(
      /no document that can be read: nothing was changed/,
    )
    expect(await readDatabase(path('data.sqlite'))).toHaveLength(5)
    expect(readdirSync(path()).toSorted()).toEqual(['data.sqlite', 'folder'])
  })

  it('refuses to merge into a foreign file, and leaves it as it is', async () => {
    writeFileSync(path('data.sqlite'), 'precious text')
    const importing = runImport(DOCUMENTS, 'replace')
    await expect(importing).rejects.toThrow(/file is not a database/)
    expect(readFileSync(path('data.sqlite'), 'utf8')).toBe('precious text')
  })
})

describe('an export', () => {
  it('writes what was imported, ordered by id', async () => {
    await runImport([user('b'), withTime(user('ñ'), NEW), user('a'), product('p2', 'a'), product('p1', 'b')])
    expect(await exportDatabase(path('data.sqlite'), path('out'))).toBe(5)
    expect(readdirSync(path('out'))).toEqual(['cataloge.ndjson', 'users.ndjson'])
    const lines = readFileSync(path('out', 'users.ndjson'), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => line.slice(0, 10))).toEqual(['{"id":"a",', '{"id":"b",', '{"id":"ñ",'])
    expect(lines[0]).toBe('{"id":"a","data":{"fName":"Ana","lName":"Pérez"}}')
    expect(lines[2]).toContain(`"updateTime":"${NEW}"`)
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
    mkdirSync(path('folder'))
    const lines = data.map((text, index) => `{"id":"p${index}","data":${text}}\n`).join('')
    writeFileSync(path('folder', 'cataloge.ndjson'), lines)
    await importFolder(path('folder'), path('data.sqlite'))
    await exportDatabase(path('data.sqlite'), path('out'))
    expect(readFileSync(path('out', 'cataloge.ndjson'), 'utf8')).toBe(lines)
  })

  it('leaves out and reports what cannot be read', async () => {
    const file = await makeEmbedded(path('data.sqlite'), DOCUMENTS)
    edit(file, `UPDATE documents SET data = '{"owner":{"id":"a"},"owner":{"id":"b"}}' WHERE id = 'p1'`)
    const problems: Problem[] = []
    const options = { report: (problem: Problem) => problems.push(problem) }
    expect(await exportDatabase(file, path('out'), options)).toBe(4)
    expect(problems.map(({ id }) => id)).toEqual(['p1'])
  })

  it('overwrites an earlier export', async () => {
    const file = await makeEmbedded(path('data.sqlite'), DOCUMENTS)
    writeFolder(path('out'), [user('old')])
    await exportDatabase(file, path('out'))
    expect((await gather(openFolder(path('out')).readAll())).documents).toHaveLength(5)
    expect(readdirSync(path('out'))).toEqual(['cataloge.ndjson', 'users.ndjson'])
  })

  it('leaves an earlier export whole when it fails', async () => {
    const file = await makeEmbedded(
      path('data.sqlite'),
      Array.from({ length: 3000 }, (_, index) => user(`u${index}`)),
    )
    writeFileSync(file, readFileSync(file).fill(0xff, 40_000, 60_000))
    writeFolder(path('out'), [user('old')])
    await expect(exportDatabase(file, path('out'))).rejects.toThrow(SourceError)
    expect(readdirSync(path('out'))).toEqual(['cataloge.ndjson', 'users.ndjson'])
    expect((await gather(openFolder(path('out')).readAll())).documents).toEqual([user('old')])
  })
})
