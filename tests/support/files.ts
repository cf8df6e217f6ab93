/** What stands in an output folder, to be compared with what stood there before or what should. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readOutput } from './output.ts'

/** Each file's bytes by its path, in order; nothing where there is no folder. */
export function readFiles(folder: string): Readonly<Record<string, string>> {
  if (!existsSync(folder)) return {}
  const files = [...readOutput(folder)].map(([name, { bytes }]): [string, string] => [name, bytes])
  return Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Differs for a file that was written meanwhile, even with the same bytes within a millisecond. */
export function readStamps(folder: string): Readonly<Record<string, string>> {
  const stamp = (name: string): string => {
    const { ino, mtimeNs } = statSync(join(folder, name), { bigint: true })
    return `${ino} ${mtimeNs}`
  }
  return Object.fromEntries(Object.keys(readFiles(folder)).map((name) => [name, stamp(name)]))
}
