/** The output folder. At any instant each file in it is complete, old or new. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { formatPath } from '../manifest.ts'
import { syncPath } from '../sync-files.ts'

/** Paths are relative, with `/`. */
export interface Output {
  /** Returns `null` if the file does not exist. */
  read(path: string): Uint8Array | null
  write(path: string, bytes: Uint8Array | string): void
  /** Moves the complete file `name` from the folder of partial files to `path`. */
  place(name: string, path: string): void
  /** Does nothing if the file does not exist. */
  remove(path: string): void
  list(): readonly string[]
  /** Returns true if the file system treats `a` and `A` as the same file. */
  ignoresCase(): boolean
  /** Forces the changes since the last call to the disk, unless there are more than `MOST_SYNCED`. */
  sync(): SyncResult
  /** Removes the remains of interrupted writes. */
  tidy(): void
}

export interface SyncResult {
  /** Paths written or removed since the last call. */
  readonly touched: readonly string[]
  /** Whether they are known to be on disk. */
  readonly isSynced: boolean
}

/**
 * Max files that a run syncs, each before its rename: about 0.3 ms each on a solid-state disk. A larger run would spend
 * a good part of its time on it.
 */
export const MOST_SYNCED = 64

/** Folder for files being written. Inside the output folder, since a rename is atomic only within one file system. */
export const PARTIAL = '.partial'

export function createOutput(folder: string): Output {
  const known = new Set<string>()
  const touched = new Set<string>()
  let count = 0
  const makeFolder = (path: string): void => {
    if (known.has(path)) return
    mkdirSync(path, { recursive: true })
    known.add(path)
  }
  const place = (name: string, path: string): void => {
    const target = join(folder, path)
    makeFolder(dirname(target))
    touched.add(path)
    if (touched.size <= MOST_SYNCED) syncPath(join(folder, PARTIAL, name))
    moveFile(join(folder, PARTIAL, name), target)
  }
  return {
    read: (path) => readIfThere(join(folder, path)),
    write: (path, bytes) => {
      const name = `${process.pid}-${(count += 1)}`
      makeFolder(join(folder, PARTIAL))
      writeFileSync(join(folder, PARTIAL, name), bytes)
      place(name, path)
    },
    place,
    remove: (path) => {
      touched.add(path)
      rmSync(join(folder, path), { force: true, recursive: true })
    },
    list: () => listFiles(folder),
    ignoresCase: () => {
      const probe = join(folder, PARTIAL, 'case')
      makeFolder(dirname(probe))
      writeFileSync(probe, '')
      return existsSync(join(folder, PARTIAL, 'CASE'))
    },
    sync: () => {
      const paths = [...touched]
      const isSynced = paths.length <= MOST_SYNCED
      if (isSynced) for (const name of listFolders(paths)) syncPath(join(folder, name))
      touched.clear()
      return { touched: paths, isSynced }
    },
    tidy: () => {
      // The folder may be removed between two runs of one process.
      known.clear()
      rmSync(join(folder, PARTIAL), { recursive: true, force: true })
    },
  }
}

function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!hasCode(error, ['EISDIR', 'ENOTEMPTY', 'EEXIST'])) throw error
    rmSync(to, { recursive: true })
    renameSync(from, to)
  }
}

/** Returns the folders of files with all their parents: any of them may be new. */
function listFolders(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const path of paths) {
    for (let name = dirname(path); !folders.has(name); name = dirname(name)) folders.add(name)
  }
  return folders
}

function readIfThere(file: string): Uint8Array | null {
  try {
    return readFileSync(file)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => formatPath(join(entry.parentPath, entry.name).slice(folder.length + 1)))
      .filter((path) => !path.startsWith(`${PARTIAL}/`))
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return hasCode(error, ['ENOENT', 'ENOTDIR', 'EISDIR'])
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
