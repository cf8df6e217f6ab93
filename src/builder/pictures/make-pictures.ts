/**
 * Makes pictures of photos and for shared links until a deadline, for a rebuild, a deploy or `photos`. What is not made
 * in time stays as it is, and is made by a later run.
 */
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import { HOME } from '../../domain/pages/find-pictures.ts'
import type { UnmadePicture } from '../../domain/photos/sort-photos.ts'
import { sortPhotos } from '../../domain/photos/sort-photos.ts'
import { inLanes } from '../../domain/work/batches.ts'
import type { KnownPhoto } from './photo-rows.ts'
import type { MadeReport, MakeOptions } from './pictures.ts'
import { RECIPE } from './recipe.ts'
import type { SocialInputs } from './social-inputs.ts'
import { hashSocialInputs, readHomeInputs, readSocialInputs } from './social-inputs.ts'
import type { PhotoTools } from './update-photo.ts'

/** Part of the time that is spent on photos. The rest is for drawing pictures for shared links, which contain them. */
const PHOTO_SHARE = 2 / 3

/** Photos in progress at once: they mostly wait for their hosts, and are held in memory when they have arrived. */
const LANES = 4

/** Photos that are read from the queue at once. */
const BATCH = 2_000

const DRAWN_AT_ONCE = 4

export async function makePictures(options: MakeOptions, tools: PhotoTools): Promise<MadeReport> {
  const { scope, readCatalogues } = options
  const sellers = scope === 'shown' ? registerPhotos(readCatalogues(), tools) : []
  const counts = await updatePhotos(options, sellers, tools)
  // One picture, which is drawn even if the time is over.
  await draw(HOME, readHomeInputs(tools), tools, new AbortController().signal)
  return { ...counts, ...(await finishSellers(options, tools)) }
}

function limitTime(time: number, signal: AbortSignal): AbortSignal {
  return Number.isFinite(time) ? AbortSignal.any([AbortSignal.timeout(Math.round(time)), signal]) : signal
}

/** Stores which photos the sellers show. Returns the sellers. */
export function registerPhotos(
  catalogues: Iterable<Catalogue>,
  { store, hosts }: PhotoTools,
): readonly string[] {
  return store.transact(() =>
    Array.from(catalogues, (catalogue) => {
      const { addresses, refused } = sortPhotos(catalogue, hosts)
      // The picture of a photo whose host is not permitted now is kept.
      const shown = [...addresses, ...refused.map(({ address }) => address)]
      store.showPhotos(catalogue.seller, shown, addresses)
      return catalogue.seller
    }),
  )
}

/** An error that is not one of a photo, such as a full disk, ends all work and is thrown. */
async function updatePhotos(
  { scope, time, signal: end, progress }: MakeOptions,
  sellers: readonly string[],
  tools: PhotoTools,
): Promise<Pick<MadeReport, 'changed' | 'unchanged' | 'failed'>> {
  const counts = { changed: 0, unchanged: 0, failed: 0 }
  const photoTime = time * PHOTO_SHARE
  const signal = limitTime(photoTime, end)
  const start = performance.now()
  const readElapsed = (): number => performance.now() - start
  const update = async (photo: KnownPhoto): Promise<void> => {
    if (signal.aborted) return
    // Imported on use, because most runs have no photo to fetch.
    const { updatePhoto, keepFailure } = await import('./update-photo.ts')
    let begun = readElapsed()
    const onTurn = (): void => void (begun = readElapsed())
    try {
      const result = await updatePhoto(photo, tools, { signal, onTurn })
      if (result !== null) counts[result] += 1
      progress(counts.changed + counts.unchanged + counts.failed)
    } catch (error) {
      if (!signal.aborted) throw error
      // Otherwise a photo that takes longer than a rebuild has would be begun by each of them.
      if (begun < photoTime / 2)
        keepFailure(photo, tools, { reason: 'took longer than there was time', source: '' })
    }
  }
  const query = { scope, sellers, now: tools.now(), recipe: RECIPE, most: BATCH }
  const readBatch = (): readonly KnownPhoto[] => (signal.aborted ? [] : tools.store.readQueue(query))
  // A photo leaves the queue when it was tried.
  for (let batch = readBatch(); batch.length > 0; batch = readBatch()) await inLanes(batch, LANES, update)
  return counts
}

type Finished = Pick<MadeReport, 'waiting' | 'troubles' | 'drawn' | 'undrawn'>

/** Finds which photos of the sellers have no picture, and why, and draws outdated pictures for shared links. */
async function finishSellers(options: MakeOptions, tools: PhotoTools): Promise<Finished> {
  const waiting = new Set<string>()
  const troubles: UnmadePicture[] = []
  const counts = { drawn: 0, undrawn: 0 }
  const { time, drawsAll } = options
  const signal = drawsAll ? options.signal : limitTime(time * (1 - PHOTO_SHARE), options.signal)
  const leavesFirst = options.scope === 'shown' && !drawsAll
  await inLanes(options.readCatalogues(), DRAWN_AT_ONCE, async (catalogue) => {
    for (const { reason, ...photo } of listUnmade(catalogue, tools))
      if (reason === null) waiting.add(photo.address)
      else troubles.push({ ...photo, reason })
    const { seller } = catalogue
    const isLeft = leavesFirst && tools.store.findSocial(seller) === null
    const result = isLeft ? 'undrawn' : await draw(seller, readSocialInputs(catalogue, tools), tools, signal)
    if (result !== null) counts[result] += 1
  })
  return { waiting: waiting.size, troubles, ...counts }
}

type Unmade = Omit<UnmadePicture, 'reason'> & { readonly reason: string | null }

/** Returns the products whose photo has no picture. `reason` is `null` if it was not tried yet. */
function listUnmade(catalogue: Catalogue, { store, hosts }: PhotoTools): readonly Unmade[] {
  const { addresses, refused } = sortPhotos(catalogue, hosts)
  const reasons = store.findLacking(addresses, RECIPE)
  const lacking = catalogue.products.flatMap(({ id: product, photo: address }) => {
    const reason = address === null ? undefined : reasons.get(address)
    return address === null || reason === undefined ? [] : [{ product, address, reason }]
  })
  return [...refused, ...lacking]
}

/** Draws the picture unless there is one of these inputs, which is `null`, or the time is over. */
async function draw(
  seller: string,
  inputs: SocialInputs,
  tools: PhotoTools,
  signal: AbortSignal,
): Promise<'drawn' | 'undrawn' | null> {
  const { store } = tools
  const hash = hashSocialInputs(inputs, tools)
  if (store.findSocial(seller)?.inputs === hash) return null
  if (signal.aborted) return 'undrawn'
  const { drawSocial } = await import('./draw-social.ts')
  const file = await drawSocial(inputs, tools)
  store.transact(() => store.keepSocial(seller, hash, file))
  return 'drawn'
}
