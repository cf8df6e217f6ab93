/** The output folder. At any instant each file in it is complete, old or new. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { formatPath } from '../manifest.ts'

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
  /** Removes the remains of interrupted writes. */
  tidy(): void
}

/** Folder for files being written. Inside the output folder, since a rename is atomic only within one file system. */
export const PARTIAL = '.partial'

export function createOutput(folder: string): Output {
  const known = new Set<string>()
  let count = 0
  const makeFolder = (path: string): void => {
    if (known.has(path)) return
    mkdirSync(path, { recursive: true })
    known.add(path)
  }
  const place = (name: string, path: string): void => {
    const target = join(folder, path)
    makeFolder(dirname(target))
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
    remove: (path) => rmSync(join(folder, path), { force: true, recursive: true }),
    list: () => listFiles(folder),
    ignoresCase: () => {
      const probe = join(folder, PARTIAL, 'case')
      makeFolder(dirname(probe))
      writeFileSync(probe, '')
      return existsSync(join(folder, PARTIAL, 'CASE'))
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
