/** Lane `objects`: creates the bucket of the site, unless it exists. */
import { nameBucket } from '../worker/create-configuration.ts'
import type { CloudflareApi } from './cloudflare-api.ts'

interface CreatedStores {
  /** A line to print if the bucket was created. */
  readonly lines: readonly string[]
  readonly isBucketNew: boolean
}

/**
 * Creates the bucket unless it exists. A name that is taken counts as this site's own, because
 * names begin with the Worker's name and are unique within an account.
 */
export async function createStores(
  api: Pick<CloudflareApi, 'create'>,
  worker: string,
): Promise<CreatedStores> {
  const bucket = nameBucket(worker)
  const isBucketNew = await api.create('/r2/buckets', { name: bucket })
  return { lines: isBucketNew ? [`The bucket ${bucket} was created.`] : [], isBucketNew }
}
