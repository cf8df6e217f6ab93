/** Runs a command line in its own process group, so that all processes that it starts can be ended together. */
import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

interface GroupOptions {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** Command-line options for bash. */
  readonly flags: readonly string[]
  readonly input?: string
  /** Aborting it ends all processes of the group. */
  readonly end?: AbortSignal
  readonly onText?: (text: string) => void
}

/** Time between SIGTERM and SIGKILL, in milliseconds. */
const GRACE = 5_000

const groups = new Set<number>()

/** Returns the CPU times of all processes in running groups, as text that changes while they work. */
export function readWork(): string {
  if (groups.size === 0) return ''
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pgid=,pid=,time='], { encoding: 'utf8' })
  // `stdout` is `null` on a machine without `ps`. The result is then empty.
  const lines = (stdout ?? '').split('\n')
  return lines.filter((line) => groups.has(Number.parseInt(line, 10))).join('\n')
}

/** Returns the exit code of the command (`null` after a signal) and its output. */
export async function runGroup(
  line: string,
  { folder, environment, flags, input = '', end, onText }: GroupOptions,
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn('bash', [...flags, '-c', line], {
    cwd: folder,
    env: { ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  if (child.pid !== undefined) groups.add(child.pid)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      said += String(part)
      onText?.(String(part))
    })
  // Ignores write errors, because a command may end without reading its input.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  let late: NodeJS.Timeout | undefined
  const stop = (): void => {
    signalGroup(child, 'SIGTERM')
    late = setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE)
  }
  if (end?.aborted === true) stop()
  end?.addEventListener('abort', stop)
  const [code] = (await once(child, 'close')) as [number | null]
  end?.removeEventListener('abort', stop)
  clearTimeout(late)
  if (child.pid !== undefined) groups.delete(child.pid)
  return { code, said }
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    if (!isGone) throw error
  }
}
