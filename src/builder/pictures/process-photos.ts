/** Processes a list of photos, several at once, until all are done or the signal aborts. */
import type { KnownPhoto } from './store/photo-store.ts'
import { untilAborted } from './until-aborted.ts'
import type { PhotoResult, PhotoTools } from './photos/process-photo.ts'
import { processPhoto } from './photos/process-photo.ts'

export interface QueueOptions {
  readonly tools: PhotoTools
  readonly signal: AbortSignal
  readonly onStart?: (photo: KnownPhoto) => void
  readonly onResult?: (photo: KnownPhoto, result: PhotoResult) => void
}

/** Number of photos in progress at once. Independent of the processors, because most of the time is waiting. */
const WIDTH = 8

/** Returns the photos that were in progress when the signal aborted. */
export async function processPhotos(
  photos: readonly KnownPhoto[],
  { tools, signal, onStart, onResult }: QueueOptions,
): Promise<readonly KnownPhoto[]> {
  const waiting = photos.values()
  const cut: KnownPhoto[] = []
  const processWaiting = async (): Promise<void> => {
    for (const photo of waiting) {
      if (signal.aborted) return
      onStart?.(photo)
      try {
        const result = await untilAborted(processPhoto(photo, tools, signal), signal)
        onResult?.(photo, result)
      } catch (error) {
        if (!signal.aborted) throw error
        cut.push(photo)
      }
    }
  }
  await Promise.all(Array.from({ length: WIDTH }, processWaiting))
  return cut
}
