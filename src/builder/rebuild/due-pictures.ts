/** Pictures of a rebuild: makes those that due sellers lack, and finds whose pictures changed. */
import { dropLostPhotos } from '../../domain/photos/lost-photos.ts'
import type { MadeReport, MakeOptions, ShownCatalogues } from '../pictures/pictures.ts'
import type { PageInputs, World } from './world.ts'

interface DuePictures {
  readonly made: MadeReport
  /** Number of the last change of pictures that is in the site after the run. */
  readonly last: number
  /** Sellers whose pictures changed. */
  readonly sellers: readonly string[]
}

interface Due {
  readonly inputs: PageInputs
  readonly due: Iterable<string>
  /** True if everything is due. */
  readonly isWhole: boolean
}

/** Time in which a rebuild begins pictures, in milliseconds. */
const PATIENCE = 1_500

/**
 * Max sellers of a site whose rebuilds draw all pictures for shared links: less than 0.5 s each. On a larger site, the
 * first picture of a seller changes all her pages, so a change of one price must not draw it: later runs do.
 */
const SMALL_SITE = 32

/** Makes pictures within a bounded time. They may be shown by other sellers, too. */
export async function makeDuePictures(
  { state, pictures, progress }: World,
  { inputs, due, isWhole }: Due,
): Promise<DuePictures> {
  progress('Making pictures')
  const shown = readShown(state, inputs, isWhole ? state.readSellers() : due)
  pictures.register(shown, isWhole)
  const made = await pictures.make({
    ...shown,
    scope: 'lacking',
    drawsAll: state.readTotals().sellers <= SMALL_SITE,
    time: PATIENCE,
    signal: new AbortController().signal,
    progress: () => {},
  })
  // Read before the changes: a later change is found by the next run.
  const last = pictures.readLast()
  return { made, last, sellers: pictures.readChanges() }
}

/** Makes the pictures that rebuilds had no time for, of all sellers. The next rebuild renders who shows them. */
export function makeLeftPictures(
  { state, pictures, readInputs }: World,
  options: Omit<MakeOptions, keyof ShownCatalogues | 'drawsAll'>,
): Promise<MadeReport> {
  return pictures.make({
    ...readShown(state, readInputs(), state.readSellers()),
    drawsAll: false,
    ...options,
  })
}

/** Returns the catalogues of these sellers as they are shown, without lost photos. */
function readShown(
  state: World['state'],
  { maxProducts, publicFiles }: PageInputs,
  sellers: Iterable<string>,
): ShownCatalogues {
  const files = new Set(Object.keys(publicFiles))
  const readCatalogue: ShownCatalogues['readCatalogue'] = (seller) => {
    const catalogue = state.readCatalogue(seller, maxProducts)
    return catalogue === null ? null : dropLostPhotos(catalogue, files)
  }
  return { sellers: [...sellers], readCatalogue, publicFiles }
}
