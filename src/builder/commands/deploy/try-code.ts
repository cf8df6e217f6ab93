/**
 * Lane `objects`: renders sellers of the state with new code before that code is published, and compares the data
 * format of that code with the format of the published Worker.
 */
import { createCoordinatorClient } from '../../publish/coordinator/coordinator-client.ts'
import type { CoordinatorOptions } from '../../publish/coordinator/coordinator-client.ts'
import { describeNewFormat } from '../../publish/objects/await-code.ts'
import { createObjectClient } from '../../publish/objects/object-client.ts'
import { checkTrial, formatTrial, tryCatalogues } from '../../publish/objects/try-catalogues.ts'
import { loadRenderer } from '../../renderer/load-renderer.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import type { PictureState } from './open-state-pictures.ts'
import { openStatePictures } from './open-state-pictures.ts'

interface TriedCode extends PictureState {
  /** Folder of the compiled server. */
  readonly server: string
  readonly coordinator: CoordinatorOptions
}

interface TrialOptions {
  /** True to publish the code even if many pages fail. */
  readonly isForced: boolean
  readonly progress: (text: string) => void
}

/** Max time of the call that reads the published Worker's format, in milliseconds. */
const PATIENCE = 5_000

/** Returns lines to print. Unless `isForced`, throws a `DeliverableError` if too many pages fail. */
export type TryCode = (snapshot: Snapshot, options: TrialOptions) => Promise<readonly string[]>

export function createTrial({ server, coordinator, ...options }: TriedCode): TryCode {
  const { site, facts } = options
  return async (snapshot, { isForced, progress }) => {
    const pictures = openStatePictures(options)
    try {
      const data = { snapshot, pictures, publicFiles: new Set(facts.publicFiles), site }
      const trial = await tryCatalogues(data, await loadRenderer(server, site), progress)
      if (!isForced) checkTrial(trial)
      return [...formatTrial(trial), ...(await compareFormats(coordinator))]
    } finally {
      pictures.close()
    }
  }
}

// Makes no call if no secret is set, because a preview needs no secret.
async function compareFormats(coordinator: CoordinatorOptions): Promise<readonly string[]> {
  if (coordinator.secrets.length === 0) return []
  return describeNewFormat(createObjectClient(createCoordinatorClient(coordinator, { patience: PATIENCE })))
}
