/** Updates photos one after another, several at once, until none is due or the time is over. */
import type { KnownPhoto } from './stored-pictures.ts'
import type { MakeOptions } from './pictures.ts'
import { RECIPE } from './recipe.ts'
import type { PhotoResult, PhotoTools } from './update-photo.ts'
import { keepFailure, updatePhoto } from './update-photo.ts'
import { untilAborted } from './until-aborted.ts'

export interface QueueFacts extends Pick<MakeOptions, 'scope' | 'progress'> {
  /** The due photos of a rebuild. Those with a lower turn come first, so that sellers take turns. */
  readonly lacking: readonly { readonly photo: KnownPhoto; readonly turn: number }[]
}

interface Deadline {
  /** Milliseconds from the start. */
  readonly time: number
  readonly signal: AbortSignal
}

type Counts = Record<PhotoResult, number>

/** Max photos in progress at once, in all and of one host. Photos mostly wait for their hosts. */
const LANES = 8
const LANES_OF_HOST = 4

/** Photos that are read from the queue at once. */
const BATCH = 2_000

export async function workOffQueue(
  { scope, lacking, progress }: QueueFacts,
  tools: PhotoTools,
  deadline: Deadline,
): Promise<Counts> {
  const counts: Counts = { changed: 0, unchanged: 0, failed: 0 }
  const work = { tools, deadline, start: performance.now() }
  const onResult = (result: PhotoResult): void => {
    counts[result] += 1
    progress(counts.changed + counts.unchanged + counts.failed)
  }
  if (scope === 'shown') {
    const inTurn = lacking.toSorted((one, other) => one.turn - other.turn)
    await updateBatch(
      inTurn.map(({ photo }) => photo),
      work,
      onResult,
    )
    return counts
  }
  const now = tools.now()
  const query = { now, isAll: scope === 'all', recipe: RECIPE, most: BATCH }
  // A photo leaves the queue when it was tried.
  for (let batch = tools.store.readQueue(query); batch.length > 0; batch = tools.store.readQueue(query)) {
    await updateBatch(batch, work, onResult)
    if (deadline.signal.aborted) break
  }
  return counts
}

interface QueueWork {
  readonly tools: PhotoTools
  readonly deadline: Deadline
  readonly start: number
}

/** An error that is not one of a photo, such as a full disk, ends all work and is thrown. */
async function updateBatch(
  photos: readonly KnownPhoto[],
  { tools, deadline, start }: QueueWork,
  onResult: (result: PhotoResult) => void,
): Promise<void> {
  const failure = new AbortController()
  const signal = AbortSignal.any([deadline.signal, failure.signal])
  const hosts = createHostLanes(photos)
  const update = async (photo: KnownPhoto): Promise<void> => {
    const begun = performance.now() - start
    try {
      onResult(await untilAborted(updatePhoto(photo, tools, signal), signal))
    } catch (error) {
      if (!signal.aborted) {
        failure.abort()
        throw error
      }
      // Otherwise a photo that takes longer than a rebuild has would be begun by each of them.
      if (!failure.signal.aborted && begun < deadline.time / 2)
        keepFailure(photo, tools, { reason: 'took longer than there was time', source: '' })
    } finally {
      hosts.end(photo)
    }
  }
  const runLane = async (): Promise<void> => {
    while (!signal.aborted) {
      const photo = await hosts.take()
      // The time may be over while a lane waits for a host.
      if (photo === null || signal.aborted) return
      await update(photo)
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: LANES }, runLane))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

interface HostLanes {
  /** Resolves to the next photo whose host has a lane free; `null` after the last one. */
  take(): Promise<KnownPhoto | null>
  end(photo: KnownPhoto): void
}

function createHostLanes(photos: readonly KnownPhoto[]): HostLanes {
  const waiting = [...photos]
  const running = new Map<string, number>()
  let freed = Promise.withResolvers<void>()
  const findHost = ({ address }: KnownPhoto): string => URL.parse(address)?.host ?? ''
  const change = (photo: KnownPhoto, by: number): void => {
    const host = findHost(photo)
    running.set(host, (running.get(host) ?? 0) + by)
  }
  const take = async (): Promise<KnownPhoto | null> => {
    if (waiting.length === 0) return null
    const index = waiting.findIndex((photo) => (running.get(findHost(photo)) ?? 0) < LANES_OF_HOST)
    const [photo] = index < 0 ? [] : waiting.splice(index, 1)
    if (photo === undefined) {
      await freed.promise
      return take()
    }
    change(photo, 1)
    return photo
  }
  return {
    take,
    end: (photo) => {
      change(photo, -1)
      freed.resolve()
      freed = Promise.withResolvers()
    },
  }
}
