/** Runs a command line as a person types it, in a folder and an environment of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'

export interface Said {
  readonly line: string
  readonly code: number | null
  readonly text: string
  readonly ms: number
}

export interface ShellOptions {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** Typed when the command asks. */
  readonly input?: string
}

/** In milliseconds. A command that takes longer is ended. */
const PATIENCE = 5 * 60_000

export async function runLine(line: string, options: ShellOptions): Promise<Said> {
  const start = performance.now()
  const child = spawn('bash', ['--norc', '-c', line], {
    cwd: options.folder,
    env: { ...options.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: PATIENCE,
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += String(part)))
  // A command that reads nothing may end first.
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  const [code] = (await once(child, 'close')) as [number | null]
  return { line, code, text: clean(text), ms: performance.now() - start }
}

/** Without what npm says about itself. */
function clean(text: string): string {
  const lines = stripVTControlCharacters(text).split('\n')
  return lines
    .filter((line) => !/^(npm (warn|notice)|> )/.test(line))
    .join('\n')
    .trim()
}
