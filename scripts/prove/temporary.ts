/** Opens a temporary folder that nothing else uses; it also becomes `TMPDIR`, where locks of output folders are. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system in memory, if there is one: the proofs would mostly wait for the disk. */
const MEMORY = '/dev/shm'

export interface TemporaryFolder {
  readonly folder: string
  remove(): void
}

export function openTemporary(): TemporaryFolder {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'vitrina-prove-'))
  const temporary = join(folder, 'temporary')
  mkdirSync(temporary)
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = temporary
  return {
    folder,
    remove: () => {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
