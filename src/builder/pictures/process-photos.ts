/** Processes a list of photos, several at once and fairly between hosts, until all are done or the signal aborts. */
import { createHostTurns } from './host-turns.ts'
import type { KnownPhoto } from './store/photo-queue.ts'
import { untilAborted } from './until-aborted.ts'
import type { PhotoResult, PhotoTools } from './photos/process-photo.ts'
import { processPhoto, skipPhoto } from './photos/process-photo.ts'

interface QueueOptions {
  readonly tools: PhotoTools
  readonly signal: AbortSignal
  readonly onStart?: (photo: KnownPhoto) => void
  readonly onResult?: (photo: KnownPhoto, result: PhotoResult) => void
}

/** Max photos in progress at once. Independent of the number of processors, because photos mostly wait for hosts. */
const WIDTH = 8

/**
 * Returns the photos that were in progress when the signal aborted. An error that is not a `PhotoError`, such as a full
 * disk, aborts the photos in progress and is thrown.
 */
export async function processPhotos(
  photos: readonly KnownPhoto[],
  { tools, signal: ending, onStart, onResult }: QueueOptions,
): Promise<readonly KnownPhoto[]> {
  const failure = new AbortController()
  const signal = AbortSignal.any([ending, failure.signal])
  const findHost = ({ address }: KnownPhoto): string | null => URL.parse(address)?.host ?? null
  const turns = createHostTurns(photos, findHost, ({ turn }) => turn)
  const cut: KnownPhoto[] = []
  let ended = Promise.withResolvers<void>()
  const processOne = async (photo: KnownPhoto): Promise<void> => {
    onStart?.(photo)
    let isLate = false
    try {
      const result = await untilAborted(processPhoto(photo, tools, signal), signal)
      isLate = result.kind === 'failed' && result.isLate
      onResult?.(photo, result)
    } catch (error) {
      if (!signal.aborted) {
        failure.abort()
        throw error
      }
      cut.push(photo)
    } finally {
      turns.end(photo, isLate)
      ended.resolve()
      ended = Promise.withResolvers()
    }
  }
  const processWaiting = async (): Promise<void> => {
    while (!signal.aborted) {
      const taken = turns.take()
      if (taken === 'done') return
      if (taken === null) await ended.promise
      else if (taken.isSkipped) onResult?.(taken.item, skipPhoto(taken.item, tools))
      else await processOne(taken.item)
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: WIDTH }, processWaiting))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return cut
}
