/** Lane `objects`: renders sellers of the state with new code before that code is published. */
import { checkTrial, formatTrial, tryCatalogues } from '../../publish/objects/try-catalogues.ts'
import { loadRenderer } from '../../renderer/load-renderer.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import type { PictureState } from './open-state-pictures.ts'
import { openStatePictures } from './open-state-pictures.ts'

export interface TriedCode extends PictureState {
  /** Folder of the compiled server. */
  readonly server: string
}

interface TrialOptions {
  /** Whether to publish the code however many pages fail. */
  readonly isForced: boolean
  readonly progress: (text: string) => void
}

/** Returns lines for people. Throws an `UnpublishedError` if too many pages fail. */
export type TryCode = (snapshot: Snapshot, options: TrialOptions) => Promise<readonly string[]>

export function createTrial({ server, ...options }: TriedCode): TryCode {
  const { site, facts } = options
  return async (snapshot, { isForced, progress }) => {
    const pictures = openStatePictures(options)
    try {
      const data = { snapshot, pictures, publicFiles: new Set(facts.publicFiles), site }
      const trial = await tryCatalogues(data, await loadRenderer(server, site), progress)
      if (!isForced) checkTrial(trial)
      return formatTrial(trial)
    } finally {
      pictures.close()
    }
  }
}
