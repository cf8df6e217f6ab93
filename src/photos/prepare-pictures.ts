/** The bounded time that a rebuild gives to the pictures that its pages lack. */
import type { Catalogue } from '../domain/catalogue.ts'
import type { Preparation, Trouble } from './pictures.ts'
import { isSocialCurrent } from './social-inputs.ts'
import { sortPhotos } from './sort-photos.ts'
import type { KnownPhoto } from './store.ts'
import type { PhotoTools } from './work-photo.ts'

export interface PrepareOptions {
  /** In milliseconds. */
  readonly patience: number
  /** Whether every picture for shared links is drawn, however long that takes. */
  readonly drawsAll: boolean
}

/** More pictures for shared links than can be drawn in a bounded time. */
const MOST_SOCIALS = 64

export async function preparePictures(
  catalogues: Iterable<Catalogue>,
  tools: PhotoTools,
  { patience, drawsAll }: PrepareOptions,
): Promise<Preparation> {
  const { store } = tools
  const registered = store.transact(() => register(catalogues, tools, drawsAll))
  const { wanted, lacking, refused, outdated, left } = registered
  const before = store.readNews().version.sequence
  const signal = AbortSignal.timeout(patience)
  const drawing = drawsAll ? new AbortController().signal : signal
  await Promise.all([
    work(wanted, tools, { patience, signal }),
    // What is drawn needs not wait for photos that it does not show.
    drawSocials(outdated.filter(isComplete(lacking)), tools, drawing),
  ])
  await drawSocials(outdated, tools, drawing)
  const hasNews = store.readNews().version.sequence !== before
  const failures = store.findFailures([...lacking.keys()])
  const troubles = [...lacking].flatMap(([address, products]) => {
    const reason = failures.get(address)
    return reason === undefined ? [] : products.map((product) => ({ product, address, reason }))
  })
  const ready = lacking.size === 0 ? 0 : store.findPictures([...lacking.keys()]).size
  const waiting = lacking.size - ready - failures.size
  const late = drawing.aborted ? outdated.filter((one) => !isSocialCurrent(one, tools)).length : 0
  const undrawn = left + late
  return { hasNews, waiting, undrawn, troubles: [...refused, ...troubles] }
}

interface Registered {
  readonly wanted: readonly KnownPhoto[]
  /** Photos without a picture, with the products that show them. */
  readonly lacking: ReadonlyMap<string, readonly string[]>
  readonly refused: readonly Trouble[]
  /** Sellers whose picture for shared links does not show what it should, or will not once their photos are made. */
  readonly outdated: readonly Catalogue[]
  /** How many sellers never had one, and get none now. */
  readonly left: number
}

function register(catalogues: Iterable<Catalogue>, tools: PhotoTools, drawsAll: boolean): Registered {
  const { store, hosts, now } = tools
  const wanted = new Map<string, KnownPhoto>()
  const lacking = new Map<string, string[]>()
  const refused: Trouble[] = []
  const outdated: Catalogue[] = []
  let left = 0
  for (const catalogue of catalogues) {
    const sorted = sortPhotos(catalogue, hosts)
    const { addresses } = sorted
    refused.push(...sorted.refused)
    store.writeUses(catalogue.seller, addresses)
    const ready = store.findPictures(addresses)
    const missing = new Set(addresses.filter((address) => !ready.has(address)))
    const isNew = catalogue.products.length > 0 && store.findSocial(catalogue.seller) === null
    // Which of many would be drawn in a bounded time depends on the machine: the first is left to `npm run photos`.
    if (isNew && !drawsAll) left += 1
    else if (
      (drawsAll || outdated.length < MOST_SOCIALS) &&
      (missing.size > 0 || !isSocialCurrent(catalogue, tools))
    )
      outdated.push(catalogue)
    if (missing.size === 0) continue
    store.addPhotos([...missing])
    for (const photo of store.findWaiting([...missing], now())) wanted.set(photo.address, photo)
    for (const { id, photo } of catalogue.products) {
      if (photo !== null && missing.has(photo)) lacking.set(photo, [...(lacking.get(photo) ?? []), id])
    }
  }
  return { wanted: [...wanted.values()], lacking, refused, outdated, left }
}

// Whether no photo of it is still to come.
function isComplete(lacking: ReadonlyMap<string, unknown>): (catalogue: Catalogue) => boolean {
  return ({ products }) => products.every(({ photo }) => photo === null || !lacking.has(photo))
}

async function work(
  photos: readonly KnownPhoto[],
  tools: PhotoTools,
  { patience, signal }: { patience: number; signal: AbortSignal },
): Promise<void> {
  if (photos.length === 0) return
  const { workQueue } = await import('./work-queue.ts')
  const started = new Map<string, number>()
  const begin = performance.now()
  const onStart = ({ address }: KnownPhoto): unknown => started.set(address, performance.now() - begin)
  const cut = await workQueue(photos, { tools, signal, onStart })
  // Of what was under way at the end, only what had most of the time is slow.
  const slow = cut.filter(({ address }) => (started.get(address) ?? patience) < patience / 2)
  for (const { address } of slow) tools.store.markSlow(address)
}

async function drawSocials(
  catalogues: readonly Catalogue[],
  tools: PhotoTools,
  signal: AbortSignal,
): Promise<void> {
  if (catalogues.length === 0 || signal.aborted) return
  const { workSocials } = await import('./work-social.ts')
  await workSocials(catalogues, tools, signal)
}
