/** Lists the files of a stored renderer, so that missing and damaged files are detected. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashBytes, readManifest } from '../state/manifest.ts'
import { hasCode } from '../state/output/own-file.ts'

const LIST = 'files.json'

interface ListedFile {
  readonly path: string
  readonly size: number
  readonly hash: string
}

/** Writes the list of the folder's files. Leaves out the copies of public files, which are not used. */
export function listRendererFiles(folder: string): void {
  const lists = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== LIST)
  const parts = [...lists, 'server', 'client/_astro']
  const manifest = Object.assign({}, ...parts.map((part) => readManifest(folder, part)))
  const files = Object.entries<string>(manifest).map(([path, hash]): ListedFile => {
    return { path, size: statSync(join(folder, path)).size, hash }
  })
  writeFileSync(join(folder, LIST), JSON.stringify(files))
}

/**
 * Returns false if a file is missing or has another size. Compares hashes only for the few JSON lists, because every
 * run calls this function.
 */
export function isRendererWhole(folder: string): boolean {
  const files = readList(folder)
  const isSame = (file: ListedFile): boolean => file.path.includes('/') || isUnchanged(folder, file)
  return files !== null && files.every((file) => isThere(folder, file)) && files.every(isSame)
}

/** Compares the hashes of all files, so that it also detects a changed file of the same size. */
export function isRendererDamaged(folder: string): boolean {
  const files = readList(folder)
  return files === null || !files.every((file) => isThere(folder, file) && isUnchanged(folder, file))
}

function isThere(folder: string, { path, size }: ListedFile): boolean {
  return statSync(join(folder, path), { throwIfNoEntry: false })?.size === size
}

function isUnchanged(folder: string, { path, hash }: ListedFile): boolean {
  return hashBytes(readFileSync(join(folder, path))) === hash
}

// Returns `null` for a missing or damaged list. The renderer is then treated as damaged.
function readList(folder: string): readonly ListedFile[] | null {
  try {
    const list: unknown = JSON.parse(readFileSync(join(folder, LIST), 'utf8'))
    return Array.isArray(list) ? (list as readonly ListedFile[]) : null
  } catch (error) {
    if (hasCode(error, ['ENOENT']) || error instanceof SyntaxError) return null
    throw error
  }
}
