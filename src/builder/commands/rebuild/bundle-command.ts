/** Loads the rebuild command from a bundle, because one file loads three times as fast as its hundred sources. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Rolldown } from 'vite'
import { hashManifest, hashNoted, listFiles } from '../../files/file-hashes.ts'
import { NOTED_HASHES, ROOT } from '../../files/project-folder.ts'

type LoadedRebuild = typeof import('../program.ts') & typeof import('./run-rebuild.ts')

const COMMANDS = join(ROOT, '.vitrina/commands')
const SOURCES = ['src/builder', 'src/domain', 'package-lock.json']
const LOADED = ['src/builder/commands/program.ts', 'src/builder/commands/rebuild/run-rebuild.ts']
const THREADS = ['src/builder/rebuild/render-thread.ts']
/** Small packages that every run needs. Other packages are imported on use. */
const INLINED = ['commander', 'valibot']
/** Number of bundles to keep. A run that started with an older one may still load its chunks. */
const KEPT = 3

/** Bundles first if a source has changed. Rejects if that fails. A bundle that cannot be loaded is deleted. */
export async function loadBundled(): Promise<LoadedRebuild> {
  const name = hashSources()
  const folder = join(COMMANDS, name)
  if (!existsSync(folder)) await bundle(name)
  try {
    const [program, rebuild] = await Promise.all(LOADED.map((file) => import(findModule(folder, file))))
    return { ...program, ...rebuild }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function findModule(folder: string, source: string): string {
  return pathToFileURL(join(folder, `${basename(source, '.ts')}.mjs`)).href
}

function hashSources(): string {
  const files = SOURCES.flatMap((path) => listFiles(ROOT, path))
  return hashManifest(hashNoted(ROOT, files, NOTED_HASHES))
}

/** Bundles beside the other bundles, then renames: another process may be loading one of them. */
async function bundle(name: string): Promise<void> {
  const partial = join(COMMANDS, `partial-${process.pid}`)
  const { dropOldFolders } = await import('../../files/drop-old-folders.ts')
  const { syncTree } = await import('../../files/sync-files.ts')
  try {
    // An error of the bundler would not be readable.
    mkdirSync(partial, { recursive: true })
    await runBundler(partial)
    if (hashSources() !== name) throw new Error('a source was saved meanwhile')
    syncTree(partial)
    renameSync(partial, join(COMMANDS, name))
    dropOldFolders(COMMANDS, { present: name, kept: KEPT })
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
}

async function runBundler(outDir: string): Promise<void> {
  const { build } = await import('vite')
  const input = [...LOADED, ...THREADS].map((file) => join(ROOT, file))
  // All that is loaded at the start becomes one chunk. A thread's entry is separate, because it runs when it is loaded.
  const isAtStart = (id: string): boolean => !id.endsWith('-thread.ts')
  const start: Rolldown.CodeSplittingGroup = { name: 'start', tags: ['$initial'], test: isAtStart }
  const names = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' }
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: INLINED },
    build: {
      ssr: true,
      outDir,
      target: 'node24',
      rolldownOptions: { input, output: { ...names, codeSplitting: { groups: [start] } } },
    },
  })
}
