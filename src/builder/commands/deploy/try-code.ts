/** Lane `objects`: tries code on the sellers of the state before it is published. */
import { join } from 'node:path'
import type { DataFacts } from '../../../domain/objects/data-facts.ts'
import type { Site } from '../../../domain/pages/site.ts'
import { openPictures } from '../../pictures/open-pictures.ts'
import { checkTrial, formatTrial, tryCatalogues } from '../../publish/objects/try-catalogues.ts'
import { PublishError } from '../../publish/publish-error.ts'
import { loadRenderer } from '../../renderer/load-renderer.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import { readPublicFile } from '../rebuild/open-world.ts'
import { PICTURES } from '../rebuild/state-files.ts'

export interface TriedCode {
  readonly site: Site
  readonly facts: DataFacts
  /** The state folder. */
  readonly state: string
  /** Folder of the compiled server. */
  readonly server: string
}

interface TrialOptions {
  /** Publish it, however many pages fail. */
  readonly isForced: boolean
  readonly progress: (text: string) => void
}

/** Returns lines for people. Throws an `UnpublishedError` if too many pages fail. */
export type TryCode = (snapshot: Snapshot, options: TrialOptions) => Promise<readonly string[]>

export function createTrial({ site, facts, state, server }: TriedCode): TryCode {
  return async (snapshot, { isForced, progress }) => {
    const warn = (message: string): never => {
      throw new PublishError(message)
    }
    const pictures = openPictures(
      { ...facts.pictures, brand: site.name, store: join(state, PICTURES) },
      { readPublicFile, now: Date.now, warn },
    )
    try {
      const data = { snapshot, pictures, publicFiles: new Set(facts.publicFiles), url: site.url }
      const trial = await tryCatalogues(data, await loadRenderer(server, site), progress)
      if (!isForced) checkTrial(trial)
      return formatTrial(trial)
    } finally {
      pictures.close()
    }
  }
}
