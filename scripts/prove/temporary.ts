/**
 * Opens a new temporary folder. Until `remove` is called, `TMPDIR` is a subfolder of it, so that temporary files of the
 * code under test are removed with it.
 */
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openScratchFolder, removeScratchFolder } from '../measure/scratch-folder.ts'

export interface TemporaryFolder {
  readonly folder: string
  remove(): void
}

export function openTemporary(): TemporaryFolder {
  const scratch = openScratchFolder('prove')
  const folder = mkdtempSync(join(scratch, 'run-'))
  const temporary = join(folder, 'temporary')
  mkdirSync(temporary)
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = temporary
  return {
    folder,
    remove: () => {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
      removeScratchFolder(folder)
      if (readdirSync(scratch).length === 0) removeScratchFolder(scratch)
    },
  }
}
