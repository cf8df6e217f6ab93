/** A real folder for each test, gone after it. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

/** A file system in memory, if there is one: a test with hundreds of rebuilds would mostly wait for the disk. */
export const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Returns a path inside the folder of the running test. */
export function useTemporaryFolder(parent = tmpdir()): (...names: readonly string[]) => string {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(parent, 'vitrina-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  return (...names) => join(folder, ...names)
}
