/**
 * Makes, lists and removes folders inside the output folder, and follows no link out of it. Each path is checked just
 * before it is used, because Node has no `openat`. One risk remains: another program may replace a folder with a link
 * between the check and the next system call.
 */
import type { Dirent } from 'node:fs'
import { lstatSync, mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { dirname } from 'node:path/posix'
import { makeFolder } from '../make-folder.ts'
import { hasCode } from './own-file.ts'

interface Cage {
  /**
   * Returns true if everything above `path` is a folder on the output folder's file system, not a link or a mount
   * point.
   */
  holds(path: string): boolean
  /** Makes the missing folders above these paths. Throws if a file, link or mount point is in the place of a folder. */
  makeFoldersOf(paths: readonly string[]): void
  /** Removes this folder if it is empty, then each parent that has become empty; never the root. */
  dropEmpty(path: string): void
  /** Returns the paths of everything that is not a folder. A mount point is listed, and not entered. */
  list(): readonly string[]
  /**
   * Forgets which file system the output folder is on, because the folder may be removed or replaced between two runs.
   */
  forget(): void
}

type Place = 'folder' | 'nothing' | 'other'

export function createCage(root: string): Cage {
  let device: number | undefined
  const look = (path: string): Place => {
    const found = lstatSync(join(root, path), { throwIfNoEntry: false })
    if (found === undefined) return 'nothing'
    device ??= statSync(root).dev
    return found.isDirectory() && found.dev === device ? 'folder' : 'other'
  }
  const holds = (path: string): boolean => listFoldersOf(path).every((folder) => look(folder) === 'folder')
  const makeInside = (path: string): void => {
    if (look(path) === 'folder') return
    makeOne(join(root, path))
    if (look(path) === 'folder') return
    throw new Error(
      `${join(root, path)} is a file, link or mount point where the output needs a folder, so nothing was written there. Run again with --verify.`,
    )
  }
  const makeFolders = (folder: string): void => {
    const [top = '', ...others] = listFoldersOf(`${folder}/.`)
    const place = look(top)
    if (place === 'nothing') makeFolder(root)
    if (place !== 'folder' && top !== '') makeInside(top)
    for (const other of others) makeInside(other)
  }
  const listFolder = (path: string): readonly string[] =>
    readEntries(join(root, path)).flatMap((entry) => {
      const name = path === '' ? entry.name : `${path}/${entry.name}`
      return entry.isDirectory() && look(name) === 'folder' ? listFolder(name) : [name]
    })
  const dropEmpty = (path: string): void => {
    if (path === '.' || !holds(path) || !removeIfEmpty(join(root, path))) return
    dropEmpty(dirname(path))
  }
  return {
    holds,
    dropEmpty,
    makeFoldersOf: (paths) => {
      for (const folder of new Set(paths.map((path) => dirname(path)))) makeFolders(folder)
    },
    list: () => listFolder(''),
    forget: () => void (device = undefined),
  }
}

/** Returns the folders above a path, from the top: `a/b/c` gives `a`, `a/b`. */
function listFoldersOf(path: string): readonly string[] {
  const names = path.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}

/** Returns the entries of a folder; none if there is no folder at this path. */
export function readEntries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (hasCode(error, ['ENOENT', 'ENOTDIR'])) return []
    throw error
  }
}

// Removes the folder with a single system call, so that no other process can add an entry between a check and the
// removal.
function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch (error) {
    if (!hasCode(error, ['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY'])) throw error
    return false
  }
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    if (!hasCode(error, ['EEXIST'])) throw error
  }
}
