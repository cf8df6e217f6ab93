/** Files and their hashes: "up to date" is equality of one hash over a manifest, never time. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/** SHA-256 in hex of each file, by its path with `/` from the root. */
export type Manifest = Readonly<Record<string, string>>

export function hashBytes(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Returns one hash over a manifest, independent of the order of its files. */
export function hashManifest(manifest: Manifest): string {
  const lines = Object.entries(manifest).map(([path, hash]) => `${hash} ${path}`)
  return hashBytes(lines.sort().join('\n'))
}

/** Returns the hash of every file at or under `path`, which need not exist. `.` is the root. */
export function readManifest(root: string, path: string, without: readonly string[] = []): Manifest {
  const files = listFiles(root, path, without)
  return Object.fromEntries(files.map((file) => [file, hashBytes(readFileSync(join(root, file)))]))
}

function listFiles(root: string, path: string, without: readonly string[]): readonly string[] {
  if (without.includes(path)) return []
  const entries = readFolder(join(root, path))
  if (entries === 'missing') return []
  if (entries === 'file') return [path]
  return entries.flatMap((name) => listFiles(root, path === '.' ? name : `${path}/${name}`, without))
}

function readFolder(path: string): readonly string[] | 'file' | 'missing' {
  try {
    return readdirSync(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOTDIR') return 'file'
    if (code === 'ENOENT') return 'missing'
    throw error
  }
}

/** Converts the separators of this system to `/`. */
export function formatPath(path: string): string {
  return path.replaceAll(sep, '/')
}
