/** Pictures of a rebuild: makes those that due sellers lack, and finds whose pictures changed. */
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import { dropLostPhotos } from '../../domain/photos/lost-photos.ts'
import type { MadeReport, MakeOptions, PicturePreparation } from '../pictures/pictures.ts'
import type { PicturePosition } from '../state/site-state.ts'
import type { PageInputs, World } from './world.ts'

interface DuePictures {
  readonly preparation: PicturePreparation
  /** The position up to which changes of pictures are in the site after the run. */
  readonly position: PicturePosition
  /** Sellers whose pictures changed. */
  readonly sellers: readonly string[]
}

interface Due {
  readonly inputs: PageInputs
  readonly sellers: Iterable<string>
  /** True if the site has fewer sellers than before. */
  readonly isSmaller: boolean
}

/**
 * Max sellers of a site whose rebuilds draw all missing pictures for shared links without a time limit. Drawing one
 * picture takes less than 0.5 s.
 */
const SMALL_SITE = 32

/** Max time that a rebuild spends on photos and drawings, in milliseconds. */
const PATIENCE = 3_000

/** Makes pictures within a bounded time. They may be shown by other sellers, too. */
export async function prepareDuePictures(
  { state, pictures, progress }: World,
  { inputs, sellers, isSmaller }: Due,
): Promise<DuePictures> {
  pictures.renewOwn(inputs.publicFiles)
  const drawsAll = state.readTotals().sellers <= SMALL_SITE
  progress('Making pictures')
  // A site that has just become small draws the pictures of all its sellers.
  const chosen = drawsAll && isSmaller ? [...state.readSellers()] : [...sellers]
  const preparation = await pictures.make({
    scope: 'shown',
    readCatalogues: () => readCatalogues(state, inputs, chosen),
    time: PATIENCE,
    drawsAll,
    signal: new AbortController().signal,
    progress: () => {},
  })
  // Read before the changes: a change after this position is found by the next run.
  const position = pictures.readVersion()
  return { preparation, position, sellers: findPictured({ state, pictures }) }
}

interface LeftPictures extends Pick<MakeOptions, 'scope' | 'time' | 'signal' | 'progress'> {
  readonly inputs: Pick<PageInputs, 'maxProducts' | 'publicFiles'>
}

/** Makes the pictures that rebuilds had no time for, of all sellers. The next rebuild renders who shows them. */
export function makeLeftPictures(
  { state, pictures }: Pick<World, 'state' | 'pictures'>,
  { inputs, ...options }: LeftPictures,
): Promise<MadeReport> {
  return pictures.make({
    ...options,
    readCatalogues: () => readCatalogues(state, inputs, state.readSellers()),
    drawsAll: false,
  })
}

/** Returns the sellers whose pictures changed since the last run. */
export function findPictured({ state, pictures }: Pick<World, 'state' | 'pictures'>): readonly string[] {
  return pictures.readChanges(state.read('pictures')) ?? []
}

/** Yields the catalogues of these sellers as they are shown, without lost photos. */
export function* readCatalogues(
  state: World['state'],
  { maxProducts, publicFiles }: Pick<PageInputs, 'maxProducts' | 'publicFiles'>,
  sellers: Iterable<string>,
): Generator<Catalogue> {
  const files = new Set(Object.keys(publicFiles))
  for (const seller of sellers) {
    const catalogue = state.readCatalogue(seller, maxProducts)
    if (catalogue !== null) yield dropLostPhotos(catalogue, files)
  }
}
