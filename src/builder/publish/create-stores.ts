/** Creates the bucket and the queue of a site of objects, unless they exist. */
import { nameBucket, nameQueue } from './objects-configuration.ts'
import type { Wrangler } from './wrangler.ts'
import { WranglerError } from './wrangler.ts'

const TIMEOUT = 60_000

/** Messages and codes for a name that is taken: by this site, since names are those of one account. */
const EXISTS = /already (exists|taken|own)|\[code: (10004|11009)\]/i

/** Returns a line for each that was created. */
export async function createStores(run: Wrangler, worker: string): Promise<readonly string[]> {
  const bucket = nameBucket(worker)
  const queue = nameQueue(worker)
  const created = [
    (await create(run, ['r2', 'bucket', 'create', bucket])) ? `The bucket ${bucket} was created.` : null,
    (await create(run, ['queues', 'create', queue])) ? `The queue ${queue} was created.` : null,
  ]
  return created.filter((line) => line !== null)
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
