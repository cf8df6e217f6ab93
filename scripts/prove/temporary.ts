/** A folder that nothing else uses, also for the locks of output folders. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** In memory where that can be had: waiting for the disk takes longer than everything else. */
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
