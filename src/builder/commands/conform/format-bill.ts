/** Formats the cost of a run. */
import { formatCount } from '../../format-numbers.ts'
import type { Bill } from '../../publish/cloudflare/prices.ts'
import { priceMillion } from '../../publish/cloudflare/prices.ts'

const CENT = 0.01

/** Returns a sentence that begins with a space; an empty text if there is no bill. */
export function formatBill(bill: Readonly<Bill> | null): string {
  if (bill === null) return ''
  const price = priceMillion(bill) / 1_000_000
  const counts = [
    formatCount(bill.requests, 'request'),
    formatCount(bill.written, 'row'),
    formatCount(bill.classA, 'put or list', 'puts and lists'),
    formatCount(bill.classB, 'read of the bucket', 'reads of the bucket'),
    formatCount(bill.queue, 'operation of queues', 'operations of queues'),
  ]
  return ` ${counts.join(', ')}: ${price < CENT ? 'less than a cent' : `${price.toFixed(2)} US$`}.`
}
