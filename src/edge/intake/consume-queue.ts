/** Passes the messages of each of the Worker's queues to that queue's consumer. */
import type { MessageBatch } from 'cloudflare:workers'
import type { QueueKind } from '../../domain/wire/queues.ts'
import { findQueueKind } from '../../domain/wire/queues.ts'
import type { ChangeMessage } from '../coordinator/change-ledger.ts'
import type { ChangeHost } from './change-host.ts'
import { consumeChanges, consumeDeadLetters } from './consume-changes.ts'

type Consumer = (batch: MessageBatch<unknown>, host: ChangeHost) => Promise<void>

// The bodies are not checked, because only the coordinator sends to these queues.
const CONSUMERS: Readonly<Record<QueueKind, Consumer>> = {
  changes: (batch, host) => consumeChanges(batch as MessageBatch<ChangeMessage>, host),
  dead: (batch, host) => consumeDeadLetters(batch as MessageBatch<ChangeMessage>, host),
}

export async function consumeQueue(batch: MessageBatch<unknown>, host: ChangeHost): Promise<void> {
  const kind = findQueueKind(batch.queue)
  if (kind === null) throw new Error(`the queue ${batch.queue} does not belong to this Worker`)
  await CONSUMERS[kind](batch, host)
}
