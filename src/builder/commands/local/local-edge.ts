/** The local edge: wrangler's runtime, in a separate process group. It serves a site folder with the project's Worker. */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ROOT } from '../../files/project-folder.ts'
import { cleanAtEnd } from './clean-at-end.ts'

export interface Edge {
  readonly origin: string
  /** Returns what the runtime and the Worker have printed. */
  readOutput(): string
  /** Resolves when the runtime has ended, on its own or by `close` or `kill`. */
  readonly ended: Promise<void>
  close(): Promise<void>
  /** Kills the runtime, to simulate a crash. */
  kill(): Promise<void>
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

/** The runtime did not start, or ended too often. The message contains its output. */
export class EdgeError extends Error {
  override readonly name = 'EdgeError'
}

/**
 * Max time without output until the runtime answers, in milliseconds. On a busy machine it takes more than a minute to
 * start.
 */
const PATIENCE = 180_000
const GRACE = 5_000
const HOST = 'localhost'
const QUIET = '--show-interactive-dev-session=false'

/** Throws an `EdgeError` if the runtime ends, or does not answer in time. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const runtime = spawnWrangler(options)
  const said: string[] = []
  for (const stream of [runtime.stdout, runtime.stderr]) stream?.on('data', (text) => said.push(String(text)))
  const withdraw = cleanAtEnd(() => signalGroup(runtime, 'SIGKILL'))
  const ended = once(runtime, 'exit').then(withdraw)
  const close = (): Promise<void> => stopGroup(runtime, ended)
  const kill = (): Promise<void> => {
    signalGroup(runtime, 'SIGKILL')
    return ended
  }
  const readOutput = (): string => said.join('')
  const { port } = options
  const findOrigin = (): string | null =>
    port === undefined ? readOrigin(readOutput()) : `http://${HOST}:${port}`
  const origin = await waitForAnswer({ findOrigin, countOutput: () => said.length }, runtime)
  if (origin !== null) return { origin, ended, close, kill, readOutput }
  await close()
  throw new EdgeError(`The edge runtime did not start:\n${said.join('').trim().slice(-2000)}`)
}

/** Returns whether the port is free on every address of `localhost`. */
export async function isPortFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::1']) {
    if (await isTaken(port, host)) return false
  }
  return true
}

/**
 * Range from which free ports are chosen. It is below the ports that the system gives to outgoing connections, so that
 * no such connection takes a free port before it is used.
 */
const PORTS = { from: 10_000, count: 20_000 }

export async function findFreePort(): Promise<number> {
  const port = PORTS.from + Math.floor(Math.random() * PORTS.count)
  return (await isPortFree(port)) ? port : findFreePort()
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
  return spawn(process.execPath, [wrangler, 'dev', ...site, ...where, ...listVariables(options), QUIET], {
    cwd: ROOT,
    // Starts a separate process group, so that Ctrl-C does not reach the runtime, and `close` ends all of its
    // processes.
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

/** Returns the address that wrangler prints when it is ready; `null` before that. */
function readOrigin(output: string): string | null {
  return /Ready on (http:\/\/\S+)/.exec(output)?.[1] ?? null
}

interface Starting {
  readonly findOrigin: () => string | null
  readonly countOutput: () => number
}

/** Returns the address that answers; `null` if none answers in time or the runtime ends. */
async function waitForAnswer(
  { findOrigin, countOutput }: Starting,
  runtime: ChildProcess,
): Promise<string | null> {
  let count = -1
  let signal = AbortSignal.timeout(PATIENCE)
  while (runtime.exitCode === null && runtime.signalCode === null) {
    if (countOutput() !== count) signal = AbortSignal.timeout(PATIENCE)
    else if (signal.aborted) return null
    count = countOutput()
    const origin = findOrigin()
    // The signal also aborts a pending request, because the runtime may accept a connection and never answer.
    const response = origin === null ? null : await fetch(origin, { signal }).catch(() => null)
    if (response !== null) return origin
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

async function isTaken(port: number, host: string): Promise<boolean> {
  const server = createServer().listen(port, host)
  try {
    await once(server, 'listening')
    return false
  } catch (error) {
    // Without IPv6, listening on ::1 fails with another error, although the port is not taken.
    return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  } finally {
    server.close()
  }
}
