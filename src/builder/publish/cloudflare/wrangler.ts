/** Runs the installed wrangler. Secrets are removed from its error messages. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { isRecord } from '../../../domain/documents/json.ts'
import type { Environment } from '../redact.ts'
import { createRedactor } from '../redact.ts'

export interface WranglerOptions {
  /** The project's folder, with its configuration and `node_modules`. */
  readonly root: string
  readonly environment: Environment
  /** The environment of the Worker's configuration; `null` for its top level. */
  readonly stage: string | null
  /** Folder of the built site; by default that of `wrangler.jsonc`. */
  readonly assets?: string
}

export interface WranglerRun {
  readonly stdout: string
  /** Machine-readable output, one JSON value per line. See `WRANGLER_OUTPUT_FILE_PATH` in wrangler's documentation. */
  readonly entries: readonly Readonly<Record<string, unknown>>[]
}

/** wrangler failed, was killed or gave no usable result. The message contains no secrets. */
export class WranglerError extends Error {
  override readonly name = 'WranglerError'
}

export type Wrangler = (args: readonly string[], timeout: number) => Promise<WranglerRun>

const SETTINGS = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  NO_COLOR: '1',
}

/** Environment variables that are not passed on, because wrangler does not need these secrets. */
const WITHHELD = /^(REBUILD|NOTICE|BUILDER|DISPATCH)_/
const LONGEST_MESSAGE = 600

export function createWrangler({ root, environment, stage, assets }: WranglerOptions): Wrangler {
  // Not `bin/wrangler.js`, which starts this program in a further process that a kill does not reach.
  const tool = join(root, 'node_modules/wrangler/wrangler-dist/cli.js')
  const redact = createRedactor(environment)
  const handedOn = Object.entries(environment).filter(([name]) => !WITHHELD.test(name))
  const chosen = [
    ...(stage === null ? [] : ['--env', stage]),
    ...(assets === undefined ? [] : ['--assets', assets]),
  ]
  return async (args, timeout) => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrina-wrangler-'))
    try {
      const output = join(folder, 'output.ndjson')
      const env = { ...Object.fromEntries(handedOn), ...SETTINGS, WRANGLER_OUTPUT_FILE_PATH: output }
      const ended = await run(['--no-warnings', tool, ...args, ...chosen], { cwd: root, env, timeout })
      const entries = readEntries(output)
      if (ended.code === 0) return { stdout: ended.stdout, entries }
      throw new WranglerError(
        ended.code === null ? describeKilled(ended, timeout) : redact(explain(entries, ended.said)),
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

interface RunOptions {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly timeout: number
}

interface Ended {
  /** Exit code; `null` if a signal ended wrangler. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** True if this process killed wrangler after the timeout. */
  readonly isLate: boolean
  readonly stdout: string
  readonly said: string
}

async function run(args: readonly string[], options: RunOptions): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    killSignal: 'SIGKILL',
  })
  let stdout = ''
  let said = ''
  child.stdout.on('data', (text) => {
    stdout += String(text)
    said += String(text)
  })
  child.stderr.on('data', (text) => (said += String(text)))
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal, isLate: child.killed, stdout, said: stripVTControlCharacters(said) }
}

function describeKilled({ signal, isLate }: Ended, timeout: number): string {
  return isLate
    ? `wrangler did not end within ${timeout / 1000} s`
    : `wrangler was ended by ${signal}${signal === 'SIGKILL' ? ', which the system sends if memory runs out' : ''}`
}

function readEntries(file: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).map(parseLine).filter(isRecord)
  } catch {
    // wrangler ended before it created the file or completed its last line.
    return []
  }
}

function parseLine(line: string): unknown {
  return JSON.parse(line)
}

/** Returns whether the line ends with one of `messages`. The line may begin with a mark such as `✘ [ERROR]`. */
function isSaid(line: string, messages: readonly string[]): boolean {
  return messages.some((message) => line.endsWith(message.trim()))
}

/**
 * Returns the reasons of a failure: the message in `entries`, and further messages in the text output `said`. Messages
 * of Cloudflare's API occur only in `said`. If there are no messages, returns the end of `said`.
 */
function explain(entries: WranglerRun['entries'], said: string): string {
  const message = entries.find(({ type }) => type === 'command-failed')?.['message']
  const reasons = said.split('\n').filter((line) => /\[code: \d+\]|\[ERROR\]/.test(line))
  const known = typeof message === 'string' ? [message] : []
  const lines = [...known, ...reasons.map((line) => line.trim()).filter((line) => !isSaid(line, known))]
  const text = lines.length > 0 ? lines.join(' ') : said.trim().slice(-LONGEST_MESSAGE)
  return text.slice(0, LONGEST_MESSAGE)
}
