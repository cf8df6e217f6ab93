/** Opens a stage: compiled code in several variants, and a temporary folder that nothing else uses. */
import { join } from 'node:path'
import type { Stage } from './model.ts'
import { createPublicFolders } from './public-folders.ts'
import { openTemporary } from './temporary.ts'
import { compileVariants } from './variants.ts'

export interface OpenStage extends Stage {
  close(): void
}

/** `count`: of the variants that are compiled. */
export async function openStage(progress: (text: string) => void, count = Infinity): Promise<OpenStage> {
  const variants = await compileVariants(progress, count)
  const { folder, remove } = openTemporary()
  return {
    folder: join(folder, 'stage'),
    variants,
    publicFolders: createPublicFolders(join(folder, 'public')),
    close: remove,
  }
}
