/** Follows the files of a source: an embedded database, or those of a folder. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { COLLECTIONS } from '../../domain/documents/document.ts'
import { formatFileName } from './folder/folder.ts'
import type { Watcher } from './source.ts'

/** Milliseconds between two looks at the files. */
const INTERVAL = 10
/** Milliseconds without a change after which the file of a folder counts as completely written. */
const QUIET = 50
/** Milliseconds in which two writes may give a file the same time. */
const TICK = 20

interface FollowedFiles {
  /** For messages. */
  readonly path: string
  /** Returns what changes with each write, or `null` if the source is missing. */
  readonly findVersion: () => string | null
  /** Milliseconds from a change to its report, which a further change delays. */
  readonly quiet: number
}

export function followEmbedded(path: string, watcher: Watcher): void {
  const findVersion = (): string | null => {
    const file = findFileVersion(path)
    return file === '' ? null : `${file} ${findFileVersion(`${path}-wal`, { isEmptyMissing: true })}`
  }
  follow({ path, findVersion, quiet: 0 }, watcher)
}

export function followFolder(path: string, watcher: Watcher): void {
  const files = COLLECTIONS.map((collection) => join(path, formatFileName(collection)))
  const findVersion = (): string | null => files.map((file) => findFileVersion(file)).join('') || null
  follow({ path, findVersion, quiet: QUIET }, watcher)
}

// Looks at the status of files only: closing a descriptor of a database would release SQLite's locks on the file.
function follow({ path, findVersion, quiet }: FollowedFiles, watcher: Watcher): void {
  if (watcher.signal.aborted) return
  let version = findVersion()
  let report: NodeJS.Timeout | undefined
  const look = (): void => {
    const next = findVersion()
    if (next === version) return
    version = next
    clearTimeout(report)
    if (next === null) watcher.onTrouble(`${path} cannot be read at the moment: waiting for it`)
    else report = setTimeout(watcher.onChange, quiet)
  }
  const timer = setInterval(look, INTERVAL)
  watcher.signal.addEventListener('abort', () => {
    clearInterval(timer)
    clearTimeout(report)
  })
}

// Returns '' for a missing file. The readers of a database make and remove an empty write-ahead log. The version of a
// file changes again soon after a write, because a second write in the same tick of the clock leaves its time as it is.
function findFileVersion(path: string, { isEmptyMissing = false } = {}): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (found === undefined || (isEmptyMissing && found.size === 0n)) return ''
  const isYoung = Date.now() - Number(found.ctimeMs) < TICK
  return `${found.ino}/${found.size}/${found.ctimeNs}${isYoung ? '+' : ''}`
}
