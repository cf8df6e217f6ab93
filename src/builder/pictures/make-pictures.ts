/**
 * Makes pictures of photos and for shared links, for a rebuild, a deploy, `start` or `photos`. What was not begun in
 * time stays as it is, and is made by a later run.
 */
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import { HOME } from '../../domain/pages/find-pictures.ts'
import type { UnmadePicture } from '../../domain/photos/sort-photos.ts'
import { sortPhotos } from '../../domain/photos/sort-photos.ts'
import { inLanes } from '../../domain/work/batches.ts'
import type { MadeReport, MakeOptions, ShownCatalogues } from './pictures.ts'
import type { SocialInputs } from './social-inputs.ts'
import { nameSocial, readHomeInputs, readSocialInputs } from './social-inputs.ts'
import type { PictureTools } from './update-photo.ts'

/** Photos in progress at once: they mostly wait for their hosts, and are held in memory when they have arrived. */
const LANES = 4

/** Max time in which a photo must arrive, in milliseconds. */
const LONGEST_FETCH = 10_000

const DRAWN_AT_ONCE = 4

/** Stores which photos the sellers show. */
export function registerPhotos(
  { sellers, readCatalogue, publicFiles }: ShownCatalogues,
  isWhole: boolean,
  { store, hosts }: PictureTools,
): void {
  const findSource = (address: string): string =>
    address.startsWith('/') ? (publicFiles[decodeURIComponent(address.slice(1))] ?? '') : ''
  store.transact(() => {
    for (const seller of sellers) {
      const catalogue = readCatalogue(seller)
      if (catalogue === null) continue
      const { addresses, refused } = sortPhotos(catalogue, hosts)
      // The picture of a photo whose host is not permitted now is kept.
      const shown = [...addresses, ...refused.map(({ address }) => address)]
      const permitted = addresses.map((address) => [address, findSource(address)] as const)
      store.showPhotos(seller, shown, permitted)
    }
    if (isWhole) store.sweep(sellers)
  })
}

/** An error that is not one of a photo, such as a full disk, ends all work and is thrown. */
export async function makePictures(options: MakeOptions, tools: PictureTools): Promise<MadeReport> {
  // No signal of both: Node may collect its timer before it aborts.
  const limit = AbortSignal.timeout(options.time)
  const isOver = (): boolean => limit.aborted || options.signal.aborted
  const photos = await updatePhotos(options, tools, isOver)
  const drawings = await drawSocials(options, tools, isOver)
  return { ...drawings, changed: photos.changed + drawings.changed, left: photos.left + drawings.left }
}

async function updatePhotos(
  { scope, sellers, time, signal, progress }: MakeOptions,
  tools: PictureTools,
  isOver: () => boolean,
): Promise<Omit<MadeReport, 'troubles'>> {
  const until = scope === 'all' ? Infinity : tools.now()
  const queue = tools.store.readQueue(sellers, until, scope !== 'lacking')
  if (queue.length === 0) return { changed: 0, left: 0 }
  // Imported on use, because most runs have no photo to fetch.
  const { updatePhoto } = await import('./update-photo.ts')
  const limits = { time: Math.min(time, LONGEST_FETCH), signal }
  let [changed, done, left] = [0, 0, queue.length]
  await inLanes(queue, LANES, async (address) => {
    if (isOver()) return
    left -= 1
    if (await updatePhoto(address, { ...tools, ...limits })) changed += 1
    progress((done += 1))
  })
  return { changed, left }
}

/** Draws outdated pictures for shared links, and finds which photos of the sellers have no picture, and why. */
async function drawSocials(
  { scope, drawsAll, sellers, readCatalogue, publicFiles, signal }: MakeOptions,
  tools: PictureTools,
  isOver: () => boolean,
): Promise<MadeReport> {
  const { store, readPublicFile } = tools
  const troubles: UnmadePicture[] = []
  let [changed, left] = [0, 0]
  const readFile = (path: string): Uint8Array | null => store.readFile(path) ?? readPublicFile(path)
  const draw = async (name: string, inputs: SocialInputs): Promise<void> => {
    const path = nameSocial(inputs, publicFiles)
    const before = store.findSocial(name)
    if (before === path) return
    const isLeft = isOver() || (scope === 'lacking' && before === null)
    if (signal.aborted || (isLeft && !drawsAll && name !== HOME)) {
      left += 1
      return
    }
    const { drawSocial } = await import('./draw-social.ts')
    changed += 1
    const bytes = await drawSocial(inputs, readFile)
    store.transact(() => store.keepSocial(name, { path, bytes }))
  }
  await draw(HOME, readHomeInputs(tools.brand))
  await inLanes(sellers, DRAWN_AT_ONCE, async (seller) => {
    const catalogue = readCatalogue(seller)
    if (catalogue === null) return
    troubles.push(...listUnmade(catalogue, tools))
    await draw(seller, readSocialInputs(catalogue, tools))
  })
  return { changed, left, troubles }
}

/** Returns the products whose photo has no picture for a reason. */
function listUnmade(catalogue: Catalogue, { store, hosts }: PictureTools): readonly UnmadePicture[] {
  const { addresses, refused } = sortPhotos(catalogue, hosts)
  const reasons = store.findReasons(addresses)
  const failed = catalogue.products.flatMap(({ id: product, photo: address }) => {
    const reason = address === null ? undefined : reasons.get(address)
    return address === null || reason === undefined ? [] : [{ product, address, reason }]
  })
  return [...refused, ...failed]
}
