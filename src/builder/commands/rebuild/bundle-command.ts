/** Bundles the rebuild command into one file, so that a cold run loads it at once. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import type { Rolldown } from 'vite'
import { build } from 'vite'
import { formatPath, hashBytes, hashManifest } from '../../state/manifest.ts'
import { ROOT } from '../../state/project-folder.ts'

const COMMANDS = join(ROOT, '.vitrina/commands')
const ENTRIES = {
  rebuild: join(ROOT, 'src/builder/commands/rebuild/run-rebuild.ts'),
  'render-worker': join(ROOT, 'src/builder/commands/rebuild/render-worker.ts'),
}

/** Small packages that every run needs are taken in; others are loaded when used. */
const INLINED = ['commander', 'valibot']

/** A run that started with an older bundle may still load parts of it. */
const KEPT = 3

/** Answers the folder's name. `current.json`, which names it and the files that went in, comes last. */
export async function bundleCommand(): Promise<string> {
  const partial = join(COMMANDS, `partial-${process.pid}`)
  const files = hashFiles(await runBundler(partial))
  const folder = hashManifest(files).slice(0, 16)
  placeFolder(partial, join(COMMANDS, folder))
  const list = join(COMMANDS, `current-${process.pid}.json`)
  writeFileSync(list, JSON.stringify({ folder, files }))
  renameSync(list, join(COMMANDS, 'current.json'))
  dropOld()
  return folder
}

// One that is there already is the same, and may be loading in another process.
function placeFolder(from: string, to: string): void {
  if (existsSync(join(to, 'rebuild.mjs'))) rmSync(from, { recursive: true })
  else renameSync(from, to)
}

/** Answers the project's own files that went in. */
async function runBundler(outDir: string): Promise<readonly string[]> {
  mkdirSync(outDir, { recursive: true })
  const result = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: INLINED },
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

function hashFiles(files: readonly string[]): Record<string, string> {
  const paths = ['package-lock.json', ...files.map((file) => formatPath(relative(ROOT, file)))]
  const unique = [...new Set(paths)].sort()
  return Object.fromEntries(unique.map((path) => [path, hashBytes(readFileSync(join(ROOT, path)))]))
}

function dropOld(): void {
  const folders = readdirSync(COMMANDS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ path: join(COMMANDS, name), time: statSync(join(COMMANDS, name)).mtimeMs }))
    .sort((a, b) => b.time - a.time)
  for (const { path } of folders.slice(KEPT)) rmSync(path, { recursive: true, force: true })
}
