/**
 * Opens a temporary folder that nothing else uses. A folder in it becomes `TMPDIR`, where locks of output folders are.
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
