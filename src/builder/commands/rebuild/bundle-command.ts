/** Bundles the rebuild command and its workers, so that a cold run loads few files. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'
import { build } from 'vite'
import { dropOldFolders } from '../../state/drop-old-folders.ts'
import type { Manifest } from '../../state/manifest.ts'
import { formatPath, hashFiles, hashManifest, readManifest } from '../../state/manifest.ts'
import { ROOT } from '../../state/project-folder.ts'
import type { CodeHashes } from '../../rebuild/world.ts'
import { hashCode } from './code-hashes.ts'

const COMMANDS = join(ROOT, '.vitrina/commands')
/** Listed among the sources of a bundle, because this file determines the bundle without being part of it. */
const THIS_FILE = fileURLToPath(import.meta.url)
const LOCKFILE = 'package-lock.json'
const ENTRIES = {
  rebuild: join(ROOT, 'src/builder/commands/rebuild/bundled-rebuild.ts'),
  'file-worker': join(ROOT, 'src/builder/commands/rebuild/file-worker.ts'),
  'read-worker': join(ROOT, 'src/builder/commands/rebuild/read-worker.ts'),
  'render-worker': join(ROOT, 'src/builder/commands/rebuild/render-worker.ts'),
}

/** Packages to bundle, because they are small and every run needs them. Other packages are imported on use. */
const INLINED = ['commander', 'valibot']

/**
 * Puts all modules that the command and its workers load at the start into one chunk, because one file loads faster
 * than forty. A worker's entry is a separate chunk, because it runs as soon as it is loaded.
 */
const AT_START: Rolldown.CodeSplittingGroup = {
  name: 'start',
  tags: ['$initial'],
  test: (id) => !id.endsWith('-worker.ts'),
}

/**
 * Number of bundles to keep, including the current one. A run that started with an older one may still load its chunks.
 */
const KEPT = 3

/**
 * Bundles into a new folder, because another process may be loading an existing bundle. Then writes the list of source
 * files and bundled files, which also names that folder. Returns the folder's name. Rejects if one of these sources
 * changed meanwhile, because the bundle may contain its older code.
 */
export async function bundleCommand(): Promise<string> {
  const partial = join(COMMANDS, `partial-${process.pid}`)
  try {
    const before = readSources()
    const code = await hashCode()
    const modules = await runBundler(partial, code.hashes)
    const files = hashFiles(ROOT, listSources([...modules, ...code.files.filter(isOwn)]))
    if (Object.entries(files).some(([path, hash]) => before[path] !== hash))
      throw new Error('a source file was saved meanwhile')
    return keepBundle(partial, files)
  } finally {
    // Removes the files of a failed run, because the disk may be full.
    rmSync(partial, { recursive: true, force: true })
  }
}

function keepBundle(partial: string, files: Manifest): string {
  const bundle = readManifest(partial, '.')
  const folder = `${hashManifest(files).slice(0, 16)}-${process.pid}-${Date.now().toString(36)}`
  renameSync(partial, join(COMMANDS, folder))
  const list = join(COMMANDS, `current-${process.pid}.json`)
  writeFileSync(list, JSON.stringify({ folder, files, bundle }))
  renameSync(list, join(COMMANDS, 'current.json'))
  dropOldFolders(COMMANDS, { present: folder, kept: KEPT })
  return folder
}

/** Bundles, and returns the project's own source files in the bundle. */
async function runBundler(outDir: string, hashes: CodeHashes): Promise<readonly string[]> {
  mkdirSync(outDir, { recursive: true })
  const result = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: INLINED },
    define: { BUNDLED_CODE_HASHES: JSON.stringify(hashes) },
    build: {
      ssr: true,
      outDir,
      target: 'node24',
      rolldownOptions: {
        input: ENTRIES,
        output: {
          entryFileNames: '[name].mjs',
          chunkFileNames: '[name]-[hash].mjs',
          codeSplitting: { groups: [AT_START] },
        },
      },
    },
  })
  return [result].flat().flatMap(listModules).filter(isOwn)
}

function listModules(
  result: Awaited<ReturnType<typeof build>> extends infer R ? Exclude<R, readonly unknown[]> : never,
): readonly string[] {
  return 'output' in result
    ? result.output.flatMap((chunk: Rolldown.OutputChunk | Rolldown.OutputAsset) =>
        chunk.type === 'chunk' ? chunk.moduleIds : [],
      )
    : []
}

function isOwn(file: string): boolean {
  return file.startsWith(ROOT) && !file.includes('/node_modules/')
}

function listSources(modules: readonly string[]): readonly string[] {
  const paths = [THIS_FILE, ...modules].map((file) => formatPath(relative(ROOT, file)))
  return [...new Set([LOCKFILE, ...paths])].sort()
}

/** Returns the hashes of all files that may become part of a bundle. */
function readSources(): Manifest {
  return { ...readManifest(ROOT, 'src'), ...readManifest(ROOT, LOCKFILE) }
}
