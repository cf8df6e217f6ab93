/**
 * The queues of a site with objects. Builders declare and create the queues; the Worker sends and consumes the
 * messages.
 */

/** `changes`: messages about changed sellers. `dead`: messages that exceeded their retries. */
export type QueueKind = 'changes' | 'dead'

export const QUEUE_KINDS: readonly QueueKind[] = ['changes', 'dead']

/** Max redeliveries of a message of `changes`. After them, the message moves to the queue `dead`. */
export const CHANGE_RETRIES = 5

/** Returns the queue's name. It is unique in the account if the Worker's name is unique. */
export function nameQueue(worker: string, kind: QueueKind): string {
  return `${worker}-${kind}`
}

/** Returns the kind with which this queue's name ends; `null` for none. Does not check the Worker's name. */
export function findQueueKind(queue: string): QueueKind | null {
  return QUEUE_KINDS.find((kind) => queue.endsWith(nameQueue('', kind))) ?? null
}
