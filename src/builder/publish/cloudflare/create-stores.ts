/** Lane `objects`: creates the bucket and the queues of the site, unless they exist. */
import { nameQueue, QUEUE_KINDS } from '../../../domain/wire/queues.ts'
import { nameBucket } from '../worker/create-configuration.ts'
import type { CloudflareApi } from './cloudflare-api.ts'

/**
 * Returns a line for each bucket or queue that was created. A name that is taken counts as this site's own, because
 * names begin with the Worker's name and are unique within an account.
 */
export async function createStores(
  api: Pick<CloudflareApi, 'create'>,
  worker: string,
): Promise<readonly string[]> {
  const bucket = nameBucket(worker)
  const lines: string[] = []
  if (await api.create('/r2/buckets', { name: bucket })) lines.push(`The bucket ${bucket} was created.`)
  for (const queue of QUEUE_KINDS.map((kind) => nameQueue(worker, kind)))
    if (await api.create('/queues', { queue_name: queue })) lines.push(`The queue ${queue} was created.`)
  return lines
}
