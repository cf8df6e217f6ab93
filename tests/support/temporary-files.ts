/** The folder of all temporary files of one run of the tests. It is removed at the end, with what killed programs left. */
import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system in memory, if it has space: on a disk, the many rebuilds of the suite wait for their syncs. */
const MEMORY = '/dev/shm'
const SPACE = 2 ** 31

/** Followed by the id of the process that runs the tests. */
const NAME = 'vitrina-tests-'

const parent = findParent()

export const TEMPORARY = join(parent, `${NAME}${process.pid}`)

export function setup(): () => void {
  mkdirSync(TEMPORARY, { recursive: true })
  for (const name of readdirSync(parent)) if (isLeftOver(name)) remove(join(parent, name))
  return () => remove(TEMPORARY)
}

function findParent(): string {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > SPACE ? MEMORY : tmpdir()
}

// True for the folder of a run of the tests that ended without removing it.
function isLeftOver(name: string): boolean {
  return name.startsWith(NAME) && !isRunning(Number(name.slice(NAME.length)))
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

// A program that was killed may still be writing.
function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
