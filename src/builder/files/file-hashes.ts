/** Hashes files into manifests. "Up to date" means that the hash over a manifest is unchanged. */
import { hash, randomUUID } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, sep } from 'node:path'

/** SHA-256 of each file in hex, by the file's path relative to the root, with `/`. */
export type Manifest = Readonly<Record<string, string>>

export function hashBytes(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'hex')
}

/** Returns one hash over a manifest, independent of the order of its files. */
export function hashManifest(manifest: Manifest): string {
  const lines = Object.entries(manifest).map(([path, digest]) => `${digest} ${path}`)
  return hashBytes(lines.sort().join('\n'))
}

/** Returns the hash of every file at or under `path`; none if nothing exists there. `.` is the root. */
export function readManifest(root: string, path: string): Manifest {
  return hashFiles(root, listFiles(root, path))
}

export function hashFiles(root: string, files: readonly string[]): Manifest {
  return Object.fromEntries(files.map((file) => [file, hashBytes(readFileSync(join(root, file)))]))
}

/** Returns the path of every file at or under `path`; none if nothing exists there. `.` is the root. */
export function listFiles(root: string, path: string): readonly string[] {
  const stats = statSync(join(root, path), { throwIfNoEntry: false })
  if (stats === undefined) return []
  return stats.isDirectory() ? listFolder(root, path) : [path]
}

function listFolder(root: string, path: string): readonly string[] {
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const name = path === '.' ? entry.name : `${path}/${entry.name}`
    if (entry.isFile()) return [name]
    return entry.isDirectory() ? listFolder(root, name) : listFiles(root, name)
  })
}

/** Converts the separators of this system to `/`. */
export function formatPath(path: string): string {
  return path.replaceAll(sep, '/')
}

type Note = Readonly<Record<string, readonly [stamp: string, hash: string] | undefined>>

/**
 * Returns the hashes of `files` under `root`, and notes each in `file`, with the file's size, times and inode. A file is
 * read again only if one of these changed. Throws if one of `files` is missing.
 */
export function hashNoted(root: string, files: readonly string[], file: string): Manifest {
  const note = readNote(file)
  const isKnown = (path: string): boolean => note[path]?.[0] === formatStamp(readStats(join(root, path)))
  const changed = files.filter((path) => !isKnown(path))
  const found = changed.length === 0 ? note : { ...note, ...noteFiles(root, changed, file) }
  if (found !== note) writeNote(file, found)
  return Object.fromEntries(files.map((path) => [path, found[path]?.[1] ?? '']))
}

function noteFiles(root: string, files: readonly string[], file: string): Note {
  const now = readTime(file)
  const entries = files.map((path) => {
    const stats = readStats(join(root, path))
    // A file that has just changed may change again while its times stay the same, so its stamp is not noted.
    const isOld = stats.mtimeNs < now && stats.ctimeNs < now
    return [path, [isOld ? formatStamp(stats) : '', hashBytes(readFileSync(join(root, path)))]]
  })
  return Object.fromEntries(entries) as Note
}

/** Returns the file system's present time; 0 if no file can be written, so that nothing is noted. */
function readTime(file: string): bigint {
  const probe = `${file}.${randomUUID()}`
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(probe, '')
    const time = readStats(probe).mtimeNs
    rmSync(probe)
    return time
  } catch {
    return 0n
  }
}

// Without a note, all files are read each time.
function writeNote(file: string, note: Note): void {
  const partial = `${file}.${randomUUID()}`
  try {
    writeFileSync(partial, JSON.stringify(note))
    renameSync(partial, file)
  } catch {
    if (existsSync(partial)) rmSync(partial)
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
