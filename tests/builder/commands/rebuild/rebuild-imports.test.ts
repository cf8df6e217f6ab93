/** The modules that a cold rebuild loads before it reads its arguments. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { init, parse } from 'es-module-lexer'
import { expect, it } from 'vitest'
import { ROOT } from '../../../../src/builder/files/project-folder.ts'

const BUNDLES = join(ROOT, '.vitrina/commands')

/** Builtins that load much of Node's network code. */
const SLOW_BUILTINS = ['node:dns', 'node:http', 'node:https', 'node:net', 'node:tls']

/** Chunks and other modules that the entry imports statically, directly or through chunks. */
interface StaticGraph {
  readonly chunks: ReadonlySet<string>
  readonly others: ReadonlySet<string>
}

function readGraph(folder: string, entry: string): StaticGraph {
  const chunks = new Set([entry])
  const others = new Set<string>()
  // A set iterates over members that are added meanwhile.
  for (const chunk of chunks) {
    for (const specifier of listStaticImports(readFileSync(join(folder, chunk), 'utf8'))) {
      if (specifier.startsWith('./')) chunks.add(specifier.slice(2))
      else others.add(specifier)
    }
  }
  return { chunks, others }
}

function listStaticImports(code: string): readonly string[] {
  const [imports] = parse(code)
  return imports.flatMap(({ n: specifier, d: dynamic }) =>
    specifier === undefined || dynamic !== -1 ? [] : [specifier],
  )
}

it('A cold rebuild loads few files, no package and no network module', async () => {
  await init
  execFileSync(process.execPath, ['scripts/vitrina.mjs', 'rebuild', '--help'], { cwd: ROOT })
  const folders = readdirSync(BUNDLES).map((name) => join(BUNDLES, name))
  const [newest = ''] = folders.toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)
  const { chunks, others } = readGraph(newest, 'run-rebuild.mjs')
  expect(chunks.size).toBeLessThanOrEqual(3)
  expect(others).toContain('node:sqlite')
  const modules = [...others]
  expect(modules.filter((name) => !name.startsWith('node:'))).toEqual([])
  expect(modules.filter((name) => SLOW_BUILTINS.includes(name.split('/')[0] ?? ''))).toEqual([])
})
