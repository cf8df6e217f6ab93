/** Follows an embedded database by SQLite's `data_version`, which changes when another connection commits. */
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Watcher } from '../source.ts'

/** Time between two polls, in milliseconds. A poll is one small read of the file's header. */
const INTERVAL = 5

/** Polls between two checks that the path still names the open file. */
const LOOKS_PER_STAT = 40

interface Opened {
  readonly database: DatabaseSync
  readonly inode: number
  readonly version: unknown
}

export function followEmbedded(path: string, { onChange, onTrouble, signal }: Watcher): void {
  let opened: Opened | null = open(path)
  let looks = 0
  const look = (): void => {
    looks += 1
    const next = findNext(path, opened, looks % LOOKS_PER_STAT === 0)
    if (next === opened) return
    if (next === null) onTrouble(`${path} cannot be read at the moment: waiting for it`)
    else onChange(null)
    opened = next
  }
  const timer = setInterval(look, INTERVAL)
  signal.addEventListener('abort', () => {
    clearInterval(timer)
    opened?.database.close()
  })
}

/** Returns the same object if nothing changed, and `null` while the file cannot be read. */
function findNext(path: string, opened: Opened | null, isStatDue: boolean): Opened | null {
  if (opened === null) return isStatDue ? open(path) : null
  try {
    const isSwapped = isStatDue && statSync(path).ino !== opened.inode
    if (isSwapped) return reopen(path, opened)
    const version = readVersion(opened.database)
    return version === opened.version ? opened : { ...opened, version }
  } catch {
    // The file is busy, missing or damaged. Reopening is retried until it succeeds.
    return reopen(path, opened)
  }
}

function reopen(path: string, { database }: Opened): Opened | null {
  database.close()
  return open(path)
}

function open(path: string): Opened | null {
  try {
    const inode = statSync(path).ino
    const database = new DatabaseSync(path, { readOnly: true, timeout: 1000 })
    return { database, inode, version: readVersion(database) }
  } catch {
    return null
  }
}

// Source: https://sqlite.org/pragma.html#pragma_data_version
function readVersion(database: DatabaseSync): unknown {
  return database.prepare('PRAGMA data_version').get()?.['data_version']
}
