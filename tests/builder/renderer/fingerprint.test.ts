import { hashBytes, hashManifest, readManifest } from '../../../src/builder/state/manifest.ts'
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readInputManifest, readRuntime } from '../../../src/builder/renderer/fingerprint.ts'
import { useTemporaryFolder, writeTree } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

const FILES = [
  'src/domain/documents/price.ts',
  'src/domain/messages.ts',
  'src/site/islands/catalogue/FilterBar.tsx',
  'src/site/layouts/Frame.astro',
  'src/site/pages/catalogo/[id].astro',
  'src/site/styles/tokens.css',
  'src/builder/renderer/integration.ts',
  'astro.config.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

const OTHERS = [
  'src/builder/rebuild/plan/plan-page.ts',
  'src/edge/api/routes.ts',
  'scripts/vitrina.mjs',
  'README.md',
]

const write = (name: string, text: string): void => writeTree(path('root'), { [name]: text })

function createProject(files = FILES): void {
  for (const name of files) write(name, `the text of ${name}`)
}

const hashCode = (root = path('root')): string => hashManifest(readInputManifest(root))

/** Whether this change gives the code another hash. */
function changesHash(change: () => void): boolean {
  rmSync(path('root'), { recursive: true, force: true })
  createProject()
  const before = hashCode()
  change()
  return hashCode() !== before
}

describe('the hash of what a compile reads', () => {
  it('changes with every file that a page is compiled from', () => {
    expect(FILES.filter((name) => !changesHash(() => write(name, 'other')))).toEqual([])
    expect(FILES.filter((name) => !changesHash(() => rmSync(path('root', name))))).toEqual([])
  })

  it('changes when a file is added, renamed or moved', () => {
    expect(changesHash(() => write('src/site/components/New.astro', ''))).toBe(true)
    const from = 'src/domain/messages.ts'
    for (const to of ['src/domain/words.ts', 'src/site/messages.ts'])
      expect(changesHash(() => renameSync(path('root', from), path('root', to)))).toBe(true)
    const swap = (): void => {
      write(from, 'the text of src/domain/documents/price.ts')
      write('src/domain/documents/price.ts', `the text of ${from}`)
    }
    expect(changesHash(swap)).toBe(true)
  })

  it('does not change with files that no compile reads', () => {
    expect(OTHERS.filter((name) => changesHash(() => write(name, 'other')))).toEqual([])
    expect(changesHash(() => write('src/sites/a.astro', 'x'))).toBe(false)
  })

  it('is the same in another folder, at another time, with files created in another order', () => {
    createProject()
    const before = hashCode()
    for (const name of FILES) utimesSync(path('root', name), 0, 0)
    expect(hashCode()).toBe(before)
    cpSync(path('root'), path('elsewhere'), { recursive: true })
    expect(hashCode(path('elsewhere'))).toBe(before)
    rmSync(path('root'), { recursive: true })
    createProject(FILES.toReversed())
    expect(hashCode()).toBe(before)
  })

  it('works without any of the files', () => {
    mkdirSync(path('root'))
    expect(hashCode()).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('a manifest', () => {
  it('has the hash of each file by its path', () => {
    createProject(['public/a.svg', 'public/b/ñ.svg'])
    expect(readManifest(path('root'), 'public')).toEqual({
      'public/a.svg': hashBytes('the text of public/a.svg'),
      'public/b/ñ.svg': hashBytes('the text of public/b/ñ.svg'),
    })
    expect(Object.keys(readManifest(path('root', 'public'), '.')).sort()).toEqual(['a.svg', 'b/ñ.svg'])
    expect(readManifest(path('root'), 'public/a.svg')).toHaveProperty(['public/a.svg'])
    expect(readManifest(path('root'), 'nothing')).toEqual({})
  })

  it('reads a link as its target', () => {
    createProject(['public/a.svg'])
    symlinkSync('a.svg', path('root/public/link.svg'))
    const { 'public/a.svg': file, 'public/link.svg': link } = readManifest(path('root'), 'public')
    expect(link).toBe(file)
  })

  it('gives the same hash for any order of its files', () => {
    expect(hashManifest({ a: '1', b: '2' })).toBe(hashManifest({ b: '2', a: '1' }))
    expect(hashManifest({ a: '1', b: '2' })).not.toBe(hashManifest({ a: '2', b: '1' }))
  })
})

it('the runtime names the versions that pages depend on, and the order of a fixed list', () => {
  const { node, icu } = process.versions
  expect(readRuntime()).toMatch(/, order [0-9a-f]{16}$/)
  expect(readRuntime()).toContain(`node ${node}, icu ${icu}, `)
})
