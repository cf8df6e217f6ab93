/** Works off a list of photos, several at once, until it is done or the time is up. */
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

/** Waiting for hosts costs nothing. */
const WIDTH = 8

/** Answers the photos that were under way when the signal came. */
export async function processPhotos(
  photos: readonly KnownPhoto[],
  { tools, signal, onStart, onResult }: QueueOptions,
): Promise<readonly KnownPhoto[]> {
  const waiting = photos.values()
  const cut: KnownPhoto[] = []
  const work = async (): Promise<void> => {
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
  await Promise.all(Array.from({ length: WIDTH }, work))
  return cut
}
