/** What a story says is true: the documents, the code and the settings that the next run finds. */
import { join } from 'node:path'
import { readRuntime } from '../../src/builder/renderer/fingerprint.ts'
import { createDocuments } from './change-documents.ts'
import type { Documents, SourceKind } from './documents.ts'
import type { PhotoMode } from './proof-photos.ts'
import type { Place } from './place.ts'
import { copyPart, createPlace } from './place.ts'
import type { StorySetup, PublicFolder } from './run-request.ts'
import type { Part, Sequence } from './sequence.ts'
import type { Variant } from './variants.ts'

/** What is made once for all stories. */
export interface Stage {
  /** Everything happens in here. */
  readonly folder: string
  readonly variants: readonly Variant[]
  readonly publicFolders: readonly PublicFolder[]
  /** How stories begin; with `off` they stay so. */
  readonly photos: PhotoMode
}

/** A copy of everything after a run. */
export interface Backup {
  readonly place: Place
  readonly documents: Documents
  readonly known: Known
}

/** What the snapshot has: `null` when it is lost, `unsure` when it may be. */
export type Known = Documents | null | 'unsure'

export interface Model {
  readonly kind: SourceKind
  readonly place: Place
  /** As the story has them; `written` are those that the source has so far. */
  documents: Documents
  written: Documents
  known: Known
  make: StorySetup
  /** Files were damaged: only a run that verifies can see that. */
  isDamaged: boolean
  isSourceBroken: boolean
  readonly backups: Backup[]
}

export const PARTS: readonly Part[] = ['dist', 'snapshot', 'record', 'pictures', 'source']

export function createModel(sequence: Sequence, stage: Stage): Model {
  const documents = createDocuments(sequence)
  const [variant, publicFolder] = [stage.variants[0], stage.publicFolders[0]]
  if (variant === undefined || publicFolder === undefined) throw new Error('a stage needs code to begin with')
  return {
    kind: sequence.source,
    place: createPlace(join(stage.folder, 'site'), sequence.source),
    documents,
    written: documents,
    known: null,
    make: { variant, publicFolder, siteName: 'Vitrina', runtime: readRuntime(), photos: stage.photos },
    isDamaged: false,
    isSourceBroken: false,
    backups: [],
  }
}

export function keepBackup({ kind, place, documents, known, backups }: Model, stage: Stage): void {
  const copy = createPlace(join(stage.folder, 'backups', String(backups.length)), kind)
  for (const part of PARTS) copyPart(place, copy, part)
  backups.push({ place: copy, documents, known })
}
