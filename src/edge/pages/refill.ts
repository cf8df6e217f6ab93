/**
 * The refill: renders objects of other code again, from their own data, for the code that the coordinator calls live. A message
 * of the queue does a part and sends the next message; the coordinator keeps the position, so that doubled, late and lost
 * messages do no harm.
 */
import type { MessageBatch, QueueMessage } from 'cloudflare:workers'
import type { RefillMessage, RefillStep } from '../coordinator/object-ledger.ts'
import type { ObjectHost } from './object-host.ts'
import { refillPart } from './refill-part.ts'
import { readMessage } from '../../domain/documents/errors.ts'

/** In seconds: while another version of the Worker is live, and after a failure of the store or the coordinator. */
const OTHER_VERSION = 10
const FAILURE = 30

export async function consumeRefill(
  { messages }: Pick<MessageBatch<RefillMessage>, 'messages'>,
  host: ObjectHost,
): Promise<void> {
  for (const message of messages) await consume(message, host)
}

/** Sends the message of the next step, if this Worker's code is live and its refill is not done. */
export async function sendNextStep({ ledger, renderer, sendRefill }: ObjectHost): Promise<void> {
  const step = await ledger.claimRefill(renderer.code)
  if (step !== null) await sendRefill({ code: renderer.code, ...step })
}

async function consume(message: QueueMessage<RefillMessage>, host: ObjectHost): Promise<void> {
  try {
    const delaySeconds = await carryOut(message, host)
    if (delaySeconds === null) message.ack()
    else message.retry({ delaySeconds })
  } catch (error) {
    host.log(`refill: ${readMessage(error)}`)
    message.retry({ delaySeconds: FAILURE })
  }
}

/** Returns after how many seconds to try again; `null` for never. */
async function carryOut(
  { body, attempts }: QueueMessage<RefillMessage>,
  host: ObjectHost,
): Promise<number | null> {
  const { ledger, renderer } = host
  const step = await ledger.claimRefill(body.code)
  if (step === null) return null
  if (body.code !== renderer.code) return OTHER_VERSION
  // A first delivery at another position is doubled or late: the message of this position is under way. A repeated one may
  // have died after it had settled.
  if (attempts === 1 && !isAt(body, step)) return null
  const next = await ledger.settleRefill(renderer.code, await refillPart(step, host))
  if (next !== null) await host.sendRefill({ code: renderer.code, ...next })
  return null
}

function isAt({ bucket, after }: RefillMessage, step: RefillStep): boolean {
  return bucket === step.bucket && after === step.after
}
