/** The local edge: wrangler's runtime, in a process group of its own. It serves a site with the project's Worker. */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { constants, devNull } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ROOT } from '../../files/project-folder.ts'

export interface Edge {
  readonly origin: string
  /** Returns what the runtime and the Worker have printed. */
  readOutput(): string
  /** Resolves when the runtime has ended, on its own or by `close`. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

export interface EdgeOptions {
  /** By default the system chooses a free port. */
  readonly port?: number
  /** Folder of the site; `null` if the Worker of `configuration` has its files elsewhere. */
  readonly folder: string | null
  /** Another configuration than `wrangler.jsonc`. */
  readonly configuration?: string
  /** The Worker's variables and secrets, instead of those in `.env`. */
  readonly variables?: Readonly<Record<string, string>>
  /** Folder of what the Worker stores, by default that of the project. */
  readonly state?: string
}

/** The runtime did not start, or has ended. The message contains its output. */
class EdgeError extends Error {
  override readonly name = 'EdgeError'
}

/** Max time until the runtime answers, in milliseconds. On a busy machine it takes more than a minute to start. */
const PATIENCE = 180_000
const GRACE = 5_000
const HOST = 'localhost'

/** Throws an `EdgeError` if the runtime ends, or does not answer in time. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const runtime = spawnWrangler(options)
  const said: string[] = []
  for (const stream of [runtime.stdout, runtime.stderr]) stream?.on('data', (text) => said.push(String(text)))
  const readOutput = (): string => said.join('')
  const withdraw = cleanAtEnd(() => signalGroup(runtime, 'SIGKILL'))
  const ended = once(runtime, 'exit').then(withdraw)
  const close = (): Promise<void> => stopGroup(runtime, ended)
  const origin = await waitForAnswer(runtime, readOutput)
  if (origin !== null) return { origin, ended, close, readOutput }
  await close()
  throw new EdgeError(`The edge runtime did not start:\n${readOutput().trim().slice(-2000)}`)
}

function spawnWrangler(options: EdgeOptions): ChildProcess {
  const { port = 0, folder, configuration, state } = options
  const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
  const site = [
    ...(folder === null ? [] : ['--assets', folder]),
    ...(configuration === undefined ? [] : ['--config', configuration]),
    ...(state === undefined ? [] : ['--persist-to', state]),
  ]
  const where = ['--ip', HOST, '--port', String(port), '--inspector-port', '0']
  const quiet = '--show-interactive-dev-session=false'
  return spawn(process.execPath, [wrangler, 'dev', ...site, ...where, ...listVariables(options), quiet], {
    cwd: ROOT,
    // A process group of its own, so that Ctrl-C does not reach the runtime, and `close` ends all of its processes.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      WRANGLER_SEND_METRICS: 'false',
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      NO_COLOR: '1',
    },
  })
}

// With `variables`, the runtime reads an empty file instead of `.env` and `.dev.vars`, which hold the project's
// settings.
function listVariables({ variables }: EdgeOptions): readonly string[] {
  if (variables === undefined) return []
  const values = Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`])
  return ['--env-file', devNull, ...values]
}

/** Returns the address that wrangler prints, when it answers; `null` if it does not in time or the runtime ends. */
async function waitForAnswer(runtime: ChildProcess, readOutput: () => string): Promise<string | null> {
  // The signal also aborts a pending request, because the runtime may accept a connection and never answer.
  const signal = AbortSignal.timeout(PATIENCE)
  while (runtime.exitCode === null && runtime.signalCode === null && !signal.aborted) {
    const origin = /Ready on (http:\/\/\S+)/.exec(readOutput())?.[1]
    const response = origin === undefined ? null : await fetch(origin, { signal }).catch(() => null)
    if (origin !== undefined && response !== null) return origin
    await wait(100)
  }
  return null
}

async function stopGroup(runtime: ChildProcess, ended: Promise<void>): Promise<void> {
  signalGroup(runtime, 'SIGTERM')
  await Promise.race([ended, wait(GRACE, undefined, { ref: false })])
  signalGroup(runtime, 'SIGKILL')
  await ended
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    if (!isGone) throw error
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs `clean` when this process ends, also by a signal. Returns a function that withdraws it. */
export function cleanAtEnd(clean: () => void): () => void {
  process.once('exit', clean)
  for (const signal of SIGNALS) process.once(signal, endBySignal)
  return () => {
    process.off('exit', clean)
    for (const signal of SIGNALS) process.off(signal, endBySignal)
  }
}

/** Does nothing in a command that handles the signal itself. */
function endBySignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) === 0) process.exit(128 + constants.signals[signal])
}

/** Returns whether the port is free on every address of `localhost`. */
export async function isPortFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer().listen(port, host)
    try {
      await once(server, 'listening')
    } catch (error) {
      // Without IPv6, listening on ::1 fails with another error, although the port is not taken.
      if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
    } finally {
      server.close()
    }
  }
  return true
}

/** Below the ports that the system gives to outgoing connections, which could take a free port before it is used. */
const PORTS = { from: 10_000, count: 20_000 }

export async function findFreePort(): Promise<number> {
  const port = PORTS.from + Math.floor(Math.random() * PORTS.count)
  return (await isPortFree(port)) ? port : findFreePort()
}
