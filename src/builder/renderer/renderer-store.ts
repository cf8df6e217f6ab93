/** The compiled renderers on disk: one folder for each hash of the inputs of a compile, with a list of its files. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dropOldFolders } from '../files/drop-old-folders.ts'
import type { Manifest } from '../files/file-hashes.ts'
import { hashFiles, readManifest } from '../files/file-hashes.ts'
import { syncTree } from '../files/sync-files.ts'

/** A compiled renderer on disk. */
export interface KeptRenderer {
  /** Folder of the server entry. */
  readonly server: string
  /** Folder to which the paths of `assets` are relative. */
  readonly client: string
  /** The hashed files that pages refer to. */
  readonly assets: Manifest
  readonly inline: InlineHashes
}

/** Hashes of all inline styles and of all inline scripts that run, in the format of a content security policy. */
export interface InlineHashes {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

/** The file with `InlineHashes` that a compile writes next to `server/` and `client/`. */
export const INLINE_LIST = 'inline.json'

/** Begins the names of folders of running compiles. */
export const COMPILING = 'compiling-'

const KEPT = 3
const LIST = 'renderer.json'

interface RendererList {
  readonly server: Manifest
  readonly assets: Manifest
  readonly inline: InlineHashes
}

/** Returns `null` if the renderer is not stored, or if any of its files is missing or damaged. */
export function findRenderer(store: string, code: string): KeptRenderer | null {
  const [server, client] = [join(store, code, 'server'), join(store, code, 'client')]
  const list = readList(join(store, code))
  if (list === null || !hasFiles(server, list.server) || !hasFiles(client, list.assets)) return null
  return { server, client, assets: list.assets, inline: list.inline }
}

/** Returns the paths of the hashed files of all stored renderers. Pages that visitors still have open refer to them. */
export function listKeptAssets(store: string): ReadonlySet<string> {
  const names = existsSync(store) ? readdirSync(store).filter((name) => !name.startsWith(COMPILING)) : []
  return new Set(names.flatMap((name) => Object.keys(readList(join(store, name))?.assets ?? {})))
}

/**
 * Moves a compiled renderer into the store by one rename, so that an interrupted move leaves no partial copy. The
 * copies of public files are not listed, because they are not used.
 */
export function keepRenderer(store: string, code: string, compiled: string): void {
  const list: RendererList = {
    server: readManifest(join(compiled, 'server'), '.'),
    assets: readManifest(join(compiled, 'client'), '_astro'),
    inline: JSON.parse(readFileSync(join(compiled, INLINE_LIST), 'utf8')) as InlineHashes,
  }
  writeFileSync(join(compiled, LIST), JSON.stringify(list))
  syncTree(compiled)
  mkdirSync(store, { recursive: true })
  rmSync(join(store, code), { recursive: true, force: true })
  renameSync(compiled, join(store, code))
  dropOldRenderers(store, code)
}

function dropOldRenderers(store: string, present: string): void {
  const isLeftover = (name: string): boolean => name.startsWith(COMPILING)
  dropOldFolders(store, { present, kept: KEPT, isLeftAlone: isLeftover })
  // Removes the folders of interrupted compiles. Retries, because a compiler may still be writing.
  for (const name of readdirSync(store).filter(isLeftover))
    rmSync(join(store, name), { recursive: true, force: true, maxRetries: 3 })
}

function hasFiles(folder: string, files: Manifest): boolean {
  try {
    const found = hashFiles(folder, Object.keys(files))
    return Object.entries(files).every(([path, hash]) => found[path] === hash)
  } catch {
    // A file is missing or cannot be read.
    return false
  }
}

/** Returns `null` for a list that is missing or no JSON. */
function readList(folder: string): RendererList | null {
  try {
    return JSON.parse(readFileSync(join(folder, LIST), 'utf8')) as RendererList
  } catch {
    return null
  }
}
