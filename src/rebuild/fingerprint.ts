/** What pages are made from besides their data: code and runtime, identified by hashing what goes in, never by time. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/** SHA-256 in hex of each file, by its path with `/` from the root. */
export type Manifest = Readonly<Record<string, string>>

// What a compile reads. Rooms that no page reaches are left out: they decide which pages are rendered, not how.
const CODE = ['src', 'astro.config.mjs', 'package.json', 'package-lock.json', 'tsconfig.json']
const UNREACHED = ['src/sources', 'src/snapshot', 'src/sqlite', 'src/rebuild', 'src/photos', 'src/webhook']

export function hashBytes(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export function readCodeManifest(root: string): Manifest {
  return Object.assign({}, ...CODE.map((path) => readManifest(root, path, UNREACHED)))
}

/** What turns documents into the snapshot's entries; Node itself too, for how it reads addresses and text. */
export function hashDoor(root: string): string {
  const rooms = ['src/domain', 'src/sources', 'src/snapshot']
  const manifest = Object.assign({}, ...rooms.map((room) => readManifest(root, room, ['src/sources/sample'])))
  return hashBytes(`${hashManifest(manifest)} ${readRuntime()}`)
}

/** One hash over a manifest: the order in which files were found does not count. */
export function hashManifest(manifest: Manifest): string {
  const lines = Object.entries(manifest).map(([path, hash]) => `${hash} ${path}`)
  return hashBytes(lines.sort().join('\n'))
}

/** Collation, number formats and JavaScript itself come from here. */
export function readRuntime(): string {
  return `node ${process.versions.node}, icu ${process.versions.icu}`
}

/** The hash of every file at or under a path, which need not exist. `.` is the root itself. */
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

/** A path of this machine as addresses and records write it. */
export function formatPath(path: string): string {
  return path.replaceAll(sep, '/')
}
