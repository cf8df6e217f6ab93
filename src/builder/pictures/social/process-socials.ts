/** Updates the pictures for shared links. */
import type { Catalogue } from '../../../domain/catalogue/catalogue.ts'
import { hashInputs, isSocialCurrent, readSocialInputs } from './social-inputs.ts'
import { SOCIAL_SIZE } from './social-layout.ts'
import { untilAborted } from '../until-aborted.ts'
import type { PhotoTools } from '../photos/process-photo.ts'

/** Number of catalogues in progress at once. */
const WIDTH = 4

/** Returns the number of pictures drawn. Pictures not finished when the signal aborts stay as they are. */
export async function processSocials(
  catalogues: Iterable<Catalogue>,
  tools: PhotoTools,
  signal: AbortSignal,
): Promise<number> {
  const waiting = shareIterator(catalogues)
  let drawn = 0
  const processWaiting = async (): Promise<void> => {
    for (const catalogue of waiting) {
      if (signal.aborted) return
      try {
        if (await untilAborted(processSocial(catalogue, tools, signal), signal)) drawn += 1
      } catch (error) {
        if (!signal.aborted) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: WIDTH }, processWaiting))
  return drawn
}

// All loops share one iterator: each takes the next item.
function* shareIterator<T>(items: Iterable<T>): Generator<T> {
  yield* items
}

async function processSocial(catalogue: Catalogue, tools: PhotoTools, signal: AbortSignal): Promise<boolean> {
  const { store, limitMaking } = tools
  const { seller } = catalogue
  if (isSocialCurrent(catalogue, tools)) return false
  const inputs = readSocialInputs(catalogue, tools)
  if (inputs === null) {
    store.dropSocial(seller)
    return false
  }
  const { drawSocial } = await import('./draw-social.ts')
  const file = await limitMaking(SOCIAL_SIZE.width * SOCIAL_SIZE.height, () => {
    signal.throwIfAborted()
    return drawSocial(inputs, tools)
  })
  signal.throwIfAborted()
  store.transact(() => store.keepSocial(seller, hashInputs(inputs, tools), file))
  return true
}
