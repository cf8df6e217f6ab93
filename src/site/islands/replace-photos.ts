/**
 * Part of the inline script of pages with photos: shows the drawn bottle in place of a photo that fails to load. It
 * comes before the photos in the page, and so misses none.
 */
import { NO_PHOTO } from '../../domain/pages/paths.ts'

function replacePhoto({ target }: Event): void {
  if (!(target instanceof HTMLImageElement) || target.src.endsWith(NO_PHOTO)) return
  target.previousElementSibling?.remove()
  target.src = NO_PHOTO
}

// The event does not bubble.
addEventListener('error', replacePhoto, true)
