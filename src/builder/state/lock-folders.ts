/** Locks the state folder and the output folder for one run. */
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { hashBytes } from './manifest.ts'
import type { Lock } from './sqlite/lock.ts'
import { acquireLock } from './sqlite/lock.ts'
import { UsageError } from './usage-error.ts'

/** Another rebuild holds the lock of the state folder or the output folder. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
}

/** Throws a `BusyError` if another process holds one of the locks. */
export function lockFolders({
  state,
  output,
}: {
  readonly state: string
  readonly output: string
}): readonly Lock[] {
  if (`${resolve(state)}/`.startsWith(`${resolve(output)}/`)) {
    throw new UsageError('The state folder must not be inside the output folder, which holds only the site.')
  }
  mkdirSync(state, { recursive: true })
  const target = existsSync(output) ? realpathSync(output) : resolve(output)
  // The output folder holds only the site, so its lock file is kept in the temporary folder.
  const outputLock = join(tmpdir(), `vitrina-${hashBytes(target).slice(0, 16)}.lock`)
  const locks: Lock[] = []
  for (const file of [join(state, 'lock.sqlite'), outputLock]) {
    const lock = acquireLock(file)
    if (lock === null) {
      for (const held of locks) held.release()
      throw new BusyError(
        `Another rebuild is using ${state} or ${output}. Wait for it to end, then run again.`,
      )
    }
    locks.push(lock)
  }
  return locks
}
