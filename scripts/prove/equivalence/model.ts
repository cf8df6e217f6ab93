/** The model of a story: the documents, code and settings that the next run finds. */
import { join } from 'node:path'
import { readRuntime } from '../../../src/builder/renderer/fingerprint.ts'
import { createDocuments } from './change-documents.ts'
import type { Documents, SourceKind } from '../site/documents.ts'
import type { SitePlace } from '../site/place.ts'
import { copyPart, createPlace } from '../site/place.ts'
import { createFirstSettings } from '../site/played-settings.ts'
import type { StoryInputs } from '../site/run-request.ts'
import type { SequencePart, Sequence } from './sequence.ts'
import { FIRST_CODE } from '../site/story-code.ts'
import type { Stage } from '../site/stage.ts'

/** A copy of all files after a run, with the matching fields of the model. */
interface Backup {
  readonly place: SitePlace
  readonly documents: Documents
  readonly known: Known
  readonly readBy: number
}

/** The documents in the snapshot: `null` if it is lost, `unsure` if it may be damaged. */
type Known = Documents | null | 'unsure'

export interface Model {
  readonly kind: SourceKind
  readonly place: SitePlace
  /** `documents`: the documents after all changes so far. `written`: the documents in the source. */
  documents: Documents
  written: Documents
  known: Known
  /**
   * Number of the intake code with which `known` was read. If the current code has another number, a run reads
   * everything.
   */
  readBy: number
  inputs: StoryInputs
  /** Whether files in the output folder were damaged, which only a run with `--verify` detects. */
  isDamaged: boolean
  isSourceBroken: boolean
  readonly backups: Backup[]
}

const PARTS: readonly SequencePart[] = ['dist', 'snapshot', 'record', 'pictures', 'source']

export function createModel(sequence: Sequence, stage: Stage): Model {
  const documents = createDocuments(sequence, stage.photoHost.addresses)
  return {
    kind: sequence.source,
    place: createPlace(join(stage.folder, 'site'), sequence.source),
    documents,
    written: documents,
    known: null,
    readBy: FIRST_CODE.intake,
    inputs: createFirstInputs(stage, sequence.photos),
    isDamaged: false,
    isSourceBroken: false,
    backups: [],
  }
}

export function createFirstInputs(stage: Stage, photos: Sequence['photos']): StoryInputs {
  const [variant, publicFolder] = [stage.variants[0], stage.publicFolders[0]]
  if (variant === undefined || publicFolder === undefined)
    throw new Error('the stage has no compiled variant or no public folder')
  const settings = { ...createFirstSettings(stage.photoHost.origin), PHOTOS: photos }
  return { variant, publicFolder, settings, code: FIRST_CODE, runtime: readRuntime() }
}

export function keepBackup({ kind, place, documents, known, readBy, backups }: Model, stage: Stage): void {
  const copy = createPlace(join(stage.folder, 'backups', String(backups.length)), kind)
  for (const part of PARTS) copyPart(place, copy, part)
  backups.push({ place: copy, documents, known, readBy })
}
