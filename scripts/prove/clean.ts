/** Clean builds: in a folder of their own, from nothing. */
import type { StorySetup } from './run-request.ts'
import { join } from 'node:path'
import type { Documents } from './documents.ts'
import type { Model, Stage } from './model.ts'
import { copyPart, createPlace, emptyFolder } from './place.ts'
import type { RunResult } from './run-in-process.ts'
import { runInProcess } from './run-in-process.ts'
import type { SiteFiles } from './site-files.ts'
import { readSite } from './site-files.ts'
import { createSource } from './write-source.ts'

export interface CleanBuild {
  readonly files: SiteFiles
  readonly result: RunResult
}

export interface CleanBuilder {
  /** Of these documents, which need not be those that the model's source has now. */
  build(model: Model, documents: Documents): Promise<CleanBuild>
}

/** The last one without pictures is kept, since many a step changes nothing. */
export function createCleanBuilder(stage: Stage): CleanBuilder {
  let last: { documents: Documents; make: StorySetup; build: CleanBuild } | null = null
  return {
    build: async (model, documents) => {
      const { make } = model
      if (make.photos === 'files') return buildClean(model, documents, stage)
      if (last?.documents === documents && last.make === make) return last.build
      last = { documents, make, build: await buildClean(model, documents, stage) }
      return last.build
    },
  }
}

async function buildClean(
  { kind, make, place: real, written }: Model,
  documents: Documents,
  stage: Stage,
): Promise<CleanBuild> {
  const own = createPlace(emptyFolder(join(stage.folder, 'clean')), kind)
  if (documents !== written) await createSource(own.source, kind, documents)
  // A store that is not the same may know other pictures. Source: DESIGN.md, invariant 1.
  copyPart(real, own, 'pictures')
  const place = { ...own, source: documents === written ? real.source : own.source }
  const result = await runInProcess({ place, make, args: ['--allow-shrink'], threads: 0 })
  return { files: readSite(place.output), result }
}
