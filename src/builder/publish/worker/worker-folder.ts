/** Writes the files of a generated Worker. A file that would not change is not written. */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listSecurityHeaders } from '../../rebuild/static/security-headers.ts'
import type { KeptRenderer } from '../../renderer/compile.ts'

const SERVER = 'server'
/** The file that contains the path of the renderer that was copied to the folder `server`. */
const MARK = 'server.txt'
const CONFIGURATION = 'wrangler.json'

/** Path of the compiled server's entry, relative to the folder of the generated Worker. */
export const SERVER_ENTRY = `./${SERVER}/entry.mjs`

interface WorkerFiles {
  /** Folder of the compiled server. */
  readonly server: string
  /** Name and content of the module that imports the renderer. */
  readonly module: readonly [name: string, text: string]
  readonly configuration: Readonly<Record<string, unknown>>
}

/** Returns the path of the configuration. */
export function writeWorker(folder: string, { server, module, configuration }: WorkerFiles): string {
  mkdirSync(folder, { recursive: true })
  copyServer(server, folder)
  const [name, text] = module
  writeIfOther(join(folder, name), text)
  const file = join(folder, CONFIGURATION)
  writeIfOther(file, `${JSON.stringify(configuration, null, 2)}\n`)
  return file
}

interface AnswerHeaders {
  /** The value of `Content-Security-Policy`. */
  readonly policy: string
  /** The other headers of every page. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

export function readAnswerHeaders({ inline }: Pick<KeptRenderer, 'inline'>): AnswerHeaders {
  const [policy, ...headers] = listSecurityHeaders(inline).map(splitHeader)
  return { policy: policy?.[1] ?? '', headers }
}

function splitHeader(line: string): readonly [name: string, value: string] {
  const [name = '', ...value] = line.split(': ')
  return [name, value.join(': ')]
}

// Replaces the folder by a rename, because it must never be incomplete: a tool that runs the Worker reads it whenever
// another file changes.
function copyServer(server: string, folder: string): void {
  const [copy, mark] = [join(folder, SERVER), join(folder, MARK)]
  if (existsSync(mark) && readFileSync(mark, 'utf8') === server) return
  const partial = `${copy}.partial`
  rmSync(mark, { force: true })
  rmSync(partial, { recursive: true, force: true })
  cpSync(server, partial, { recursive: true })
  rmSync(copy, { recursive: true, force: true })
  renameSync(partial, copy)
  writeFileSync(mark, server)
}

function writeIfOther(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}
