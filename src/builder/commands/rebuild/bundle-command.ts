/** Bundles the rebuild command into one file, so that a cold run loads it at once. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Rolldown } from 'vite'
import { build } from 'vite'
import { dropOldFolders } from '../../state/drop-old-folders.ts'
import type { Manifest } from '../../state/manifest.ts'
import { formatPath, hashBytes, hashManifest, readManifest } from '../../state/manifest.ts'
import { ROOT } from '../../state/project-folder.ts'
import type { CodeHashes } from '../../rebuild/world.ts'
import { hashCode } from './code-hashes.ts'

const COMMANDS = join(ROOT, '.vitrina/commands')
const ENTRIES = {
  rebuild: join(ROOT, 'src/builder/commands/rebuild/bundled-rebuild.ts'),
  'render-worker': join(ROOT, 'src/builder/commands/rebuild/render-worker.ts'),
}

/** Small packages that every run needs are taken in; others are loaded when used. */
const INLINED = ['commander', 'p-limit', 'valibot', 'yocto-queue']

/** A run that started with an older bundle may still load parts of it. */
const KEPT = 3

/**
 * Returns the folder's name. It is new each time, since another process may be loading one that is there. The list
 * that names it, the files that went in and those that came out, comes last.
 */
export async function bundleCommand(): Promise<string> {
  const partial = join(COMMANDS, `partial-${process.pid}`)
  try {
    const code = await hashCode()
    const modules = await runBundler(partial, code.hashes)
    return keepBundle(partial, hashFiles([...modules, ...code.files.filter(isOwn)]))
  } finally {
    // Where it could not be made, the disk may be full.
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

/** Returns the project's own files that went in. */
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
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
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

function hashFiles(files: readonly string[]): Manifest {
  const paths = ['package-lock.json', ...files.map((file) => formatPath(relative(ROOT, file)))]
  const unique = [...new Set(paths)].sort()
  return Object.fromEntries(unique.map((path) => [path, hashBytes(readFileSync(join(ROOT, path)))]))
}
