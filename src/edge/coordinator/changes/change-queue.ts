/** Finds the queue of changes among the coordinator's bindings, and sends messages to it. */
import type { Queue } from 'cloudflare:workers'
import type { ChangeMessage } from '../change-ledger.ts'
import type { Variables } from '../coordinator-settings.ts'
import type { Unsent } from './send-changes.ts'
import { readMessage } from '../../../domain/documents/errors.ts'

/** Max messages per call. Source: https://developers.cloudflare.com/queues/platform/limits/ */
const BATCH = 100

/** Returns `null` if the Worker has no queue, as in a site without objects. */
export function findChangeQueue({ CHANGES: queue }: Variables): Queue<ChangeMessage> | null {
  return isQueue(queue) ? queue : null
}

/** Never rejects. Returns the messages that the queue did not accept; `null` if it accepted all. */
export async function sendMessages(
  queue: Queue<ChangeMessage>,
  messages: readonly ChangeMessage[],
): Promise<Unsent | null> {
  for (let from = 0; from < messages.length; from += BATCH) {
    try {
      await queue.sendBatch(messages.slice(from, from + BATCH).map((body) => ({ body })))
    } catch (error) {
      const reason = readMessage(error)
      return {
        messages: messages.slice(from),
        reason: `the queue of changes did not accept the messages: ${reason}`,
      }
    }
  }
  return null
}

function isQueue(value: unknown): value is Queue<ChangeMessage> {
  return typeof value === 'object' && value !== null && 'sendBatch' in value
}
