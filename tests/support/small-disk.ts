/** A small file system in memory that can be filled up. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

export interface SmallDisk {
  /** Gives it more room. */
  grow(): void
  remove(): void
}

/** `null` where this user may not mount anything. */
export function mountSmallDisk(folder: string, size: string): SmallDisk | null {
  mkdirSync(folder, { recursive: true })
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder)) return null
  return {
    grow: () => void run('mount', '-o', 'remount,size=64m', folder),
    remove: () => void run('umount', folder),
  }
}

// Root or not: machines of continuous integration let `sudo` do it without a word.
function run(...command: readonly string[]): boolean {
  return [[...command], ['sudo', '-n', ...command]].some(([program = '', ...args]) => {
    try {
      execFileSync(program, args, { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
}
