/** Brings the pictures for shared links up to date. */
import type { Catalogue } from '../../../domain/catalogue/catalogue.ts'
import { hashInputs, isSocialCurrent, readSocialInputs } from './social-inputs.ts'
import { untilAborted } from '../until-aborted.ts'
import type { PhotoTools } from '../photos/process-photo.ts'

/** As many as are drawn at once, and one that waits for each. */
const WIDTH = 4

/** Answers how many were drawn. What is not done when the signal comes is left as it is. */
export async function processSocials(
  catalogues: Iterable<Catalogue>,
  tools: PhotoTools,
  signal: AbortSignal,
): Promise<number> {
  const waiting = takeTurns(catalogues)
  let drawn = 0
  const work = async (): Promise<void> => {
    for (const catalogue of waiting) {
      if (signal.aborted) return
      try {
        if (await untilAborted(workSocial(catalogue, tools, signal), signal)) drawn += 1
      } catch (error) {
        if (!signal.aborted) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: WIDTH }, work))
  return drawn
}

// One iterator for all: each takes the next.
function* takeTurns<T>(items: Iterable<T>): Generator<T> {
  yield* items
}

async function workSocial(catalogue: Catalogue, tools: PhotoTools, signal: AbortSignal): Promise<boolean> {
  const { store, limitMaking } = tools
  const { seller } = catalogue
  if (isSocialCurrent(catalogue, tools)) return false
  const inputs = readSocialInputs(catalogue, tools)
  if (inputs === null) {
    store.dropSocial(seller)
    return false
  }
  const { drawSocial } = await import('./draw-social.ts')
  const file = await limitMaking(() => {
    signal.throwIfAborted()
    return drawSocial(inputs, tools)
  })
  signal.throwIfAborted()
  store.transact(() => store.keepSocial(seller, hashInputs(inputs, tools), file))
  return true
}
