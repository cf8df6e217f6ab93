/**
 * Writes the Worker of the load test: the site's own Worker with one more route, which redelivers the last batch of
 * changes, because a queue may deliver a message twice.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../src/builder/state/project-folder.ts'

/** A GET returns the sellers of the last batch; a POST also redelivers the batch. */
export const AGAIN = '/api/rebuild-again'

/** Writes the Worker's entry module into `folder`, and returns its path. */
export function writeAgainWorker(folder: string): string {
  const entry = join(folder, 'again-worker.mjs')
  writeFileSync(entry, formatEntry(join(ROOT, 'functions/worker.ts')))
  return entry
}

function formatEntry(worker: string): string {
  return `
import worker, { SiteCoordinator, SearchShard } from ${JSON.stringify(worker)}
export { SiteCoordinator, SearchShard }
let last = { messages: [] }
export default {
  ...worker,
  async fetch(request, environment, context) {
    if (new URL(request.url).pathname !== ${JSON.stringify(AGAIN)}) return worker.fetch(request, environment, context)
    if (request.method === 'POST') await worker.queue(last, environment)
    return Response.json(last.messages.map(({ body }) => body.name))
  },
  queue(batch, environment) {
    const again = ({ body, attempts }) => ({ body, attempts, ack() {}, retry() {} })
    if (batch.queue.endsWith('-changes')) last = { queue: batch.queue, messages: batch.messages.map(again) }
    return worker.queue(batch, environment)
  },
}
`
}
