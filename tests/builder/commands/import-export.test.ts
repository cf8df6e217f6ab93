import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { product, user, writeFolder } from '../../support/documents.ts'
import { ROOT } from '../../support/rebuild.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'

const path = useTemporaryFolder()
const run = (script: 'import' | 'export', ...parameters: string[]) => {
  const options = { encoding: 'utf8', cwd: path() } as const
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`${ROOT}scripts/vitrina.mjs`, script, ...parameters],
    options,
  )
  return { status, stdout, stderr }
}

describe('npm run import', () => {
  it('prints one line with what it did', () => {
    writeFolder(path('data'), [user('ana'), product('p1', 'ana')])
    expect(run('import', 'data', 'new.sqlite')).toEqual({
      status: 0,
      stdout: 'new.sqlite: 2 documents read, 2 new, 0 changed, 0 removed\n',
      stderr: '',
    })
  })

  it('merges with --merge, replaces with --replace, and otherwise refuses an existing file', () => {
    writeFolder(path('data'), [user('ana'), user('luz')])
    run('import', 'data', 'new.sqlite')
    writeFolder(path('data'), [user('ana', 'Anita'), user('eva')])
    const refused = run('import', 'data', 'new.sqlite')
    expect(refused).toMatchObject({ status: 2, stdout: '' })
    expect(refused.stderr).toMatch(/new\.sqlite exists already.*--merge.*--replace/)
    expect(run('import', 'data', 'new.sqlite', '--merge')).toMatchObject({
      status: 0,
      stdout: 'new.sqlite: 2 documents read, 1 new, 1 changed, 0 removed\n',
    })
    expect(run('import', '--replace', 'data', 'new.sqlite')).toMatchObject({
      status: 0,
      stdout: 'new.sqlite: 2 documents read, 0 new, 0 changed, 1 removed\n',
    })
  })

  it('lists the first twenty documents that it left out, one per line', () => {
    writeFolder(path('data'), [user('ana')])
    const lines = Array.from({ length: 30 }, (_, index) => `{"id":"\\u001b[31m\\n${index}"}`)
    writeFileSync(path('data', 'cataloge.ndjson'), lines.join('\n'))
    const { status, stdout, stderr } = run('import', 'data', 'new.sqlite')
    expect(status).toBe(1)
    expect(stdout).toContain('1 document read')
    const told = stderr.trimEnd().split('\n')
    expect(told).toHaveLength(22)
    expect(told[0]).toBe('30 documents left out:')
    expect(told[1]).toBe('  cataloge/ [31m 0: has no data (line 1 of cataloge.ndjson)')
    expect(told[21]).toBe('  and 10 more')
  })

  it('exits with 3 when the folder is missing', () => {
    const { status, stdout, stderr } = run('import', 'missing', 'new.sqlite')
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' })
    expect(stderr).toMatch(/^import: .*missing.*name an existing folder/)
  })

  it.each([
    [[]],
    [['data']],
    [['a', 'b.sqlite', 'c']],
    [['a', 'b']],
    [['a', 'b.sqlite', '--merge', '--replace']],
    [['a', 'b.sqlite', '--nonsense']],
  ])('exits with 2 and a hint for %j', (parameters) => {
    const { status, stderr } = run('import', ...parameters)
    expect(status).toBe(2)
    expect(stderr).toMatch(/^import: .+\n\(--help shows the options\)\n$/)
  })
})

describe('npm run export', () => {
  it('writes a folder that can be imported again', () => {
    writeFolder(path('data'), [user('ana'), product('p1', 'ana')])
    run('import', 'data', 'new.sqlite')
    expect(run('export', 'new.sqlite', 'out')).toEqual({
      status: 0,
      stdout: 'out: 2 documents written\n',
      stderr: '',
    })
    expect(run('import', 'out', 'new.sqlite', '--replace').stdout).toContain('0 new, 0 changed, 0 removed')
  })

  it('exits with 3 if the database is missing, and with 2 if the folder is occupied or not named', () => {
    const missing = run('export', 'missing.sqlite', 'out')
    expect(missing.status).toBe(3)
    expect(missing.stderr).toMatch(/^export: .*missing\.sqlite.*npm run import/)
    writeFolder(path('data'), [user('ana')])
    run('import', 'data', 'new.sqlite')
    expect(run('export', 'new.sqlite', '.')).toMatchObject({ status: 2, stdout: '' })
    expect(run('export', 'new.sqlite').status).toBe(2)
  })
})
