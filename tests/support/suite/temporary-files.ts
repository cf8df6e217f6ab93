/**
 * Creates a folder for the temporary files of one process, and removes the folders that ended processes have left
 * behind.
 */
import { existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system in memory, preferred because on a disk the many rebuilds of tests and proofs would wait for syncs. */
const MEMORY = '/dev/shm'

/** Min free bytes of `MEMORY`; with fewer, the usual temporary folder is used. */
const SPACE = 2 ** 31

/** A link whose target names the namespace of process ids. */
const NAMESPACE = '/proc/self/ns/pid'

/** Returns the path of this process's folder for `label`, even if it does not exist. Uses `TMPDIR` if it is set. */
export function findScratchFolder(label: string): string {
  return join(findParent(), `${formatPrefix(label)}${process.pid}`)
}

/**
 * Creates the folder of `findScratchFolder` and returns its path. Removes the folders that ended processes have left
 * behind under the same label.
 */
export function openScratchFolder(label: string): string {
  const folder = findScratchFolder(label)
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(findParent()))
    if (isLeftOver(name, label)) removeScratchFolder(join(findParent(), name))
  return folder
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
function formatPrefix(label: string): string {
  const namespace = existsSync(NAMESPACE) ? readlinkSync(NAMESPACE).replaceAll(/\D/g, '') : '0'
  return `vitrina-${label}-${process.getuid?.() ?? 0}-${namespace}-`
}

function isLeftOver(name: string, label: string): boolean {
  const prefix = formatPrefix(label)
  return name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length)))
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes a folder in which a killed program may still be writing. Files that cannot be removed stay. */
export function removeScratchFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // Remaining temporary files do not affect later runs.
  }
}

const LABEL = 'test-run'

export const TEMPORARY = findScratchFolder(LABEL)

export function setup(): () => void {
  openScratchFolder(LABEL)
  return () => removeScratchFolder(TEMPORARY)
}
