/** Reads the files of an output folder, for comparison. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Returns each file's bytes by path, sorted; empty if the folder does not exist. */
export function readFiles(folder: string): Readonly<Record<string, string>> {
  return mapFiles(folder, (file) => readFileSync(file, 'latin1'))
}

/** Returns stamps that change whenever a file is written, even with the same bytes within a millisecond. */
export function readFileStamps(folder: string): Readonly<Record<string, string>> {
  return mapFiles(folder, (file) => {
    const { ino, mtimeNs } = statSync(file, { bigint: true })
    return `${ino} ${mtimeNs}`
  })
}

function mapFiles(folder: string, read: (file: string) => string): Readonly<Record<string, string>> {
  const names = existsSync(folder) ? listFiles(folder).toSorted() : []
  return Object.fromEntries(names.map((name) => [name, read(join(folder, name))]))
}

// Not Node's own recursion, which takes twice as long.
function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return entry.isFile() ? [entry.name] : []
    return listFiles(join(folder, entry.name)).map((name) => `${entry.name}/${name}`)
  })
}
