/** Sends the site a signed notice for each write, as the deployed trigger does. */
import type { EventEmitter } from 'node:events'
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { TriggerNotice, Receiver } from '../../functions/firestore-trigger/src/send-notice.ts'
import { PassingError, sendNotice } from '../../functions/firestore-trigger/src/send-notice.ts'
import { PATIENCE } from './follow-edit.ts'
import type { Shop } from '../emulator/shop.ts'

const RETRY = 50

/** Emits `noticed` when the site has stored a notice. Resolves when the listener for writes has started. */
export async function sendNotices(
  receiver: Receiver,
  { shop, events }: { readonly shop: Shop; readonly events: EventEmitter },
): Promise<void> {
  await shop.follow((sellers) => {
    notify(receiver, sellers)
      .then(() => events.emit('noticed'))
      .catch((error: unknown) => events.emit('error', error))
  })
}

/** Resolves when the site has stored the notice. Rejects if the site refuses it. */
export async function notify(receiver: Receiver, sellers: readonly string[]): Promise<void> {
  const notice = { id: `write_${randomBytes(8).toString('hex')}`, sellers }
  await keepTrying(() => send(receiver, notice))
}

async function send(receiver: Receiver, notice: TriggerNotice): Promise<void> {
  const problem = await sendNotice(receiver, notice)
  if (problem !== null) throw new Error(problem)
}

/**
 * Retries temporary failures, as Eventarc does. Such failures occur because the local runtime restarts whenever files
 * of the site change, and does not answer meanwhile. Rejects after `PATIENCE`.
 */
async function keepTrying(work: () => Promise<void>): Promise<void> {
  const end = performance.now() + PATIENCE
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof PassingError) || performance.now() > end) throw error
      await wait(RETRY)
    }
  }
}
