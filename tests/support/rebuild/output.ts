/** Reads a folder that a rebuild wrote. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

export interface OutputFile {
  readonly bytes: string
  /** Time of the last write, in milliseconds. */
  readonly time: number
}

/** Returns each file by its relative path. */
export function readOutput(folder: string): ReadonlyMap<string, OutputFile> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return new Map(
    files.map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const bytes = readFileSync(file, 'latin1')
      return [relative(folder, file), { bytes, time: statSync(file).mtimeMs }]
    }),
  )
}
