/**
 * Watches an embedded database by polling the header of its file and the state of its write-ahead log, without a lock.
 */
import { closeSync, fstatSync, openSync, statSync } from 'node:fs'
import { readOpenStamp } from './file-stamp.ts'
import type { Watcher } from '../source.ts'

/** Time between two polls, in milliseconds. A poll is one small read and a few calls of `stat`. */
const INTERVAL = 5

/** Number of polls between two attempts to open a file that cannot be read. */
const LOOKS_PER_TRY = 40

interface Opened {
  /**
   * Descriptor of the file. Stays open, because closing it would release the locks that a rebuild of this process holds
   * on the file.
   */
  readonly file: number
  readonly version: string
}

export function followEmbedded(path: string, { onChange, onTrouble, signal }: Watcher): void {
  // The signal may have aborted while this module was being loaded.
  if (signal.aborted) return
  let opened: Opened | null = open(path)
  let looks = 0
  const look = (): void => {
    looks += 1
    if (opened === null && looks % LOOKS_PER_TRY > 0) return
    const next = findNext(path, opened)
    if (next === opened) return
    if (next === null) onTrouble(`${path} cannot be read at the moment: waiting for it`)
    else onChange(null)
    opened = next
  }
  const timer = setInterval(look, INTERVAL)
  signal.addEventListener('abort', () => {
    clearInterval(timer)
    if (opened !== null) closeSync(opened.file)
  })
}

/** Returns the new state of the file; `opened` itself if nothing changed; `null` if the file cannot be read. */
function findNext(path: string, opened: Opened | null): Opened | null {
  if (opened === null) return open(path)
  try {
    const version = readVersion(path, opened.file)
    if (statSync(path).ino === fstatSync(opened.file).ino)
      return version === opened.version ? opened : { ...opened, version }
  } catch {
    // The file is missing or unreadable. The code below tries to open it again.
  }
  closeSync(opened.file)
  return open(path)
}

function open(path: string): Opened | null {
  let file: number | null = null
  try {
    file = openSync(path, 'r')
    return { file, version: readVersion(path, file) }
  } catch {
    if (file !== null) closeSync(file)
    return null
  }
}

function readVersion(path: string, file: number): string {
  const { schema, content } = readOpenStamp(path, file)
  return `${schema}/${content}`
}
