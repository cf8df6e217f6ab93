/** The list of a kept renderer's files: whether all of them are there as they were compiled. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashBytes, readManifest } from '../state/manifest.ts'

const LIST = 'files.json'

interface ListedFile {
  readonly path: string
  readonly size: number
  readonly hash: string
}

/** Lists all but the copies of public files, which nothing reads there. */
export function listRendererFiles(folder: string): void {
  const lists = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== LIST)
  const parts = [...lists, 'server', 'client/_astro']
  const manifest = Object.assign({}, ...parts.map((part) => readManifest(folder, part)))
  const files = Object.entries<string>(manifest).map(([path, hash]): ListedFile => {
    return { path, size: statSync(join(folder, path)).size, hash }
  })
  writeFileSync(join(folder, LIST), JSON.stringify(files))
}

/** By sizes only, since every run asks: a file that is missing or cut off. */
export function isRendererWhole(folder: string): boolean {
  const files = readList(folder)
  const isThere = ({ path, size }: ListedFile): boolean =>
    statSync(join(folder, path), { throwIfNoEntry: false })?.size === size
  return files !== null && files.every(isThere)
}

/** By bytes: for a renderer that is whole and yet cannot be loaded. */
export function isRendererDamaged(folder: string): boolean {
  const files = readList(folder)
  return (
    files === null || files.some(({ path, hash }) => hashBytes(readFileSync(join(folder, path))) !== hash)
  )
}

// A list that is missing or cut off tells nothing: then the renderer is taken for damaged.
function readList(folder: string): readonly ListedFile[] | null {
  try {
    return JSON.parse(readFileSync(join(folder, LIST), 'utf8')) as readonly ListedFile[]
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing || error instanceof SyntaxError) return null
    throw error
  }
}
