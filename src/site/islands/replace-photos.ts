/**
 * The inline script that replaces failed photos. It precedes the content of every page, because a later script would
 * miss early errors. If the smaller sizes fail, for example because Cloudflare refuses a transformation, the file of
 * `src` is shown; if that fails too, the drawn bottle.
 */
import { NO_PHOTO } from '../../domain/pages/paths.ts'

function replacePhoto({ target }: Event): void {
  if (target instanceof HTMLImageElement && !target.src.endsWith(NO_PHOTO)) {
    const isWhole = target.currentSrc === target.src
    target.previousElementSibling?.remove()
    target.src = isWhole ? NO_PHOTO : target.src
  }
}

// Listens in the capture phase, because the event does not bubble.
addEventListener('error', replacePhoto, true)
