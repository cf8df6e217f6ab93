import { existsSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exporting, importing } from '../../../src/builder/commands/transfer/copy-documents.ts'
import { product, user, writeFolder } from '../../support/rebuild/documents.ts'
import { runHere } from '../../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()
/** The names of files are relative to the folder of the test. */
beforeEach(() => process.chdir(path()))
const before = process.cwd()
afterEach(() => process.chdir(before))

const run = (name: 'import' | 'export', ...parameters: string[]) =>
  name === 'import'
    ? runHere({ name, definition: importing }, parameters)
    : runHere({ name, definition: exporting }, parameters)

describe('npm run import', () => {
  it('merges with --merge, replaces with --replace, and otherwise refuses an existing file', async () => {
    writeFolder(path('data'), [user('ana'), user('luz')])
    await run('import', 'data', 'new.sqlite')
    writeFolder(path('data'), [user('ana', 'Anita'), user('eva')])
    const refused = await run('import', 'data', 'new.sqlite')
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(/new\.sqlite exists already.*--merge.*--replace/)
    expect(await run('import', 'data', 'new.sqlite', '--merge')).toMatchObject({
      code: 0,
      stdout: 'new.sqlite: 2 documents read, 1 new, 1 changed, 0 removed\n',
    })
    expect(await run('import', '--replace', 'data', 'new.sqlite')).toMatchObject({
      code: 0,
      stdout: 'new.sqlite: 2 documents read, 0 new, 0 changed, 1 removed\n',
    })
  })

  it.each(['merge', 'replace'])(
    'refuses --%s into a database that does not exist, and makes none',
    async (mode) => {
      writeFolder(path('data'), [user('ana')])
      const { code, stderr } = await run('import', 'data', 'typo.sqlite', `--${mode}`)
      expect(code).toBe(2)
      expect(stderr).toContain(`typo.sqlite does not exist: correct the name, or leave out --${mode}`)
      expect(existsSync(path('typo.sqlite'))).toBe(false)
    },
  )

  it('lists the first twenty documents that it left out, one per line', async () => {
    writeFolder(path('data'), [user('ana')])
    const lines = Array.from({ length: 30 }, (_, index) => `{"id":"\\u001b[31m\\n${index}"}`)
    writeFileSync(path('data', 'cataloge.ndjson'), lines.join('\n'))
    const { code, stdout, stderr } = await run('import', 'data', 'new.sqlite')
    expect(code).toBe(1)
    expect(stdout).toContain('1 document read')
    const told = stderr.trimEnd().split('\n')
    expect(told).toHaveLength(22)
    expect(told[0]).toBe('30 documents left out:')
    expect(told[1]).toBe(String.raw`  cataloge/"\u001b[31m\n0": has no data (line 1 of cataloge.ndjson)`)
    expect(told[21]).toBe('  and 10 more')
  })

  it.each([
    [['data']],
    [['a', 'b']],
    [['a', 'b.sqlite', '--merge', '--replace']],
    [['a', 'b.sqlite', '--nonsense']],
  ])('exits with 2 and a hint for %j', async (parameters) => {
    const { code, stderr } = await run('import', ...parameters)
    expect(code).toBe(2)
    expect(stderr).toMatch(/^import: .+\n\(--help shows the options\)\n$/)
  })
})

it('npm run export writes a folder that can be imported again, and says what is missing', async () => {
  writeFolder(path('data'), [user('ana'), product('p1', 'ana')])
  await run('import', 'data', 'new.sqlite')
  const exported = await run('export', 'new.sqlite', 'out')
  expect(exported).toMatchObject({ code: 0, stdout: 'out: 2 documents written\n', stderr: '' })
  const imported = await run('import', 'out', 'new.sqlite', '--replace')
  expect(imported.stdout).toContain('0 new, 0 changed, 0 removed')
  const missing = await run('export', 'missing.sqlite', 'out')
  expect(missing.code).toBe(3)
  expect(missing.stderr).toMatch(/^export: .*missing\.sqlite.*npm run import/)
  expect((await run('export', 'new.sqlite')).code).toBe(2)
})
