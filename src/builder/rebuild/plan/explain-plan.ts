/** Finds what changed in the inputs of a planned page. Used by a dry run that explains its plan. */
import { HOME_STORES } from '../../../domain/pages/home.ts'
import type { PageKind } from '../../../domain/documents/page-table.ts'
import { isListKind, isTextKind } from '../../../domain/documents/page-table.ts'
import { findPage } from '../../../domain/documents/page-address.ts'
import type { DocumentDifference, DifferenceLog, ListingChange } from '../../state/snapshot/differences.ts'
import type { Generation, RecordedPage } from '../../state/record/record.ts'
import { listPictureFiles, listPictures } from './page-data.ts'
import type { RenderStep } from './plan-site.ts'
import type { RebuildPreparation } from '../prepare-rebuild.ts'
import type { World } from '../world.ts'

/** One change in the inputs of a page. */
export type Cause =
  | { readonly kind: 'document'; readonly seller: string; readonly difference: DocumentDifference }
  | { readonly kind: 'more documents'; readonly count: number }
  /** An earlier run read the documents and did not finish the page. */
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'listing'; readonly change: ListingChange }
  | { readonly kind: 'store'; readonly seller: string; readonly isThere: boolean }
  | { readonly kind: 'sitemap files' }
  | { readonly kind: 'listed products' }
  | { readonly kind: 'photo'; readonly address: string }
  | { readonly kind: 'social picture' }
  | { readonly kind: 'lost picture'; readonly file: string }
  | { readonly kind: 'public photo'; readonly path: string; readonly isThere: boolean }
  | { readonly kind: 'settings'; readonly before: string; readonly after: string }
  | { readonly kind: 'runtime'; readonly before: string; readonly after: string }
  | { readonly kind: 'page code'; readonly page: PageKind; readonly before: string; readonly after: string }
  | { readonly kind: 'data code'; readonly before: string; readonly after: string }
  | { readonly kind: 'file'; readonly state: 'missing' | 'changed' | 'unsure' }
  | { readonly kind: 'unknown' }

export interface Explainer {
  /** Returns the causes, the most important first, or none if the `reason` of the step says enough. */
  explain(step: RenderStep): readonly Cause[]
}

/** Max documents, or changes of the list of sellers, listed for one page. */
const SHOWN = 10

/** `log` must have been created before the source was read, so that it lists the changes of that read. */
export function createExplainer(
  world: World,
  preparation: RebuildPreparation,
  log: DifferenceLog,
): Explainer {
  const facts: Facts = { world, preparation, log }
  return {
    explain: (step) => [
      ...explainFile(step, facts),
      ...explainGeneration(step, facts),
      ...explainData(step, facts),
    ],
  }
}

interface Facts {
  readonly world: World
  readonly preparation: RebuildPreparation
  readonly log: DifferenceLog
}

function explainFile({ path, recorded }: RenderStep, { world, preparation }: Facts): readonly Cause[] {
  if (recorded?.isUnsure !== true) return []
  if (preparation.check?.damaged.includes(path) !== true) return [{ kind: 'file', state: 'unsure' }]
  return [{ kind: 'file', state: world.state.output.read(path) === null ? 'missing' : 'changed' }]
}

// Skips text pages: their data is their text, which includes the settings, so `explainData` finds those changes.
function explainGeneration({ kind, recorded }: RenderStep, { preparation }: Facts): readonly Cause[] {
  if (recorded === null || isTextKind(kind)) return []
  const before = recorded.generation
  const after = preparation.code.generation
  return [
    ...explainCode(kind, before, after),
    ...(before.settings === after.settings
      ? []
      : [{ kind: 'settings', before: before.settings, after: after.settings } as const]),
    ...(before.runtime === after.runtime
      ? []
      : [{ kind: 'runtime', before: before.runtime, after: after.runtime } as const]),
  ]
}

function explainCode(page: PageKind, { code: old }: Generation, { code }: Generation): readonly Cause[] {
  return old[page] === code[page] ? [] : [{ kind: 'page code', page, before: old[page], after: code[page] }]
}

function explainData(step: RenderStep, facts: Facts): readonly Cause[] {
  const { kind, path, seller, recorded } = step
  if (recorded === null) return seller === null ? [] : explainDocuments(seller, facts)
  if (recorded.data === step.reader.read(step)?.hash) return []
  const causes = isListKind(kind) ? explainList(recorded, path, facts) : explainScreen(step, facts)
  return causes.length === 0 ? [{ kind: 'unknown' }] : causes
}

