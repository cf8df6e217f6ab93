/**
 * The inline script before the content of every page: after a photo it would miss an error that comes early. If the
 * smaller sizes fail, as those of a transformation that Cloudflare refuses, the photo itself is shown; if that fails, the
 * drawn bottle.
 */
import { NO_PHOTO } from '../../domain/pages/paths.ts'

function replacePhoto({ target }: Event): void {
  if (target instanceof HTMLImageElement && !target.src.endsWith(NO_PHOTO)) {
    const isWhole = target.currentSrc === target.src
    target.previousElementSibling?.remove()
    target.src = isWhole ? NO_PHOTO : target.src
  }
}

// The event does not bubble.
addEventListener('error', replacePhoto, true)
