/**
 * The output folder. At any instant each file of the site in it is complete, old or new. The folder itself may be a
 * link. Links, mount points and special files inside it are never read, followed or emptied.
 */
import type { Stats } from 'node:fs'
import { existsSync, lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dirname } from 'node:path/posix'
import { encodePieces } from '../encode-pieces.ts'
import { findMountsBelow } from '../mounts.ts'
import { syncPath } from '../sync-files.ts'
import { UsageError } from '../usage-error.ts'
import type { SyncResult } from './changed-files.ts'
import { createChangedFiles } from './changed-files.ts'
import { createCage, readEntries } from './cage.ts'
import { hasCode, readOwnFile } from './own-file.ts'

type Content = Uint8Array | string | readonly (string | Uint8Array)[]

/** Paths are relative to the output folder, with `/`. */
export interface Output {
  /** Returns `null` if the file does not exist, or if a link or another special file is in its place. */
  read(path: string): Uint8Array | null
  /** `content` may be a text in pieces. */
  write(path: string, content: Content): void
  /** Moves complete files from the folder of partial files to their places, in this order. */
  place(files: readonly PartialFile[]): void
  /**
   * Removes the files, links or folders at these paths, then each parent that has become empty. If a path does not
   * exist, as after an interrupted call, its empty parent is still removed.
   */
  remove(paths: readonly string[]): void
  /** Lists everything except folders and partial files. Links and mount points are listed, and their content is not. */
  list(): readonly string[]
  /** Returns true if a regular file is at this path, not a link or another special file. */
  isFile(path: string): boolean
  /**
   * Returns false if there is a link at the top level of the folder. Throws a `UsageError` if something is mounted
   * inside the folder.
   */
  isSound(): boolean
  /** Returns true if the file system treats `a` and `A` as the same file. */
  ignoresCase(): boolean
  /** Forces all changes since the previous call to the disk, unless more than `MOST_SYNCED` paths changed. */
  sync(): SyncResult
  /** Removes the partial files of interrupted writes. */
  tidy(): void
}

export interface PartialFile {
  /** The file's name in the folder of partial files. */
  readonly name: string
  /** The path to which the file is moved. */
  readonly path: string
}

/** Folder of partial files, inside the output folder, because a rename is atomic only within one file system. */
export const PARTIAL = '.partial'

export function createOutput(folder: string, sync = syncPath): Output {
  const changed = createChangedFiles(folder, sync)
  const cage = createCage(folder)
  let count = 0
  const namePartial = (): string => `${process.pid}-${(count += 1)}`
  const findPartial = (name: string): string => join(folder, PARTIAL, name)
  const makePartial = (name: string): string => {
    cage.makeFoldersOf([`${PARTIAL}/${name}`])
    return findPartial(name)
  }
  const place = (files: readonly PartialFile[]): void => {
    cage.makeFoldersOf(files.map(({ path }) => path))
    for (const { name, path } of files) {
      changed.noteFile(path, findPartial(name))
      if (renameFile(findPartial(name), join(folder, path))) continue
      discard(path)
      renameSync(findPartial(name), join(folder, path))
    }
  }
  // Moves a folder to a new name before emptying it, so that no other process can replace it with a link meanwhile.
  const discard = (path: string): void => {
    refuseMounts(join(folder, path))
    const name = namePartial()
    renameSync(join(folder, path), makePartial(name))
    rmSync(findPartial(name), { recursive: true, force: true })
  }
  const removeOne = (path: string): void => {
    changed.noteRemoval(path)
    if (!cage.holds(path)) return
    if (look(join(folder, path))?.isDirectory() === true) discard(path)
    else rmSync(join(folder, path), { force: true })
  }
  return {
    read: (path) => (cage.holds(path) ? readOwnFile(join(folder, path)) : null),
    write: (path, content) => {
      const name = namePartial()
      writeWhole(makePartial(name), content)
      place([{ name, path }])
    },
    place,
    remove: (paths) => {
      paths.forEach(removeOne)
      for (const name of new Set(paths.map((path) => dirname(path)))) cage.dropEmpty(name)
    },
    list: () => cage.list().filter((path) => !path.startsWith(`${PARTIAL}/`)),
    isFile: (path) => look(join(folder, path))?.isFile() === true,
    isSound: () => {
      refuseMounts(folder)
      return !readEntries(folder).some((entry) => entry.isSymbolicLink())
    },
    ignoresCase: () => compareCase(folder) ?? compareNew(makePartial('case'), findPartial('CASE')),
    sync: changed.sync,
    tidy: () => {
      // Forgets the file system of the folder, because the folder may be replaced between two runs of one process.
      cage.forget()
      rmSync(join(folder, PARTIAL), { recursive: true, force: true })
    },
  }
}

/** Returns false if a folder is in the place of `target`. */
function renameFile(file: string, target: string): boolean {
  try {
    renameSync(file, target)
    return true
  } catch (error) {
    if (!hasCode(error, ['EISDIR', 'ENOTEMPTY', 'EEXIST'])) throw error
    return false
  }
}

function look(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

function writeWhole(file: string, content: Content): void {
  const text = typeof content === 'string' ? [content] : content
  const pieces = text instanceof Uint8Array ? [text] : encodePieces(text)
  let flag = 'w'
  for (const piece of pieces) {
    writeFileSync(file, piece, { flag })
    flag = 'a'
  }
}

function refuseMounts(folder: string): void {
  const [point] = findMountsBelow(folder)
  if (point !== undefined)
    throw new UsageError(
      `${point} is a mount point inside the output folder, and the files on it would be removed. Unmount it, or name another folder with --out.`,
    )
}

function compareNew(file: string, other: string): boolean {
  writeFileSync(file, '')
  return existsSync(other)
}

/** Returns `null` if the names in the folder do not show whether it ignores case. */
function compareCase(folder: string): boolean | null {
  const names = readEntries(folder).map(({ name }) => name)
  const name = names.find((one) => swapCase(one) !== one && !names.includes(swapCase(one)))
  return name === undefined ? null : existsSync(join(folder, swapCase(name)))
}

function swapCase(name: string): string {
  return name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase()
}
