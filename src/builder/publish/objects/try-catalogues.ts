/**
 * Renders all catalogues with code that is about to be published. If a catalogue fails, the Worker will keep showing
 * its stored page, if there is one. If too many fail, `checkTrial` rejects the code.
 */
import { setImmediate } from 'node:timers/promises'
import { isTooMuch } from '../../../domain/objects/large-share.ts'
import { readMessage } from '../../../domain/documents/errors.ts'
import { formatId } from '../../../domain/documents/format-id.ts'
import { formatCount, formatNumber } from '../../format-numbers.ts'
import { readObjectData } from '../../rebuild/plan/object-data.ts'
import type { PageDataSource } from '../../rebuild/plan/page-sources.ts'
import type { Renderer } from '../../renderer/load-renderer.ts'
import { createCataloguePage } from '../../../domain/objects/object-data.ts'
import { readResultCode } from '../../result-codes.ts'
import { DeliverableError } from '../publish-error.ts'

export interface Trial {
  /** Number of catalogues that were tried, including failed ones. */
  readonly tried: number
  readonly failed: readonly { readonly seller: string; readonly reason: string }[]
}

const SHOWN = 5
/** Number of catalogues between two progress messages. */
const STEP = 100

export async function tryCatalogues(
  data: PageDataSource,
  renderer: Renderer,
  progress: (text: string) => void,
): Promise<Trial> {
  const failed: { seller: string; reason: string }[] = []
  let tried = 0
  for (const seller of data.snapshot.readSellers()) {
    try {
      const read = readObjectData(data, seller)
      if (read !== null) await renderer.render(createCataloguePage(read))
    } catch (error) {
      if (readResultCode(error) > 0) throw error
      failed.push({ seller, reason: readMessage(error) })
    }
    tried += 1
    if (tried % STEP !== 0) continue
    progress(`Trying the code: ${formatCount(tried, 'catalogue')} rendered`)
    // Frees memory: timers of React retain each rendered page until the event loop turns.
    await setImmediate()
  }
  return { tried, failed }
}

/** Throws a `DeliverableError` if so many catalogues fail that the code, not the data, is probably wrong. */
export function checkTrial({ tried, failed }: Trial): void {
  if (!isTooMuch(failed.length, tried)) return
  throw new DeliverableError(
    `${formatNumber(failed.length)} of ${formatCount(tried, 'catalogue')} cannot be rendered with this code, so it was not published. ${listFailed(failed).join('. ')}. Fix the code, or publish it anyway with npm run deploy -- --force.`,
  )
}

export function formatTrial({ failed }: Trial): readonly string[] {
  return listFailed(failed, '. Visitors keep getting its stored page, if there is one').map(
    (text) => `  ${text}`,
  )
}

/** `effect` is added to the line of each catalogue. */
function listFailed(failed: Trial['failed'], effect = ''): readonly string[] {
  const lines = failed
    .slice(0, SHOWN)
    .map(
      ({ seller, reason }) => `The catalogue of ${formatId(seller)} cannot be rendered: ${reason}${effect}`,
    )
  const more = failed.length - lines.length
  return more > 0 ? [...lines, `The same holds for ${formatCount(more, 'more catalogue')}`] : lines
}
