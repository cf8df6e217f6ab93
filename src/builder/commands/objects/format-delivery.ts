/** Formats what a delivery did, for people and for programs. */
import { formatId } from '../../../domain/documents/format-id.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import { formatCount, formatNumber } from '../../format-numbers.ts'
import type { DeliveryOutcome } from '../../publish/objects/delivery.ts'
import type { Failure } from '../../state/snapshot/waits.ts'
import { EXIT } from '../exit-codes.ts'
import { listFirst } from '../terminal/format-lines.ts'

/**
 * Numbers of objects for the report of a rebuild. `refused`: removals that the guard of the site refused. `failed`:
 * objects that keep their old version because of an error. `waiting`: objects that were not delivered because other
 * writers changed them at each try.
 */
export interface DeliveryReport {
  readonly stored: number
  readonly refused: number
  readonly failed: number
  readonly waiting: number
  /** Number of bytes sent. */
  readonly bytes: number
}

const SHOWN = 20

export function createDeliveryReport(outcome: DeliveryOutcome): DeliveryReport {
  const { stored, refused, failed, beaten, bytes } = outcome
  return {
    stored: stored.length,
    refused: refused.length,
    failed: failed.length,
    waiting: beaten.length,
    bytes,
  }
}

export function findDeliveryExit({ refused, failed, beaten }: DeliveryOutcome): number {
  return refused.length + failed.length + beaten.length > 0 ? EXIT.pageFailed : EXIT.done
}

export function formatDelivery(outcome: DeliveryOutcome): readonly string[] {
  const { stored, refused, failed, beaten, bytes } = outcome
  return [
    ...formatUnstored(
      refused,
      'would be removed, but the guard of the site keeps the old version (--allow-shrink removes it)',
    ),
    ...formatUnstored(failed, 'failed and keeps the old version, if there is one'),
    ...(beaten.length === 0
      ? []
      : [
          `${formatCount(beaten.length, 'object')} not delivered, because other writers changed them at each try: the next run delivers them.`,
        ]),
    stored.length === 0 && bytes === 0
      ? `  delivered   nothing${refused.length + failed.length + beaten.length === 0 ? ': the site has everything' : ''}`
      : `  delivered   ${formatCount(stored.length, 'object')}, ${formatNumber(Math.ceil(bytes / 1000))} kB sent`,
  ]
}

function formatUnstored(objects: readonly Failure[], what: string): readonly string[] {
  const format = ({ seller, reason }: Failure): string => cleanText(`${formatId(seller)} ${what}: ${reason}`)
  return listFirst(objects, format, { most: SHOWN })
}
