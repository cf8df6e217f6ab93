/** Updates the pictures for shared links. */
import type { Catalogue } from '../../../domain/catalogue/catalogue.ts'
import { HOME } from '../../../domain/pages/find-pictures.ts'
import { inLanes } from '../../../domain/work/batches.ts'
import type { SocialInputs } from './social-inputs.ts'
import {
  hashSocialInputs,
  isHomeCurrent,
  isSocialCurrent,
  readHomeInputs,
  readSocialInputs,
  SOCIAL_SIZE,
} from './social-inputs.ts'
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
  let drawn = 0
  await inLanes(takeUntil(signal, catalogues), WIDTH, async (catalogue) => {
    try {
      if (await untilAborted(processSocial(catalogue, tools, signal), signal)) drawn += 1
    } catch (error) {
      if (!signal.aborted) throw error
    }
  })
  return drawn
}

function* takeUntil<T>(signal: AbortSignal, items: Iterable<T>): Generator<T> {
  for (const item of items) {
    if (signal.aborted) return
    yield item
  }
}

async function processSocial(catalogue: Catalogue, tools: PhotoTools, signal: AbortSignal): Promise<boolean> {
  if (isSocialCurrent(catalogue, tools)) return false
  const inputs = readSocialInputs(catalogue, tools)
  await drawAndKeep({ seller: catalogue.seller, inputs, signal }, tools)
  return true
}

export async function processHomeSocial(tools: PhotoTools): Promise<void> {
  if (isHomeCurrent(tools)) return
  const { signal } = new AbortController()
  await drawAndKeep({ seller: HOME, inputs: readHomeInputs(tools), signal }, tools)
}

async function drawAndKeep(
  { seller, inputs, signal }: { seller: string; inputs: SocialInputs; signal: AbortSignal },
  tools: PhotoTools,
): Promise<void> {
  const { drawSocial } = await import('./draw-social.ts')
  const file = await tools.limitMaking(SOCIAL_SIZE.width * SOCIAL_SIZE.height, () => {
    signal.throwIfAborted()
    return drawSocial(inputs, tools)
  })
  signal.throwIfAborted()
  tools.store.transact(() => tools.store.keepSocial(seller, hashSocialInputs(inputs, tools), file))
}
