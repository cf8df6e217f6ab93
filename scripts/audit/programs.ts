/** Finds programs on this machine, and installs Debian packages as root. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Arguments of apt-get. They make it wait up to ten minutes for another installation to end. */
const INSTALL = ['install', '-y', '-o', 'DPkg::Lock::Timeout=600'] as const

/** Returns the path of the first of these programs that is on the PATH. */
export function findProgram(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file))
}

/**
 * Updates the package lists and installs Debian packages. Returns false if this process does not run as root, if there
 * is no apt-get, or if one of the two steps fails.
 */
export async function installPackages(...packages: readonly string[]): Promise<boolean> {
  if (process.getuid?.() !== 0 || findProgram(['apt-get']) === undefined) return false
  return (await run('apt-get', 'update')) && run('apt-get', ...INSTALL, ...packages)
}

async function run(command: string, ...parameters: readonly string[]): Promise<boolean> {
  const [code] = await once(spawn(command, parameters, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')
  return code === 0
}
