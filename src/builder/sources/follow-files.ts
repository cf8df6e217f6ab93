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

export function followEmbedded(path: string, watcher: Watcher): void {
  follow({ path, files: [path, `${path}-wal`], quiet: 0 }, watcher)
}

export function followFolder(path: string, watcher: Watcher): void {
  const files = COLLECTIONS.map((collection) => join(path, formatFileName(collection)))
  follow({ path, files, quiet: QUIET }, watcher)
}

interface Followed {
  readonly path: string
  readonly files: readonly string[]
  /** Milliseconds from a change to its report, which a further change delays. */
  readonly quiet: number
}

// Looks at the status of files only: closing a descriptor of a database would release SQLite's locks on the file.
function follow({ path, files, quiet }: Followed, { onChange, onTrouble, signal }: Watcher): void {
  if (signal.aborted) return
  const findVersion = (): string => files.map(findFileVersion).join('')
  let version = findVersion()
  let report: NodeJS.Timeout | undefined
  const timer = setInterval(() => {
    const next = findVersion()
    if (next === version) return
    version = next
    clearTimeout(report)
    if (next === '') onTrouble(`${path} cannot be read at the moment: waiting for it`)
    else report = setTimeout(onChange, quiet)
  }, INTERVAL)
  signal.addEventListener('abort', () => {
    clearInterval(timer)
    clearTimeout(report)
  })
}

// Returns '' for a missing file, and for the empty write-ahead log that the readers of a database make and remove. The
// version changes again soon after a write, because a second write in the same tick of the clock leaves the time as it
// is.
function findFileVersion(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  if (found === undefined || (found.size === 0n && file.endsWith('-wal'))) return ''
  const isYoung = Date.now() - Number(found.ctimeMs) < TICK
  return `${found.ino}/${found.size}/${found.ctimeNs}${isYoung ? '+' : ' '}`
}
