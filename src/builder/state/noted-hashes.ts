/**
 * Hashes files, and notes each hash with the file's size, times and inode. A file is read again only if one of these
 * changed or no hash was noted. Notes only save reads: the hashes decide whether something is up to date.
 */
import { randomUUID } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Manifest } from './manifest.ts'
import { hashBytes } from './manifest.ts'

type Note = Readonly<Record<string, readonly [stamp: string, hash: string] | undefined>>

/** Returns the hashes of `files` under `root`. `file` is the path of the note. Throws if one of `files` is missing. */
export function hashNoted(root: string, files: readonly string[], file: string): Manifest {
  const note = readNote(file)
  const isNoted = (path: string): boolean => note[path]?.[0] === formatStamp(readStats(join(root, path)))
  if (!files.every(isNoted)) return renewNote(root, files, { file, note })
  return Object.fromEntries(files.map((path) => [path, note[path]?.[1] ?? '']))
}

function renewNote(
  root: string,
  files: readonly string[],
  { file, note }: { readonly file: string; readonly note: Note },
): Manifest {
  const draft = `${file}.${randomUUID()}`
  const isStarted = attempt(() => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(draft, '')
  })
  // The file system's current time, taken before any file is read. A file changed at or after this time gets no note,
  // because it may change again while its time stays the same. With `0n`, the time is unknown, and no file read below
  // gets a note.
  const time = isStarted ? readStats(draft).mtimeNs : 0n
  // Collects entries in lists, because a file may be named `__proto__`, and assigning to this name adds no property to
  // an object.
  const hashes: (readonly [path: string, hash: string])[] = []
  const renewed: (readonly [path: string, note: Note[string]])[] = []
  for (const path of files) {
    const stats = readStats(join(root, path))
    const stamp = formatStamp(stats)
    const known = note[path]?.[0] === stamp ? note[path][1] : null
    const hash = known ?? hashBytes(readFileSync(join(root, path)))
    hashes.push([path, hash])
    if (known !== null || (stats.mtimeNs < time && stats.ctimeNs < time)) renewed.push([path, [stamp, hash]])
  }
  const isWritten = attempt(() => {
    writeFileSync(draft, JSON.stringify(Object.fromEntries(renewed)))
    renameSync(draft, file)
  })
  if (!isWritten) attempt(() => rmSync(draft, { force: true }))
  return Object.fromEntries(hashes)
}

/** Returns whether `work` succeeded. Errors are ignored: without notes, all files are read each time. */
function attempt(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

/** Returns an empty note if the file is missing or damaged. */
function readNote(file: string): Note {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Note
  } catch {
    return {}
  }
}

function readStats(file: string): BigIntStats {
  return statSync(file, { bigint: true })
}

function formatStamp({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join(' ')
}
