/**
 * Runs a program as a cold process, measures its wall-clock time and, on request, the peak memory of a Node process.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { NO_SETTINGS } from './no-settings.ts'

export interface MeasuredCommand {
  /** The program to run; by default, the Node that runs this process. */
  readonly program?: string
  readonly args: readonly string[]
  readonly folder: string
  readonly environment?: Readonly<Record<string, string>>
  /** Only for programs that are run by Node. */
  readonly watchesMemory?: boolean
}

export interface MeasuredRun {
  readonly ms: number
  /** Peak resident memory in bytes; `null` if it was not watched. */
  readonly peak: number | null
  readonly stdout: string
}

/** Writes the peak memory in kB to the file descriptor 3 when the process ends. */
const REPORT_MEMORY = `
import { writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
if (isMainThread) process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)))`
const WATCHING = ['--import', `data:text/javascript,${encodeURIComponent(REPORT_MEMORY)}`] as const

// Only these variables of this process are passed on, because the user's own settings must not influence measurements.
const PASSED = ['PATH', 'HOME', 'TMPDIR', 'USERPROFILE', 'SystemRoot', 'TEMP', 'npm_config_registry']

/**
 * Runs the program. Throws if it cannot be started, or if its exit code is not 0; then the error contains the end of
 * its output.
 */
export async function runMeasured(command: MeasuredCommand): Promise<MeasuredRun> {
  const { program = process.execPath, args, folder, watchesMemory = false } = command
  const start = performance.now()
  const child = spawn(program, [...(watchesMemory ? WATCHING : []), ...args], {
    cwd: folder,
    env: createEnvironment(command),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const said = Promise.all([child.stdout, child.stderr, child.stdio[3]].map(readAll))
  const [code] = (await once(child, 'exit')) as [number | null]
  const ms = performance.now() - start
  const [stdout = '', stderr = '', memory = ''] = await said
  if (code === 0) return { ms, peak: watchesMemory ? 1024 * Number(memory) : null, stdout }
  throw new Error(
    `${program} ${args.join(' ')} ${code === null ? 'was ended by a signal' : `ended with exit code ${code}`}:\n${`${stdout}\n${stderr}`.trim().slice(-2000)}`,
  )
}

async function readAll(stream: unknown): Promise<string> {
  return stream instanceof Readable ? text(stream) : ''
}

function createEnvironment({ environment }: MeasuredCommand): NodeJS.ProcessEnv {
  const passed = PASSED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))
  return {
    ...Object.fromEntries(passed),
    ...NO_SETTINGS,
    ASTRO_TELEMETRY_DISABLED: '1',
    PHOTOS: 'off',
    ...environment,
  }
}
