/**
 * The queues of a site of objects. Builders declare and create them; the Worker sends messages to them and consumes
 * these.
 */

/** `dead`: changes whose message exceeded its retries. */
export type QueueKind = 'changes' | 'dead'

export const QUEUE_KINDS: readonly QueueKind[] = ['changes', 'dead']

/** Max redeliveries of a message of `changes`. After them, the message moves to the queue `dead`. */
export const CHANGE_RETRIES = 5

/** Returns a name that is unique in the account if `worker`, the name of the Worker, is. */
export function nameQueue(worker: string, kind: QueueKind): string {
  return `${worker}-${kind}`
}

/** Returns the kind of the queue with this name; `null` for a queue of another program. */
export function findQueueKind(queue: string): QueueKind | null {
  return QUEUE_KINDS.find((kind) => queue.endsWith(nameQueue('', kind))) ?? null
}
