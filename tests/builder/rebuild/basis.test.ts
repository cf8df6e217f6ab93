import { describe, expect, it } from 'vitest'
import { cpSync, rmSync, utimesSync } from 'node:fs'
import type { Basis } from '../../../src/builder/rebuild/basis.ts'
import {
  findBasisChanges,
  formatBasis,
  hashCompileInputs,
  listPublicFiles,
  parseBasis,
  readBasis,
} from '../../../src/builder/rebuild/basis.ts'
import { hashBytes } from '../../../src/builder/files/file-hashes.ts'
import { useTemporaryFolder, writeTree } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

const COMPILED = [
  'src/domain/messages.ts',
  'src/site/pages/catalogo/[id].astro',
  'src/builder/renderer/integration.ts',
  'astro.config.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]
const OTHERS = ['src/builder/rebuild/rebuild.ts', 'src/sites.ts', 'public/a.svg', 'public/b/ñ.svg']
const OUTSIDE = ['README.md', 'tests/a.test.ts', 'dist/index.html']

const write = (name: string, text = `the text of ${name}`): void => writeTree(path('root'), { [name]: text })

function read(settings: Basis['settings'] = {}, root = path('root')): Basis {
  return readBasis(root, settings, path('hashes.json'))
}

function createProject(): Basis {
  rmSync(path('root'), { recursive: true, force: true })
  for (const name of [...COMPILED, ...OTHERS, ...OUTSIDE]) write(name)
  return read()
}

describe('the basis of a site', () => {
  it.each([...COMPILED, ...OTHERS])('is another one if %s is other or missing', (name) => {
    const before = createProject()
    write(name, 'other')
    expect(findBasisChanges(before, read())).toEqual([`file ${name} changed`])
    rmSync(path('root', name))
    expect(findBasisChanges(before, read())).toEqual([`file ${name} removed`])
    expect(formatBasis(read())).not.toBe(formatBasis(before))
    expect(hashCompileInputs(read().files) !== hashCompileInputs(before.files)).toBe(COMPILED.includes(name))
  })

  it('is the same in another folder, at another time, with other files outside of it', () => {
    const before = formatBasis(createProject())
    for (const name of OUTSIDE) write(name, 'other')
    for (const name of COMPILED) utimesSync(path('root', name), 0, 0)
    expect(formatBasis(read())).toBe(before)
    cpSync(path('root'), path('elsewhere'), { recursive: true })
    expect(formatBasis(read({}, path('elsewhere')))).toBe(before)
  })

  it('names the settings, the files and the runtime that differ', () => {
    createProject()
    const first = read({ name: 'A', url: 'https://a', max: 1 })
    const before = parseBasis(formatBasis(first))
    write('src/site/new.css')
    const after = { ...read({ max: 1, name: 'B', photos: { mode: 'off' } }), runtime: 'node 26' }
    expect(findBasisChanges(before, before)).toEqual([])
    expect(findBasisChanges(before, after)).toEqual([
      'setting name: "A" → "B"',
      'setting photos: nothing → {"mode":"off"}',
      'setting url: "https://a" → nothing',
      `runtime ${first.runtime} → node 26`,
      'file src/site/new.css added',
    ])
  })

  it('has the public files by their paths on the site', () => {
    expect(listPublicFiles(createProject().files)).toEqual({
      'a.svg': hashBytes('the text of public/a.svg'),
      'b/ñ.svg': hashBytes('the text of public/b/ñ.svg'),
    })
  })
})
