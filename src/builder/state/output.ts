/**
 * The output folder, which is its own record: a file is written only if its bytes differ from what lies there. At any
 * instant each file is complete, old or new. Paths are relative to the folder, with `/`.
 */
import type { Dirent } from 'node:fs'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname as systemDirname, join } from 'node:path'
import { dirname } from 'node:path/posix'
import { hasBytes } from '../files/file-memory.ts'
import { hasCode } from '../files/has-code.ts'
import { syncFolder, syncPath } from '../files/sync-files.ts'

type Content = string | Uint8Array

interface OutputEntry {
  readonly path: string
  readonly isFolder: boolean
}

/** What a run that is explained would do with a file. */
export type DifferingFile = 'written' | 'removed'

export interface Output {
  /** Files that differ from a comparison; none for an output that writes. */
  readonly differing: ReadonlyMap<string, DifferingFile>
  /** Returns `null` if there is no such file. */
  read(path: string): Buffer | null
  has(path: string): boolean
  /** Returns the names directly in a folder; none if it does not exist. */
  list(folder: string): readonly OutputEntry[]
  /** Writes the file unless it has these bytes. Returns whether it was written. */
  write(path: string, content: Content): boolean
  /** Removes a file, or a folder with all that is in it. Returns how many files there were. */
  remove(path: string): number
  /** Writes the file and forces it to the disk, as `settle` does for all others. */
  writeForced(path: string, content: Content): void
  /** Forces all that was written and removed to the disk; with `isWhole`, also what threads and other runs wrote. */
  settle(isWhole: boolean): void
  /** Removes the partial files of interrupted writes. */
  tidy(): void
}

/** Folder of partial files, inside the output folder, because a rename is atomic only within one file system. */
export const PARTIAL = '.partial'

/** Max changed files that are forced one by one. With more, the whole file system is. */
const MOST_FORCED = 64

/** `thread` distinguishes the partial files of threads. `force` forces all files below a folder to the disk. */
export function createOutput(folder: string, { thread = 0, force = syncFolder } = {}): Output {
  const changed = new Set<string>()
  let count = 0
  const find = (path: string): string => join(folder, path)
  const note = (path: string): void => {
    if (changed.size <= MOST_FORCED) changed.add(path)
  }
  const replace = (path: string, content: Content, isForced: boolean): void => {
    const partial = `${PARTIAL}/${process.pid}-${thread}-${(count += 1)}`
    makePlaceFor(() => writeFileSync(find(partial), content), find(partial))
    if (isForced) syncPath(find(partial))
    makePlaceFor(() => renameSync(find(partial), find(path)), find(path))
  }
  // Looks first, because a thrown error takes ten times as long.
  const findSize = (path: string): number | null => {
    const stats = statSync(find(path), { throwIfNoEntry: false })
    return stats?.isFile() === true ? stats.size : null
  }
  const read = (path: string): Buffer | null => (findSize(path) === null ? null : readFileSync(find(path)))
  const list = (path: string): readonly OutputEntry[] =>
    readEntries(find(path)).map((entry) => ({
      path: path === '' ? entry.name : `${path}/${entry.name}`,
      isFolder: entry.isDirectory(),
    }))
  const isInPlace = (path: string, bytes: Uint8Array): boolean =>
    findSize(path) === bytes.byteLength && hasBytes(find(path), bytes)
  return {
    differing: new Map(),
    read,
    has: (path) => findSize(path) !== null,
    list,
    write: (path, content) => {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      if (isInPlace(path, bytes)) return false
      note(path)
      replace(path, bytes, false)
      return true
    },
    remove: (path) => {
      // A link that leads nowhere is a file, too.
      const stats = lstatSync(find(path), { throwIfNoEntry: false })
      if (stats === undefined) return 0
      const files = stats.isDirectory() ? listFilesBelow({ list }, path).length : 1
      note(path)
      rmSync(find(path), { recursive: true, force: true })
      removeEmpty(folder, dirname(path))
      return files
    },
    writeForced: (path, content) => {
      replace(path, content, true)
      syncPath(dirname(find(path)))
    },
    settle: (isWhole) => {
      if (isWhole || changed.size > MOST_FORCED) force(folder)
      else forceEach(folder, changed)
      changed.clear()
    },
    tidy: () => rmSync(find(PARTIAL), { recursive: true, force: true }),
  }
}

/** Creates an output that changes nothing: it notes which files would be written or removed. */
export function createComparison(output: Output): Output {
  const differing = new Map<string, DifferingFile>()
  return {
    ...output,
    differing,
    write: (path, content) => {
      if (output.read(path)?.equals(Buffer.from(content)) === true) return false
      differing.set(path, 'written')
      return true
    },
    remove: (path) => {
      const entries = output.list(path)
      const files = entries.length > 0 ? listFilesBelow(output, path) : output.has(path) ? [path] : []
      for (const file of files) differing.set(file, 'removed')
      return files.length
    },
    writeForced: () => {},
    settle: () => {},
    tidy: () => {},
  }
}

/** Lists all files in the folder, but for partial files. */
export function listFilesBelow(output: Pick<Output, 'list'>, folder: string): readonly string[] {
  return output
    .list(folder)
    .filter(({ path }) => path !== PARTIAL)
    .flatMap(({ path, isFolder }) => (isFolder ? listFilesBelow(output, path) : [path]))
}

/** Forces the files, then the folders above them: a loop over a set comes to what is added meanwhile, too. */
function forceEach(folder: string, changed: ReadonlySet<string>): void {
  const paths = new Set(changed)
  for (const path of paths) {
    syncPath(join(folder, path))
    paths.add(dirname(path))
  }
}

// Makes room only if the work fails, because the folder is nearly always there: what stands in its place, or in that of
// the file, is not part of the site any more.
function makePlaceFor(work: () => void, path: string): void {
  try {
    work()
  } catch (error) {
    // The error of a full disk names no file.
    if (error instanceof Error && !error.message.includes(path)) error.message += ` '${path}'`
    if (!hasCode(error, ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENOTEMPTY', 'EEXIST'])) throw error
    makeFolder(systemDirname(path))
    rmSync(path, { recursive: true, force: true })
    work()
  }
}

function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return
  makeFolder(systemDirname(folder))
  try {
    unlinkSync(folder)
  } catch (error) {
    // Nothing stands in its place, or another thread has made the folder meanwhile.
    if (!hasCode(error, ['ENOENT', 'EISDIR', 'EPERM'])) throw error
  }
  mkdirSync(folder, { recursive: true })
}

function removeEmpty(folder: string, path: string): void {
  if (path === '.') return
  try {
    rmdirSync(join(folder, path))
  } catch (error) {
    if (hasCode(error, ['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'])) return
    throw error
  }
  removeEmpty(folder, dirname(path))
}

function readEntries(folder: string): readonly Dirent[] {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder ? readdirSync(folder, { withFileTypes: true }) : []
}
