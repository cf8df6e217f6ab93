/** The embedded database that is there on first use, made from the sample that comes with the code. */
import { existsSync } from 'node:fs'
import { importFolder } from './interchange.ts'

/** Leaves an existing file alone. True when it made one. */
export async function ensureSample(path: string, folder: string): Promise<boolean> {
  if (existsSync(path)) return false
  await importFolder(folder, path, { origin: 'sample' })
  return true
}
