/** Lane `objects`: creates the bucket and the queues of the site, unless they exist. */
import { nameQueue, QUEUE_KINDS } from '../../../domain/wire/queues.ts'
import { nameBucket } from '../worker/create-configuration.ts'
import type { CloudflareApi } from './cloudflare-api.ts'

interface CreatedStores {
  /** A line to print for each bucket or queue that was created. */
  readonly lines: readonly string[]
  readonly isBucketNew: boolean
}

/**
 * Creates what does not exist. A name that is taken counts as this site's own, because
 * names begin with the Worker's name and are unique within an account.
 */
export async function createStores(
  api: Pick<CloudflareApi, 'create'>,
  worker: string,
): Promise<CreatedStores> {
  const bucket = nameBucket(worker)
  const isBucketNew = await api.create('/r2/buckets', { name: bucket })
  const lines = isBucketNew ? [`The bucket ${bucket} was created.`] : []
  for (const queue of QUEUE_KINDS.map((kind) => nameQueue(worker, kind)))
    if (await api.create('/queues', { queue_name: queue })) lines.push(`The queue ${queue} was created.`)
  return { lines, isBucketNew }
}
