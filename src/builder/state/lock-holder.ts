/**
 * Writes a note next to a lock file that names the process which holds the lock. A process that cannot get the lock
 * names the holder in its message.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hasCode } from './output/own-file.ts'

interface LockHolder {
  readonly process: number
  /** The running command, such as `rebuild --watch`. */
  readonly command: string
  /** The time at which the lock was taken, in RFC 3339. */
  readonly since: string
}

/** Writes the note. Releasing the lock removes it; after a crash, the next holder replaces it. */
export function writeHolder(lock: string, command: string): void {
  const holder: LockHolder = { process: process.pid, command, since: new Date().toISOString() }
  rmSync(nameNote(lock), { force: true })
  // `wx` refuses to write through a link.
  writeFileSync(nameNote(lock), JSON.stringify(holder), { flag: 'wx' })
}

export function removeHolder(lock: string): void {
  try {
    rmSync(nameNote(lock), { force: true })
  } catch {
    // The note stays, but `readHolder` ignores it after this process has ended.
  }
}

/** Returns `null` if the note is missing, incomplete, or of a process that has ended. */
export function readHolder(lock: string): LockHolder | null {
  try {
    const note = JSON.parse(readFileSync(nameNote(lock), 'utf8')) as Partial<LockHolder>
    const { process: id, command, since } = note
    if (typeof id !== 'number' || typeof command !== 'string' || typeof since !== 'string') return null
    return isAlive(id) ? { process: id, command, since } : null
  } catch {
    return null
  }
}

/** Returns a sentence that names the holder, if it is known, and one that says what to do. */
export function formatHolder(holder: LockHolder | null): string {
  if (holder === null) return 'Another run is using it. Wait for it to end, then run again.'
  const { command, process: id, since } = holder
  const who = `Process ${id} (${command}, since ${since}) is using it.`
  return STAYS.test(command)
    ? `${who} It keeps running and rebuilds on every change: stop it with Ctrl-C or \`kill ${id}\`, then run again.`
    : `${who} Wait for it to end, then run again.`
}

const STAYS = /--watch|^builder/

function nameNote(lock: string): string {
  return `${lock}.holder.json`
}

// Signal 0 only checks that the process exists. EPERM means that it exists and belongs to another user.
function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return hasCode(error, ['EPERM'])
  }
}
