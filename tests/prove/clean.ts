/** Clean builds: in a folder of their own, from nothing. */
import { join } from 'node:path'
import type { Documents } from './documents.ts'
import type { Model, Stage } from './model.ts'
import { createPlace, emptyFolder } from './place.ts'
import type { Make, RunResult } from './run-in-process.ts'
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

/** The last one is kept, since many a step changes nothing. */
export function createCleanBuilder(stage: Stage): CleanBuilder {
  let last: { documents: Documents; make: Make; build: CleanBuild } | null = null
  return {
    build: async (model, documents) => {
      if (last?.documents === documents && last.make === model.make) return last.build
      last = { documents, make: model.make, build: await buildClean(model, documents, stage) }
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
  const place = { ...own, source: documents === written ? real.source : own.source }
  const result = await runInProcess({ place, make, args: ['--allow-shrink'], threads: 0 })
  return { files: readSite(place.output), result }
}
