/**
 * Consumes the messages of the Worker's queues: renders changed sellers, and settles dead letters. A message is
 * acknowledged after the coordinator has recorded its outcome or dropped it. If a message was sent twice because the
 * queue was long, the coordinator usually drops one of the two. Processing both would also be correct, because each run
 * reads the current state of the source.
 */
import type { MessageBatch, QueueMessage } from 'cloudflare:workers'
import type { QueueKind } from '../../domain/wire/queues.ts'
import { CHANGE_RETRIES, findQueueKind } from '../../domain/wire/queues.ts'
import type { ChangeMessage, SettledChange } from '../coordinator/change-ledger.ts'
import { settlePuts } from '../objects/put-objects.ts'
import type { ChangeEnd } from './carry-out-changes.ts'
import { carryOutChanges } from './carry-out-changes.ts'
import type { ChangeHost } from './change-host.ts'
import { readMessage } from '../../domain/documents/errors.ts'

/** Delay before a retry after a failure of the coordinator, in seconds. */
const FAILURE = 5

type Message = QueueMessage<ChangeMessage>

type Consumer = (batch: MessageBatch<unknown>, host: ChangeHost) => Promise<void>

// The bodies are not checked, because only the coordinator sends to these queues.
const CONSUMERS: Readonly<Record<QueueKind, Consumer>> = {
  changes: (batch, host) => consumeChanges(batch as MessageBatch<ChangeMessage>, host),
  dead: (batch, host) => consumeDeadLetters(batch as MessageBatch<ChangeMessage>, host),
}

/** Passes the messages of each of the Worker's queues to that queue's consumer. */
export async function consumeQueue(batch: MessageBatch<unknown>, host: ChangeHost): Promise<void> {
  const kind = findQueueKind(batch.queue)
  if (kind === null) throw new Error(`the queue ${batch.queue} does not belong to this Worker`)
  await CONSUMERS[kind](batch, host)
}

/**
 * Processes all new messages together, then each redelivered message alone, because it may be the one that stopped the
 * Worker. Every second delivery processes the redelivered messages in reverse order, so that messages behind one that
 * stops the Worker are processed, too.
 */
export async function consumeChanges(
  { messages }: Pick<MessageBatch<ChangeMessage>, 'messages'>,
  host: ChangeHost,
): Promise<void> {
  const fresh = messages.filter(({ attempts }) => attempts <= 1)
  const repeated = messages.filter(({ attempts }) => attempts > 1)
  const isTurned = repeated.some(({ attempts }) => attempts % 2 === 1)
  const alone = (isTurned ? repeated.toReversed() : repeated).map((message) => [message])
  for (const part of [fresh, ...alone]) await acknowledge(part, host, async () => settle(part, host))
}

/**
 * Reports the outcome `failed` for dead letters that are still wanted: in each of their deliveries, the Worker was
 * stopped or the coordinator failed.
 */
export async function consumeDeadLetters(
  { messages }: Pick<MessageBatch<ChangeMessage>, 'messages'>,
  host: Pick<ChangeHost, 'ledger' | 'log'>,
): Promise<void> {
  const reason = `the Worker was stopped, or the coordinator failed, in each of ${CHANGE_RETRIES + 1} tries to render this page`
  const outcome = { kind: 'failed', reason } as const
  await acknowledge(messages, host, async () => {
    const taken = await host.ledger.takeChanges(messages.map(({ body }) => body))
    await host.ledger.settleChanges(taken.map((message): SettledChange => ({ ...message, outcome })))
  })
}

async function acknowledge(
  messages: readonly Message[],
  { log }: Pick<ChangeHost, 'log'>,
  work: () => Promise<void>,
): Promise<void> {
  if (messages.length === 0) return
  try {
    await work()
    for (const message of messages) message.ack()
  } catch (error) {
    log(`changes: ${messages.length} messages will be delivered again: ${readMessage(error)}`)
    for (const message of messages) message.retry({ delaySeconds: FAILURE })
  }
}

async function settle(messages: readonly Message[], host: ChangeHost): Promise<void> {
  const taken = await host.ledger.takeChanges(messages.map(({ body }) => body))
  if (taken.length === 0) return
  const ends = await carryOutChanges(
    taken.map(({ name }) => name),
    host,
  )
  const settled = ends.flatMap((end) => end.settled ?? [])
  await settlePuts(settled, host)
  const byName = new Map(ends.map((end) => [end.name, end]))
  await host.ledger.settleChanges(taken.flatMap((message) => createSettled(message, byName)))
  const trouble = ends.find(({ outcome }) => outcome.kind === 'trouble')?.outcome
  if (trouble?.kind === 'trouble') host.log(`changes: ${trouble.reason}`)
}

function createSettled(
  message: ChangeMessage,
  ends: ReadonlyMap<string, ChangeEnd>,
): readonly SettledChange[] {
  const end = ends.get(message.name)
  return end === undefined ? [] : [{ ...message, outcome: end.outcome }]
}
