/** Creates the bucket and the queues of a site of objects, unless they exist. */
import { nameQueue, QUEUE_KINDS } from '../../../domain/wire/queues.ts'
import { nameBucket } from '../worker/create-configuration.ts'
import type { Wrangler } from './wrangler.ts'
import { WranglerError } from './wrangler.ts'

const TIMEOUT = 60_000

/** Messages and codes for a name that is taken: by this site, since names are those of one account. */
const EXISTS = /already (exists|taken|own)|\[code: (10004|11009)\]/i

/** Returns a line for each that was created. */
export async function createStores(run: Wrangler, worker: string): Promise<readonly string[]> {
  const bucket = nameBucket(worker)
  const lines: string[] = []
  if (await create(run, ['r2', 'bucket', 'create', bucket])) lines.push(`The bucket ${bucket} was created.`)
  for (const queue of QUEUE_KINDS.map((kind) => nameQueue(worker, kind)))
    if (await create(run, ['queues', 'create', queue])) lines.push(`The queue ${queue} was created.`)
  return lines
}

async function create(run: Wrangler, args: readonly string[]): Promise<boolean> {
  try {
    await run(args, TIMEOUT)
    return true
  } catch (error) {
    if (error instanceof WranglerError && EXISTS.test(error.message)) return false
    throw error
  }
}
