/** A small file system in memory that can be filled up. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

export interface SmallDisk {
  /** Increases its size. */
  grow(): void
  remove(): void
}

/** Returns `null` when this user may not mount file systems. */
export function mountSmallDisk(folder: string, size: string): SmallDisk | null {
  mkdirSync(folder, { recursive: true })
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder)) return null
  return {
    grow: () => void run('mount', '-o', 'remount,size=64m', folder),
    remove: () => void run('umount', folder),
  }
}

// `sudo` works as root and on CI machines, where it needs no password.
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
