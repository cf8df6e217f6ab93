/** The Worker of a site of objects over a bucket that counts its operations and fails on request: `/api/rebuild/proof`. */
import type { R2Bucket } from 'cloudflare:workers'
import type { Context, Environment } from '../../../functions/worker.ts'
import worker from '../../../functions/worker.ts'

type ObjectsEnvironment = Environment & Required<Pick<Environment, 'PAGES'>>

export { SiteCoordinator, SearchShard } from '../../../functions/worker.ts'

/** Operations of the bucket since the last call. */
export interface StoreCounts {
  readonly reads: number
  readonly writes: number
}

export interface ProofCall {
  readonly isDown: boolean
}

const PATH = '/api/rebuild/proof'

// The runtime on one machine has one isolate for this Worker.
const counts = { reads: 0, writes: 0 }
let isDown = false

export default {
  ...worker,
  async fetch(request: Request, environment: ObjectsEnvironment, context: Context): Promise<Response> {
    if (new URL(request.url).pathname !== PATH)
      return worker.fetch(request, { ...environment, PAGES: wrap(environment.PAGES) }, context)
    const call = (await request.json()) as ProofCall
    isDown = call.isDown
    const before = { ...counts }
    Object.assign(counts, { reads: 0, writes: 0 })
    return Response.json(before)
  },
}

function wrap(bucket: R2Bucket): R2Bucket {
  const pass = <Result>(kind: keyof typeof counts, work: () => Promise<Result>): Promise<Result> => {
    if (isDown) return Promise.reject(new Error('R2 is down'))
    counts[kind] += 1
    return work()
  }
  return {
    head: (key) => pass('reads', () => bucket.head(key)),
    get: (key) => pass('reads', () => bucket.get(key)),
    list: (options) => pass('reads', () => bucket.list(options)),
    put: (key, value, options) => pass('writes', () => bucket.put(key, value, options)),
  }
}
