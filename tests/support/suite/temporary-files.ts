/**
 * The folder of all temporary files of one run of the tests. It is removed at the end, with what killed programs left,
 * and so are the folders of earlier runs that were killed.
 */
import { existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system in memory, preferred because on a disk the many rebuilds of tests would wait for syncs. */
const MEMORY = '/dev/shm'

/** Min free bytes of `MEMORY`; with fewer, the usual temporary folder is used. */
const SPACE = 2 ** 31

/** A link whose target names the namespace of process ids. */
const NAMESPACE = '/proc/self/ns/pid'

const PARENT = findParent()
const PREFIX = formatPrefix()

export const TEMPORARY = join(PARENT, `${PREFIX}${process.pid}`)

export function setup(): () => void {
  mkdirSync(TEMPORARY, { recursive: true })
  for (const name of readdirSync(PARENT))
    if (name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length)))) remove(join(PARENT, name))
  return () => remove(TEMPORARY)
}

function findParent(): string {
  if (process.env['TMPDIR'] !== undefined || !existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > SPACE ? MEMORY : tmpdir()
}

/**
 * Returns the prefix of a folder's name. The prefix contains the user id, because other users cannot remove the folder,
 * and the namespace of process ids, because containers on one host may share the parent folder but not the process ids.
 */
function formatPrefix(): string {
  const namespace = existsSync(NAMESPACE) ? readlinkSync(NAMESPACE).replaceAll(/\D/g, '') : '0'
  return `vitrina-test-run-${process.getuid?.() ?? 0}-${namespace}-`
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes a folder in which a killed program may still be writing. Files that cannot be removed stay. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // Remaining temporary files do not affect later runs.
  }
}
