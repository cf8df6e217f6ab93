/** Reads a site on disk, and describes how two sites differ. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { formatPath } from '../../../src/builder/state/manifest.ts'
import { PARTIAL } from '../../../src/builder/state/output/output.ts'

/** The bytes of each file, by path. */
export type SiteFiles = ReadonlyMap<string, Buffer>

/** Reads all files of a site except those that are still being written. */
export function readSite(folder: string): SiteFiles {
  return new Map(listSite(folder).map((path) => [path, readFileSync(join(folder, path))]))
}

/** Returns a text that changes whenever a file is written, even with the same bytes. */
export function readStamps(folder: string): string {
  const stamps = listSite(folder).map((path) => {
    const { ino, size, mtimeNs } = statSync(join(folder, path), { bigint: true })
    return `${path} ${ino} ${size} ${mtimeNs}`
  })
  return stamps.join('\n')
}

/** Returns a line in words for each difference. */
export function compareSites(actual: SiteFiles, expected: SiteFiles): readonly string[] {
  const paths = [...new Set([...actual.keys(), ...expected.keys()])].sort()
  return paths.flatMap((path) => compareFile(path, actual.get(path), expected.get(path)))
}

/**
 * Returns the paths at which `actual` differs from every one of `sites`. A file that is missing both in `actual` and in
 * one of `sites` is no difference.
 */
export function findTorn(actual: SiteFiles, sites: readonly SiteFiles[]): readonly string[] {
  const paths = [...new Set([actual, ...sites].flatMap((site) => [...site.keys()]))].sort()
  return paths.filter((path) => !sites.some((site) => isSame(actual.get(path), site.get(path))))
}

function compareFile(path: string, actual: Buffer | undefined, expected: Buffer | undefined): string[] {
  if (actual === undefined) return [`${path} is missing`]
  if (expected === undefined) return [`${path} should not be there`]
  if (actual.equals(expected)) return []
  const at = [...actual].findIndex((byte, index) => byte !== expected[index])
  const from = Math.max(0, (at < 0 ? actual.length : at) - 30)
  const show = (bytes: Buffer): string => JSON.stringify(bytes.subarray(from, from + 90).toString())
  return [
    `${path} (${actual.length} bytes, expected ${expected.length}) has ${show(actual)} instead of ${show(expected)}`,
  ]
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b)
}

function listSite(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => formatPath(join(entry.parentPath, entry.name).slice(folder.length + 1)))
    .filter((path) => !path.startsWith(`${PARTIAL}/`))
    .sort()
}
