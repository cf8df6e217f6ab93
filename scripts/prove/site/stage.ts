/** Opens a stage: several compiled variants of the code, and a temporary folder that nothing else uses. */
import { join } from 'node:path'
import type { Stage } from '../equivalence/model.ts'
import { createPublicFolders } from './public-folders.ts'
import { startStoryPhotoHost } from './story-photo-host.ts'
import { openTemporary } from '../temporary.ts'
import { compileVariants } from './variants.ts'

export interface OpenStage extends Stage {
  close(): void
}

export interface StageOptions {
  /** The number of variants to compile. */
  readonly count?: number
  readonly progress: (text: string) => void
}

export async function openStage({ count = Infinity, progress }: StageOptions): Promise<OpenStage> {
  const variants = await compileVariants(progress, count)
  const photoHost = await startStoryPhotoHost()
  const { folder, remove } = openTemporary()
  return {
    folder: join(folder, 'stage'),
    variants,
    publicFolders: await createPublicFolders(join(folder, 'public')),
    photoHost,
    close: () => {
      photoHost.close()
      remove()
    },
  }
}
