import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openFolder } from '../../../src/builder/sources/folder/folder.ts'
import { SourceError } from '../../../src/builder/sources/source.ts'
import { product, user, writeFolder } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { describeSource } from './contract.ts'
import { gather } from './reading.ts'

const path = useTemporaryFolder()

describeSource('a folder', {
  open: async (documents) => openFolder(writeFolder(path('data'), documents)),
  openBroken: async () => {
    writeFolder(path('data'), [])
    rmSync(path('data', 'users.ndjson'))
    mkdirSync(path('data', 'users.ndjson'))
    return openFolder(path('data'))
  },
})

describe('a folder', () => {
  const write = (users: string | Buffer, cataloge = ''): string => {
    mkdirSync(path('data'), { recursive: true })
    writeFileSync(path('data', 'users.ndjson'), users)
    writeFileSync(path('data', 'cataloge.ndjson'), cataloge)
    return path('data')
  }
  const read = (users: string | Buffer, cataloge?: string) =>
    gather(openFolder(write(users, cataloge)).readAll())

  it('tolerates a byte order mark, CRLF, blank lines and a last line without an end', async () => {
    const { documents, problems } = await read('\uFEFF{"id":"a","data":{}}\r\n\r\n  \n{"id":"b","data":{}}')
    expect(documents.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(problems).toEqual([])
  })

  it('reports each malformed line with its number and file, and reads the others', async () => {
    const bad = [
      '{oops',
      '[]',
      '{"data":{}}',
      '{"id":7,"data":{}}',
      '{"id":"","data":{}}',
      '{"id":"x\\ud800"}',
    ]
    const lines = ['{"id":"a","data":{}}', ...bad, '{"id":"z"}', '{"id":"b","data":{}}']
    const { documents, problems } = await read('', lines.join('\n'))
    expect(documents.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(problems.map(({ id }) => id)).toEqual([...bad.map((_, index) => `line ${index + 2}`), 'z'])
    expect(problems[0]).toMatchObject({ collection: 'cataloge', field: '', fatal: true })
    expect(problems[0]?.reason).toBe('is not a JSON object (line 2 of cataloge.ndjson)')
    expect(problems[6]?.reason).toBe('has no data (line 8 of cataloge.ndjson)')
  })

  it('rejects data nested deeper than recursion allows', async () => {
    const nest = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
    const { documents, problems } = await read(
      `{"id":"a","data":${nest(100)}}\n{"id":"b","data":${nest(200_000)}}`,
    )
    expect(documents.map(({ id }) => id)).toEqual(['a'])
    expect(problems.map(({ id }) => id)).toEqual(['b'])
  })

  it('reads characters and lines that lie across the chunks of the file', async () => {
    const name = 'ñ👩🏽‍🚀'.repeat(50_000)
    const line = (id: string): string => `${JSON.stringify({ id, data: { name } })}\n`
    const { documents } = await read(line('a') + line('b') + line('c'))
    expect(documents.map(({ data }) => data)).toEqual([{ name }, { name }, { name }])
  })

  it('reports a line that is too long, and reads the next ones', async () => {
    write(`{"id":"a","data":{}}\n{"id":"long","data":"`)
    const part = Buffer.alloc(1024 * 1024, 'x')
    for (let size = 0; size <= 16 * part.length; size += part.length)
      appendFileSync(path('data', 'users.ndjson'), part)
    appendFileSync(path('data', 'users.ndjson'), '"}\n{"id":"b","data":{}}\n')
    const { documents, problems } = await gather(openFolder(path('data')).readAll())
    expect(documents.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(problems).toMatchObject([{ id: 'line 2', reason: expect.stringContaining('longer') }])
  })

  it('reads with a seller the later lines of her documents, whoever they belong to', async () => {
    const line = (owner: string): string => JSON.stringify(product('p1', owner))
    const source = openFolder(write('', `${line('ana')}\n${line('luz')}\n{"id":"p1"}\n`))
    const { documents, problems } = await gather(source.readSellers(['ana']))
    expect([documents.length, problems.length]).toEqual([2, 1])
  })

  it.each(['missing', 'empty', 'file'])('must exist and hold both files (%s)', (name) => {
    mkdirSync(path('empty'))
    writeFileSync(path('file'), '')
    expect(() => openFolder(path(name))).toThrow(SourceError)
    expect(() => openFolder(path(name))).toThrow(
      /^cannot read users\.ndjson and cataloge\.ndjson in the folder/,
    )
  })

  it.each(['users.ndjson', 'cataloge.ndjson'])('fails without %s, which may be lost', (name) => {
    writeFolder(path('data'), [user('ana'), product('p1', 'ana')])
    rmSync(path('data', name))
    expect(() => openFolder(path('data'))).toThrow(SourceError)
  })
})
