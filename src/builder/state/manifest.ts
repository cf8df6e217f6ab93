/**
 * Hashes files into manifests. "Up to date" means that the hash over a manifest is unchanged; it never depends on
 * times.
 */
import { hash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'

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
