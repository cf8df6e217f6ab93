/** The contents of an output folder, for comparison. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readOutput } from '../rebuild/output.ts'

/** Returns each file's bytes by path, sorted; empty if the folder does not exist. */
export function readFiles(folder: string): Readonly<Record<string, string>> {
  if (!existsSync(folder)) return {}
  const files = [...readOutput(folder)].map(([name, { bytes }]): [string, string] => [name, bytes])
  return Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns stamps that change whenever a file is written, even with the same bytes within a millisecond. */
export function readFileStamps(folder: string): Readonly<Record<string, string>> {
  const stamp = (name: string): string => {
    const { ino, mtimeNs } = statSync(join(folder, name), { bigint: true })
    return `${ino} ${mtimeNs}`
  }
  return Object.fromEntries(Object.keys(readFiles(folder)).map((name) => [name, stamp(name)]))
}

/** Returns the pages of sellers that `work` writes or removes in an output folder, sorted. */
export async function listWrittenPages(folder: string, work: () => Promise<unknown>): Promise<string[]> {
  const before = readFileStamps(folder)
  await work()
  const after = readFileStamps(folder)
  const files = Object.keys({ ...before, ...after })
  return files.filter((file) => file.startsWith('catalogo/') && before[file] !== after[file]).sort()
}
