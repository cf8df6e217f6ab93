/** Runs the installed wrangler, which alone talks to Cloudflare. Secrets are removed from its messages. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Environment } from './redact.ts'
import { createRedactor } from './redact.ts'

interface WranglerOptions {
  /** The project's folder, with its configuration and `node_modules`. */
  readonly root: string
  readonly environment: Environment
  /** File of the Worker's configuration. */
  readonly configuration: string
  /** The environment of the Worker's configuration; `null` for its top level. */
  readonly stage: string | null
}

export interface Wrangler {
  /**
   * Returns what wrangler has printed. After `timeout` milliseconds it is killed, with its children. Throws a
   * `WranglerError` if it fails.
   */
  run(args: readonly string[], timeout: number): Promise<string>
  /** Hands the terminal to wrangler, which may ask its questions. Throws a `WranglerError` if it fails. */
  ask(args: readonly string[]): Promise<void>
}

/** wrangler failed, or was killed. The message contains no secrets. */
export class WranglerError extends Error {
  override readonly name = 'WranglerError'
}

/** Names another program that is run in the place of wrangler, such as one in a test. */
const PROGRAM = 'VITRINA_WRANGLER'

const SETTINGS = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
}

/** Environment variables that are not passed on, because wrangler does not need these secrets. */
const WITHHELD = /^(REBUILD|NOTICE)_SECRET$/
const LONGEST_MESSAGE = 600
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export function createWrangler({ root, environment, configuration, stage }: WranglerOptions): Wrangler {
  // Not `bin/wrangler.js`, which starts this program in a further process.
  const program = environment[PROGRAM] || join(root, 'node_modules/wrangler/wrangler-dist/cli.js')
  const redact = createRedactor(environment)
  const handedOn = Object.entries(environment).filter(([name]) => !WITHHELD.test(name))
  const env = { ...Object.fromEntries(handedOn), ...SETTINGS }
  const chosen = ['--config', configuration, ...(stage === null ? [] : ['--env', stage])]
  const format = (args: readonly string[]): string[] => ['--no-warnings', program, ...args, ...chosen]
  return {
    run: async (args, timeout) => {
      const ended = await runGroup(format(args), { cwd: root, env: { ...env, NO_COLOR: '1' }, timeout })
      if (ended.code === 0) return ended.said
      throw new WranglerError(redact(describeFailed(ended, timeout)))
    },
    ask: async (args) => {
      // Standard output is for the result of this program.
      const child = spawn(process.execPath, format(args), { cwd: root, env, stdio: ['inherit', 2, 2] })
      const [code] = await once(child, 'close')
      if (code !== 0) throw new WranglerError(`wrangler ${args.join(' ')} failed: its output says why`)
    },
  }
}

interface GroupOptions {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly timeout: number
}

interface Ended {
  /** Exit code; `null` if a signal ended wrangler. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly isLate: boolean
  /** Standard output and standard error. */
  readonly said: string
}

/** Runs a process in a group of its own, so that a kill reaches its children. */
async function runGroup(args: readonly string[], { timeout, ...options }: GroupOptions): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const kill = (): void => killGroup(child.pid)
  let said = ''
  let isLate = false
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)))
  const timer = setTimeout(() => {
    isLate = true
    kill()
  }, timeout)
  const forget = endWithThisProcess(kill)
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    return { code, signal, isLate, said: stripVTControlCharacters(said) }
  } finally {
    clearTimeout(timer)
    forget()
  }
}

/** A signal of the terminal does not reach another group. It ends this process unless something else listens for it. */
function endWithThisProcess(kill: () => void): () => void {
  const listen = (signal: NodeJS.Signals): void => {
    if (process.listenerCount(signal) > 1) return
    kill()
    forget()
    process.kill(process.pid, signal)
  }
  const forget = (): void => SIGNALS.forEach((signal) => void process.off(signal, listen))
  for (const signal of SIGNALS) process.on(signal, listen)
  return forget
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has just ended.
  }
}

function describeFailed({ code, signal, isLate, said }: Ended, timeout: number): string {
  if (isLate) return `wrangler did not end within ${timeout / 1000} s`
  if (code === null)
    return `wrangler was ended by ${signal}${signal === 'SIGKILL' ? ', which the system sends if memory runs out' : ''}`
  const lines = said.split('\n').map((line) => line.trim())
  const reasons = lines.filter((line) => /\[code: \d+\]|\[ERROR\]/.test(line))
  const text =
    reasons.map((line) => line.replace(/^.*\[ERROR\] */, '')).join(' ') || said.trim().slice(-LONGEST_MESSAGE)
  return text.slice(0, LONGEST_MESSAGE)
}
