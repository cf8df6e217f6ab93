/**
 * Runs a program as a cold process, measures its wall-clock time and, on request, the peak memory of its process tree.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { NO_SETTINGS } from '../../src/builder/commands/settings.ts'
import { readTreeMemory, readTreeResident } from './process-tree.ts'

export interface MeasuredCommand {
  /** The program to run; by default, the Node that runs this process. */
  readonly program?: string
  readonly args: readonly string[]
  readonly folder: string
  readonly environment?: Readonly<Record<string, string>>
  readonly watchesMemory?: boolean
  /** Max run time in milliseconds. A program that exceeds it receives SIGTERM, and the run fails. */
  readonly timeout?: number
}

export interface MeasuredRun {
  readonly ms: number
  /** Peak memory in bytes; `null` if it was not watched or could not be read. */
  readonly peak: number | null
  readonly stdout: string
}

/**
 * Min milliseconds between two readings of the memory. The pause is also at least `SHARE` times as long as the reading
 * before it, so that the readings slow the program only a little.
 */
const PAUSE = 25
const SHARE = 20

/**
 * `readTreeMemory`, which slows the program, is called again only when the resident memory has grown by this factor
 * since the previous call.
 */
const GROWTH = 1.02

// Only these variables of this process are passed on, because the user's own settings must not influence measurements.
const PASSED = ['PATH', 'HOME', 'TMPDIR', 'USERPROFILE', 'SystemRoot', 'TEMP', 'npm_config_registry']

/**
 * Runs the program. Throws if it cannot be started, or if its exit code is not 0; then the error contains the end of
 * its output.
 */
export async function runMeasured(command: MeasuredCommand): Promise<MeasuredRun> {
  const { program = process.execPath, args, folder, watchesMemory = false, timeout } = command
  const start = performance.now()
  const child = spawn(program, args, {
    cwd: folder,
    env: createEnvironment(command),
    timeout,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const watch = watchesMemory && child.pid !== undefined ? watchMemory(child.pid) : null
  const [code] = (await once(child, 'exit')) as [number | null]
  const ms = performance.now() - start
  const peak = watch?.stop() || null
  const [stdout, stderr] = await said
  if (code === 0) return { ms, peak, stdout }
  throw new Error(
    `${program} ${args.join(' ')} ${code === null ? 'was ended by a signal' : `ended with exit code ${code}`}:\n${`${stdout}\n${stderr}`.trim().slice(-2000)}`,
  )
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

function watchMemory(pid: number): { stop(): number } {
  let peak = 0
  let seen = 0
  let timer: NodeJS.Timeout | null = null
  const look = (): void => {
    const start = performance.now()
    const resident = readTreeResident(pid)
    if (resident > seen * GROWTH) {
      seen = resident
      peak = Math.max(peak, readTreeMemory(pid))
    }
    timer = setTimeout(look, Math.max(PAUSE, SHARE * (performance.now() - start)))
  }
  look()
  return {
    stop: () => {
      if (timer !== null) clearTimeout(timer)
      return peak
    },
  }
}
