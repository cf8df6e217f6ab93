/** A site whose code a test changes. Each test begins with the same compiled project and its site. */
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { writeFolder } from './documents.ts'
import { readFiles } from '../run/files.ts'
import type { RebuildPlace, RebuildRun } from './rebuild.ts'
import { runRebuild } from './rebuild.ts'

export interface CodeSite {
  /** A path in the folder of the running test. */
  path(...names: readonly string[]): string
  /** A path in a copy of the folder with which each test begins: `project`, `dist`, `state` and `source`. */
  base(...names: readonly string[]): string
  /** The project with another output and state. Its command is ended with the test. */
  place(output?: string, state?: string): RebuildPlace
  edit(file: string, change: (code: string) => string): void
  replace(file: string, text: string, other: string): void
  append(file: string, text: string): void
  build(...options: readonly string[]): Promise<RebuildRun>
  readPage(seller?: string): string
  /** Rebuilds, and compares the site with a clean build of the same code. Returns the pages that were rendered. */
  rebuildPages(): Promise<readonly string[]>
}

export interface CodeSiteSetup {
  readonly documents: readonly SourceDocument[]
  /** Creates the project in this folder, before its site is built. */
  readonly create: (project: string) => unknown
}

/** Call it at the top of a test file. */
export function useCodeSite({ documents, create }: CodeSiteSetup): CodeSite {
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-code-'))
  const base = (...names: readonly string[]): string => join(folder, 'base', ...names)
  // The same folder for each test, because the hashes of compiled code contain its path.
  const path = (...names: readonly string[]): string => join(folder, 'site', ...names)
  let end = new AbortController()
  const place = (output = 'dist', state = 'state'): RebuildPlace => ({
    source: path('source'),
    output: path(output),
    state: path(state),
    project: path('project'),
    signal: end.signal,
  })
  const build = (...options: readonly string[]): Promise<RebuildRun> => runRebuild(place(), ...options)
  const edit = (file: string, change: (code: string) => string): void => {
    const code = readFileSync(path('project', file), 'utf8')
    const changed = change(code)
    if (changed === code) throw new Error(`the edit of ${file} changes nothing`)
    writeFileSync(path('project', file), changed)
  }
  beforeAll(async () => {
    mkdirSync(path(), { recursive: true })
    writeFolder(path('source'), documents)
    await create(path('project'))
    const { report, stderr } = await build()
    expect([report.exit, stderr]).toEqual([0, expect.any(String)])
    cpSync(path(), base(), { recursive: true, verbatimSymlinks: true })
  })
  beforeEach(() => {
    end = new AbortController()
    rmSync(path(), { recursive: true, maxRetries: 3 })
    cpSync(base(), path(), { recursive: true, verbatimSymlinks: true })
  })
  // A command that runs longer than its test would hold the locks of the next one.
  afterEach(() => end.abort())
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return {
    path,
    base,
    place,
    edit,
    replace: (file, text, other) => edit(file, (code) => code.replace(text, other)),
    append: (file, text) => appendFileSync(path('project', file), text),
    build,
    readPage: (seller = 'ana') => readFileSync(path(`dist/catalogo/${seller}.html`), 'utf8'),
    rebuildPages: async () => {
      const { report, stderr } = await build()
      expect([report.exit, stderr]).toEqual([0, expect.any(String)])
      const clean = await buildClean(place('clean', 'clean-state'))
      const files = Object.entries(readFiles(path('dist')))
      const isRetained = (file: string): boolean => file.startsWith('_astro/') && !(file in clean)
      expect(Object.fromEntries(files.filter(([file]) => !isRetained(file)))).toEqual(clean)
      return listRendered(stderr)
    },
  }
}

/** Returns the files of a clean build of the current code, which is compiled already. */
async function buildClean(place: RebuildPlace): Promise<Readonly<Record<string, string>>> {
  for (const name of [place.output, place.state]) rmSync(name, { recursive: true, force: true })
  const { report } = await runRebuild(place)
  expect(report).toMatchObject({ exit: 0, compiled: false })
  return readFiles(place.output)
}

/** Returns the files of the pages that a rebuild lists as rendered: it lists up to five. */
function listRendered(stderr: string): readonly string[] {
  const [, list = ''] = /^ {2}rendered {4}((?:\S+\n {14})*\S+)$/m.exec(stderr) ?? []
  const addresses = list.split(/\s+/).filter((address) => address !== '')
  return addresses.map((address) => (address === '/' ? 'index.html' : `${address.slice(1)}.html`)).sort()
}
