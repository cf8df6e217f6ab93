/**
 * The kinds of operations that Cloudflare bills for a Worker and its Durable Objects, bucket and queues, and the price
 * of each kind.
 */

export interface Bill {
  /** Requests to the Worker. Each batch of messages that a queue delivers to the Worker counts as a request. */
  requests: number
  /** Calls to the Durable Objects, including their alarms. */
  calls: number
  /** Rows that the Durable Objects write and read. */
  written: number
  read: number
  /** `classA`: operations of the bucket that write or list. `classB`: operations that read. */
  classA: number
  classB: number
  /** Operations of the queues, such as writing, reading and deleting a message. */
  queue: number
}

/**
 * US$ for a million operations beyond what Workers Paid includes.
 * Source: https://developers.cloudflare.com/workers/platform/pricing/
 */
const PRICES: Readonly<Bill> = {
  requests: 0.3,
  calls: 0.15,
  written: 1,
  read: 0.001,
  classA: 4.5,
  classB: 0.36,
  queue: 0.4,
}

export const BILLED = Object.keys(PRICES) as readonly (keyof Bill)[]

/** Returns the price of a million times `bill`, in US$. */
export function priceMillion(bill: Readonly<Bill>): number {
  return BILLED.reduce((sum, name) => sum + PRICES[name] * bill[name], 0)
}
