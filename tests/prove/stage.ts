/** Opens a stage: compiled code in several variants, and a temporary folder that nothing else uses. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stage } from './model.ts'
import { createPublicFolders } from './public-folders.ts'
import { compileVariants } from './variants.ts'

/** In memory where that can be had: waiting for the disk takes longer than everything else. */
const MEMORY = '/dev/shm'

export interface OpenStage extends Stage {
  close(): void
}

export async function openStage(progress: (text: string) => void): Promise<OpenStage> {
  const variants = await compileVariants(progress)
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'vitrina-prove-'))
  // The locks of output folders are made there too.
  const temporary = join(folder, 'temporary')
  mkdirSync(temporary)
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = temporary
  return {
    folder: join(folder, 'stage'),
    variants,
    publicFolders: createPublicFolders(join(folder, 'public')),
    close: () => {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
