/** Makes clean builds: rebuilds into an empty folder. */
import type { StoryInputs } from '../site/run-request.ts'
import { join } from 'node:path'
import type { Documents } from '../site/documents.ts'
import type { Stage } from '../site/stage.ts'
import type { Model } from './model.ts'
import { copyPart, createPlace, emptyFolder } from '../site/place.ts'
import type { RunResult } from '../site/run-in-process.ts'
import { runInProcess } from '../site/run-in-process.ts'
import type { SiteFiles } from '../site/site-files.ts'
import { readSite } from '../site/site-files.ts'
import { createSource } from '../site/write-source.ts'

interface CleanBuild {
  readonly files: SiteFiles
  readonly result: RunResult
}

export interface CleanBuilder {
  /** Builds these documents, which may differ from those in the model's source. */
  build(model: Model, documents: Documents): Promise<CleanBuild>
}

/**
 * Creates a builder that reuses its last build if documents and inputs are the same, as is often the case. A build with
 * pictures is not reused, because the picture store may have changed.
 */
export function createCleanBuilder(stage: Stage): CleanBuilder {
  let last: { documents: Documents; inputs: StoryInputs; build: CleanBuild } | null = null
  return {
    build: async (model, documents) => {
      const { inputs } = model
      if (inputs.settings.PHOTOS === 'files') return buildClean(model, documents, stage)
      if (last?.documents === documents && last.inputs === inputs) return last.build
      last = { documents, inputs, build: await buildClean(model, documents, stage) }
      return last.build
    },
  }
}

async function buildClean(
  { kind, inputs, place: real, written }: Model,
  documents: Documents,
  stage: Stage,
): Promise<CleanBuild> {
  const own = createPlace(emptyFolder(join(stage.folder, 'clean')), kind)
  if (documents !== written) await createSource(own.source, kind, documents)
  // Uses the site's picture store, since another store may have other pictures.
  copyPart(real, own, 'pictures')
  const place = { ...own, source: documents === written ? real.source : own.source }
  const result = await runInProcess({ place, inputs, args: ['--allow-shrink'], threads: 0 })
  return { files: readSite(place.output), result }
}
