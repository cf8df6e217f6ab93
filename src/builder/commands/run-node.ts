/** Runs scripts of this project and of its packages with this Node, in the project's folder. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ROOT } from '../files/project-folder.ts'

export const VITRINA = join(ROOT, 'scripts/vitrina.mjs')
export const ASTRO = join(ROOT, 'node_modules/astro/bin/astro.mjs')

/**
 * The child process inherits the terminal, and gets SIGTERM when `end` aborts. Returns its exit code; `null` if a
 * signal ended it.
 */
export async function runNode(args: readonly string[], end?: AbortSignal): Promise<number | null> {
  // Vitest otherwise colours its output in a file or pipe, too.
  const { stdout, stderr } = process
  const isPlain = !stdout.isTTY && !stderr.isTTY && process.env['FORCE_COLOR'] === undefined
  const env = { ...process.env, ...(isPlain && { NO_COLOR: '1' }) }
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env })
  const stop = (): void => void child.kill()
  end?.addEventListener('abort', stop)
  const [code] = await once(child, 'exit')
  end?.removeEventListener('abort', stop)
  return code
}
