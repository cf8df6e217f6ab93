/**
 * Compares files of the output folder with the record: all files, given files, or files that a power cut may have
 * damaged.
 */
import { dirname } from 'node:path/posix'
import { listPlaces } from '../../../domain/documents/page-address.ts'
import { PHOTO_FOLDER, SOCIAL_FOLDER } from '../../../domain/photos/picture.ts'
import { foldCase } from './check-case.ts'
import { HEADERS } from '../static/edge-headers.ts'
import { SERVICE_WORKER } from '../static/service-worker.ts'
import { HASHED } from '../static/static-files.ts'
import type { Manifest } from '../../state/manifest.ts'
import { hashBytes } from '../../state/manifest.ts'
import { IDENTITY_FILE } from '../../state/output/output-identity.ts'
import type { Output } from '../../state/output/output.ts'
import type { FileRow, SiteRecord } from '../../state/record/record.ts'
import type { RebuildState } from '../world.ts'
import type { ReferenceCheck } from './check-references.ts'
import type { FileReader } from './file-reader.ts'
import { visitBatches } from './file-reader.ts'

export interface CheckResult {
  /** Number of files compared. */
  readonly files: number
  /**
   * Recorded files that are missing or have other bytes. The caller marks them unsure, so that the run writes them
   * again.
   */
  readonly damaged: readonly string[]
  /**
   * Files that are not in the record, but in places that belong to the site; also links and special files in all
   * places. The run removes them after it has written its pages.
   */
  readonly unlisted: readonly string[]
  /**
   * Regular files that are not in the record and in other places, such as those of a repository. They are neither
   * removed nor published.
   */
  readonly foreign: readonly string[]
  /**
   * Files that must be removed before anything is written: unlisted files or links at the path of a folder, because
   * writes into this folder would fail or go outside of the site, and files whose name differs from the recorded one in
   * case only.
   */
  readonly blocking: readonly string[]
}

type CheckedState = Pick<RebuildState, 'output' | 'record'>

interface CheckTools {
  readonly reader: FileReader
  readonly references: ReferenceCheck | null
  readonly publicFiles: Manifest
}

// Files and folders at the top of the output folder that belong to the site. The list is needed only if the record,
// which otherwise lists every written file, is lost.
const SITE_PLACES = [
  ...listPlaces(),
  'robots.txt',
  '.assetsignore',
  '_redirects',
  HASHED,
  HEADERS,
  PHOTO_FOLDER,
  SERVICE_WORKER,
  SOCIAL_FOLDER,
]

/** Returns the first part of the path: a folder or file at the top of the output folder. */
function readPlace(path: string): string {
  return path.split('/', 1)[0] ?? path
}

/** Compares every recorded file with its bytes on disk. Adds the references of undamaged files to `references`. */
export async function findDifferences(
  { output, record }: CheckedState,
  { reader, references, publicFiles }: CheckTools,
): Promise<CheckResult> {
  const found = output.list()
  const all = new Set(found)
  const known = new Set([IDENTITY_FILE])
  const blocking = new Set<string>()
  const damaged: string[] = []
  await visitBatches(record.readFiles(), reader.width, async (rows) => {
    for (const { path } of rows) known.add(path)
    const blocks = rows.map(({ path }) => findBlock(path, all))
    for (const block of blocks) if (block !== null) blocking.add(block)
    const checked = await reader.check(rows, references !== null)
    references?.add(rows, checked)
    const isDamaged = (_: FileRow, index: number): boolean =>
      blocks[index] !== null || checked[index] === null
    damaged.push(...rows.filter(isDamaged).map(({ path }) => path))
  })
  const files = known.size - 1
  const places = new Set([...SITE_PLACES, ...Object.keys(publicFiles), ...known].map(readPlace))
  const isForeign = (path: string): boolean => !places.has(readPlace(path)) && output.isFile(path)
  const strange = found.filter((path) => !known.has(path) && !blocking.has(path))
  const unlisted = strange.filter((path) => !isForeign(path))
  const names = unlisted.length > 0 && output.ignoresCase() ? findOldNames(unlisted, known) : new Map()
  return {
    files,
    damaged: [...new Set([...damaged.sort(), ...names.values()])],
    unlisted: unlisted.filter((path) => !names.has(path)),
    foreign: strange.filter(isForeign),
    blocking: [...blocking, ...names.keys()],
  }
}

// Maps the path of each unlisted file to the recorded path that differs from it in case only. On a file system that
// ignores case, both paths name the same file.
function findOldNames(unlisted: readonly string[], known: ReadonlySet<string>): Map<string, string> {
  const rows = new Map([...known].map((path) => [foldCase(path), path]))
  return new Map(
    unlisted.flatMap((path) => {
      const row = rows.get(foldCase(path))
      return row === undefined ? [] : [[path, row]]
    }),
  )
}

/** Compares only the files that the record lists as not synced, because a power cut may have damaged these. */
export function findLost(output: Output, record: SiteRecord): CheckResult {
  const damaged: string[] = []
  const unlisted: string[] = []
  let files = 0
  for (const path of record.readUnsynced()) {
    // Skips the marker, which has no row. If the marker is lost, the folder is not trusted, and every file is compared
    // anyway.
    if (path === IDENTITY_FILE) continue
    files += 1
    const row = record.findFile(path)
    if (row === null) unlisted.push(path)
    else if (!isIntact(output, row)) damaged.push(path)
  }
  const present = unlisted.filter((path) => output.read(path) !== null)
  return { files, damaged, unlisted: present, foreign: [], blocking: [] }
}

/** Marks the given files unsure if their bytes differ from the record, so that the run writes them again. */
export function markDamaged(paths: readonly string[], { output, record }: CheckedState): void {
  const damaged = paths.filter((path) => {
    const digest = record.findDigest(path)
    return digest !== null && !isIntact(output, { path, digest })
  })
  if (damaged.length > 0) record.markUnsurePaths(damaged)
}

function findBlock(path: string, found: ReadonlySet<string>): string | null {
  const folder = dirname(path)
  if (folder === '.') return null
  return found.has(folder) ? folder : findBlock(folder, found)
}

/** Returns whether the file has the bytes in the record. */
export function isIntact(output: Output, { path, digest }: Pick<FileRow, 'path' | 'digest'>): boolean {
  const bytes = output.read(path)
  return bytes !== null && hashBytes(bytes) === digest
}
