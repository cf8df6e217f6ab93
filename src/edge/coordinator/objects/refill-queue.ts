/** The queue of the refill, and its restart when the queue has given a message up, for example while the store failed. */
import type { Queue } from 'cloudflare:workers'
import type { Variables } from '../coordinator-settings.ts'
import type { RefillMessage } from '../object-ledger.ts'
import { readMessage } from '../../../domain/documents/errors.ts'

/** Returns `null` in a site without objects. */
export function findQueue({ REFILL: queue }: Variables): Queue<RefillMessage> | null {
  return isQueue(queue) ? queue : null
}

/** Never throws. */
export async function restartLost(variables: Variables, plan: () => RefillMessage | null): Promise<void> {
  const queue = findQueue(variables)
  if (queue === null) return
  try {
    const message = plan()
    if (message !== null) await queue.send(message)
  } catch (error) {
    console.error(`refill: ${readMessage(error)}`)
  }
}

function isQueue(value: unknown): value is Queue<RefillMessage> {
  return typeof value === 'object' && value !== null && 'send' in value
}
