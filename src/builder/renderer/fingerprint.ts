/** What pages are made from besides their data: code and runtime, identified by hashing what goes in, never by time. */
import type { Manifest } from '../state/manifest.ts'
import { readManifest, hashBytes, hashManifest } from '../state/manifest.ts'

// What a compile reads. Rooms that no page reaches are left out: they decide which pages are rendered, not how.
const CODE = [
  'src/site',
  'src/domain',
  'src/builder/renderer',
  'astro.config.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

export function readCodeManifest(root: string): Manifest {
  return Object.assign({}, ...CODE.map((path) => readManifest(root, path)))
}

/** What turns documents into the snapshot's entries; Node itself too, for how it reads addresses and text. */
export function hashDoor(root: string): string {
  const rooms = ['src/domain', 'src/builder/sources', 'src/builder/state/snapshot']
  const manifest = Object.assign(
    {},
    ...rooms.map((room) => readManifest(root, room, ['src/builder/sources/sample'])),
  )
  return hashBytes(`${hashManifest(manifest)} ${readRuntime()}`)
}

/** Collation, number formats and JavaScript itself come from here. */
export function readRuntime(): string {
  return `node ${process.versions.node}, icu ${process.versions.icu}`
}