function explainScreen(page: RenderStep, facts: Facts): readonly Cause[] {
  const { seller } = page
  const causes = [
    ...(seller === null ? explainStores(facts) : explainCatalogue(seller, facts)),
    ...explainPictures(page, facts),
  ]
  return causes.length > 0 ? causes : listLostPictures(page, facts)
}

/** Returns a cause for each photo or social picture that is new on the page. */
function explainPictures(page: RenderStep, { world }: Facts): readonly Cause[] {
  const data = page.reader.read(page)
  if (data === null) return []
  const before = new Set(world.state.record.readShown(page.path))
  const added = new Set(listPictureFiles(data).filter((path) => !before.has(path)))
  const { photos, social } = listPictures(data.page)
  const changed = photos.filter(({ paths }) => paths.some((path) => added.has(path)))
  return [
    ...changed.map(({ address }): Cause => ({ kind: 'photo', address })),
    ...(social !== null && added.has(social) ? [{ kind: 'social picture' } as const] : []),
  ]
}

/** Returns a cause for each picture that the page no longer shows. */
function listLostPictures(page: RenderStep, { world }: Facts): readonly Cause[] {
  const data = page.reader.read(page)
  const shown = new Set(data === null ? [] : listPictureFiles(data))
  const lost = world.state.record.readShown(page.path).filter((file) => !shown.has(file))
  return lost.map((file) => ({ kind: 'lost picture', file }))
}

function explainCatalogue(seller: string, facts: Facts): readonly Cause[] {
  return [...explainDocuments(seller, facts), ...explainPublicPhotos(seller, facts), ...explainBasis(facts)]
}

function explainDocuments(seller: string, { log }: Facts): readonly Cause[] {
  const differences = log.read(seller, SHOWN)
  const left = log.count(seller) - differences.length
  return [
    ...differences.map((difference): Cause => ({ kind: 'document', seller, difference })),
    ...(left > 0 ? [{ kind: 'more documents', count: left } as const] : []),
    ...(log.wasUnfinished(seller) ? [{ kind: 'unfinished' } as const] : []),
  ]
}

function explainStores({ log }: Facts): readonly Cause[] {
  const { added, gone } = log.readSellers()
  const isStore = (seller: string): boolean => HOME_STORES.includes(seller)
  return [
    ...added.filter(isStore).map((seller): Cause => ({ kind: 'store', seller, isThere: true })),
    ...gone.filter(isStore).map((seller): Cause => ({ kind: 'store', seller, isThere: false })),
    ...(log.hasUnfinished() ? [{ kind: 'unfinished' } as const] : []),
  ]
}

function explainList(recorded: RecordedPage, path: string, { preparation, log }: Facts): readonly Cause[] {
  const before = recorded.generation.settings
  const after = preparation.code.generation.settings
  const { kind, bucket } = findPage(path) ?? {}
  const changes =
    kind !== 'sitemap-bucket' || bucket === undefined ? [] : log.readListing(Number.parseInt(bucket, 16))
  return [
    ...(before === after ? [] : [{ kind: 'settings', before, after } as const]),
    ...(kind === 'sitemap-index' ? [{ kind: 'sitemap files' } as const] : []),
    ...(kind === 'search-file' ? [{ kind: 'listed products' } as const] : []),
    ...changes.slice(0, SHOWN).map((change): Cause => ({ kind: 'listing', change })),
    ...(changes.length > SHOWN ? [{ kind: 'more documents', count: changes.length - SHOWN } as const] : []),
    ...(log.hasUnfinished() ? [{ kind: 'unfinished' } as const] : []),
  ]
}

// Finds photos of the public folder that were added or removed since the last run. The record lists the public files of
// that run.
function explainPublicPhotos(seller: string, { world: { inputs, state } }: Facts): readonly Cause[] {
  const products = state.snapshot.readCatalogue(seller)?.products ?? []
  const photos = products.flatMap(({ photo }) => (photo?.startsWith('/') === true ? [photo] : []))
  return [...new Set(photos)].flatMap((path): readonly Cause[] => {
    const file = decodeURIComponent(path.slice(1))
    const isThere = file in inputs.publicFiles
    return state.record.hasFile(file) === isThere ? [] : [{ kind: 'public photo', path, isThere }]
  })
}

function explainBasis({ world, preparation }: Facts): readonly Cause[] {
  const before = world.state.record.readDataBasis()?.parts
  const after = preparation.basis.parts
  if (before === undefined || after === undefined) return []
  return [
    ...(before.code === after.code
      ? []
      : [{ kind: 'data code', before: before.code, after: after.code } as const]),
    ...(before.pictures === after.pictures
      ? []
      : [{ kind: 'settings', before: before.pictures, after: after.pictures } as const]),
  ]
}
