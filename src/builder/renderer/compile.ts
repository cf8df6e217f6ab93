/** Compiles the site's code in a separate process, and stores the renderer under the hash of the code. */
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { dropOldFolders } from '../state/drop-old-folders.ts'
import { syncTree } from '../state/sync-files.ts'
import { acquireLock } from '../state/sqlite/lock.ts'
import type { Manifest } from '../state/manifest.ts'
import { readManifest } from '../state/manifest.ts'
import { CompileError } from './compile-error.ts'
import type { InlineHashes, PageKindHashes } from './compiled-lists.ts'
import { INLINE_LIST, KIND_LIST } from './compiled-lists.ts'
import { readMessage } from '../../domain/documents/errors.ts'
import { isRendererDamaged, isRendererWhole, listRendererFiles } from './renderer-files.ts'

/** A compiled renderer on disk. */
export interface KeptRenderer {
  /** Folder of the server entry. */
  readonly server: string
  /** Folder to which the paths of `assets` are relative. */
  readonly client: string
  /** The hashed files that pages refer to. */
  readonly assets: Manifest
  readonly inline: InlineHashes
  readonly kinds: PageKindHashes
}

/**
 * Environment variable that makes `astro build` compile. Without this variable, `astro build` runs a rebuild instead.
 */
export const COMPILE_ONLY = 'VITRINA_COMPILE_ONLY'

const KEPT = 3
const COMPILING = 'compiling-'
const ASSET_LIST = 'assets.json'
const PATIENCE = 120_000

/** Returns `null` if the renderer is missing or incomplete. */
export function findRenderer(store: string, code: string): KeptRenderer | null {
  const folder = join(store, code)
  if (!isRendererWhole(folder)) return null
  const readList = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  const assets = readList(ASSET_LIST) as Manifest
  const inline = readList(INLINE_LIST) as InlineHashes
  const kinds = readList(KIND_LIST) as PageKindHashes
  return { server: join(folder, 'server'), client: join(folder, 'client'), assets, inline, kinds }
}

/** Moves a compiled renderer into the store by one rename, so that an interrupted move leaves no partial copy. */
function keepRenderer(store: string, code: string, compiled: string): void {
  const assets = readManifest(join(compiled, 'client'), '_astro')
  writeFileSync(join(compiled, ASSET_LIST), JSON.stringify(assets))
  listRendererFiles(compiled)
  syncTree(compiled)
  mkdirSync(store, { recursive: true })
  rmSync(join(store, code), { recursive: true, force: true })
  renameSync(compiled, join(store, code))
  dropOldRenderers(store, code)
}

/**
 * Compiles, unless an undamaged renderer of this code is stored: another process may have just stored it. Rejects with a `CompileError` if the compile fails,
 * if another process compiles for too long, or if the code changed meanwhile, that is, if `readCode` no longer returns
 * `code`.
 */
export async function compileRenderer(
  { root, store, code }: { root: string; store: string; code: string },
  readCode: () => string,
): Promise<KeptRenderer> {
  const lock = acquireLock(join(store, 'compile.lock'), PATIENCE)
  if (lock === null)
    throw new CompileError('Another process has been compiling for two minutes. Run again later.')
  try {
    const found = findRenderer(store, code)
    if (found !== null && !isRendererDamaged(join(store, code))) return found
    // The folder has the id of this process in its name, because the compiler of a killed process may still be writing
    // to its own folder.
    const compiled = join(store, `${COMPILING}${process.pid}`)
    try {
      await runAstro(root, compiled)
      if (readCode() !== code) throw new CompileError('The code changed during the compile. Run again.')
      keepRenderer(store, code, compiled)
    } finally {
      rmSync(compiled, { recursive: true, force: true })
    }
    return findRenderer(store, code) ?? failCompile('The compiled renderer is incomplete. Run again.')
  } finally {
    lock.release()
  }
}

async function runAstro(root: string, compiled: string): Promise<void> {
  rmSync(compiled, { recursive: true, force: true })
  const astro = join(root, 'node_modules/astro/bin/astro.mjs')
  // Astro otherwise colours its messages if `CI` is set. Node warns if both colour variables are set.
  const { FORCE_COLOR: _, ...inherited } = process.env
  const fixed = { [COMPILE_ONLY]: '1', ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production', NO_COLOR: '1' }
  const env = { ...inherited, ...fixed }
  const options = { cwd: root, env, maxBuffer: 64 * 1024 * 1024 }
  try {
    await promisify(execFile)(process.execPath, [astro, 'build', '--outDir', compiled], options)
  } catch (error) {
    throw new CompileError(explainFailure(error), { cause: error })
  }
}

interface Failure {
  readonly stderr?: string
  readonly stdout?: string
  readonly signal?: string | null
  /** The system call that failed, if the compiler could not be started. */
  readonly syscall?: string
}

function explainFailure(error: unknown): string {
  const { stderr, stdout, signal, syscall } = error as Failure
  if (syscall !== undefined) return `The compiler could not be started: ${readMessage(error)}`
  const why = signal === 'SIGKILL' ? ', which the system sends if memory runs out' : ''
  if (signal) return `The compiler was ended by ${signal}${why}. Run again.`
  // Prefers stderr: only the last 20 lines are reported, and in stdout these may be lines of progress instead of the
  // reason.
  const text = stderr?.trim() || stdout?.trim() || readMessage(error)
  // Leaves out the compiler's call stack, because it could fill the last 20 lines, too.
  const lines = text.split('\n').filter((line) => !/^\s*(at .+:\d+:\d+\)?|Stack trace:)$/.test(line))
  return `The code does not compile: ${lines.slice(-20).join('\n')}`
}

function failCompile(reason: string): never {
  throw new CompileError(reason)
}

function dropOldRenderers(store: string, present: string): void {
  const isLeftover = (name: string): boolean => name.startsWith(COMPILING)
  dropOldFolders(store, { present, kept: KEPT, isLeftAlone: isLeftover })
  // Removes the folders of interrupted compiles. Retries, because a compiler may still be writing.
  for (const name of readdirSync(store).filter(isLeftover))
    rmSync(join(store, name), { recursive: true, force: true, maxRetries: 3 })
}
