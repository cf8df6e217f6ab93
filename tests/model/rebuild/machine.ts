/**
 * A machine under one folder. A process on it dies or meets an error at its n-th change of the disk, and a power cut
 * loses what was not forced to the disk. It replaces Node's calls for files and SQLite while a process runs, and knows
 * nothing of the program.
 */
import { createRandom } from '../../../scripts/measure/random.ts'
import { createDatabaseLog } from './machine-databases.ts'
import { createFileLog } from './machine-files.ts'
import type { Choose, Cut, DiskChange, Fault } from './machine-host.ts'
import { KilledError } from './machine-host.ts'

export interface Machine {
  /**
   * Runs `work` as a process of its own, during which something else may happen. Rejects with a `KilledError` if the
   * fault killed it.
   */
  run<T>(fault: Fault | null, work: () => Promise<T>, meanwhile?: Meanwhile | null): Promise<T>
  /** No process may run. */
  cutPower(cut: Cut): void
  /** Someone else has changed the folder: everything in it is on the disk. */
  forget(): void
  /** Whether the last process met its fault. */
  hasMetFault(): boolean
}

/** Something else that happens directly before the n-th change of a process. */
interface Meanwhile {
  readonly at: number
  readonly act: () => void
}

export function createMachine(folder: string): Machine {
  let count = 0
  let isDead = false
  let isRunning = false
  let fault: Fault | null = null
  let meanwhile: Meanwhile | null = null
  // Node's functions call each other: a change within a change is a part of it.
  const withinChange = <T>(act: () => T): T => {
    isRunning = false
    try {
      return act()
    } finally {
      isRunning = true
    }
  }
  const change = <T>({ act, actInPart, createError, needsSpace }: DiskChange<T>): T => {
    if (isDead) throw new KilledError()
    count += 1
    if (count === meanwhile?.at) withinChange(meanwhile.act)
    if (
      fault?.kind === 'error' &&
      (count === fault.at || (fault.isLasting && needsSpace && count > fault.at))
    )
      throw createError()
    if (fault?.kind !== 'kill' || count !== fault.at) return withinChange(act)
    if (fault.moment === 'after') withinChange(act)
    else if (fault.moment === 'during' && actInPart !== undefined) withinChange(actInPart)
    isDead = true
    throw new KilledError()
  }
  const host = { folder, change, isRunning: () => isRunning, isDead: () => isDead }
  const files = createFileLog(host)
  const databases = createDatabaseLog(host)
  return {
    run: async (next, work, other = null) => {
      ;[fault, meanwhile, count, isDead, isRunning] = [next, other, 0, false, true]
      const restore = [files.install(), databases.install()]
      try {
        return await work()
      } finally {
        isRunning = false
        for (const one of restore) one()
        databases.closeAll()
      }
    },
    cutPower: (cut) => {
      const choose = createChoice(cut)
      files.cut(choose)
      databases.cut(choose)
    },
    forget: () => {
      files.forget()
      databases.forget()
    },
    hasMetFault: () => fault !== null && count >= fault.at,
  }
}

function createChoice(cut: Cut): Choose {
  if (cut === 'everything') return (count) => count - 1
  if (cut === 'removals') return (count, isRemoved) => (isRemoved ? count - 1 : 0)
  const random = createRandom(cut)
  return (count) => random.below(count)
}
