/**
 * The calls of a builder to a bucket, with a lease that a test decides. The header `x-holder` has the answers to the
 * questions who holds the lease, and `x-step` the milliseconds that pass at each look at the clock. The answer has the
 * number of questions that were left over.
 */
import { DurableObject } from 'cloudflare:workers'
import type { Bucket } from '../../../../src/edge/files/bucket.ts'
import { createFilesApi } from '../../../../src/edge/files/files-api.ts'

export class BuildCoordinator extends DurableObject<object> {}

let clock = 0
let step = 0

const options = { now: () => (clock += step), log: () => {} }
const answer = createFilesApi(options)
/** For requests with the header `x-short`. */
const answerSoon = createFilesApi({ ...options, patience: 100 })

export default {
  async fetch(request: Request, { FILES }: { readonly FILES: Bucket }): Promise<Response> {
    step = Number(request.headers.get('x-step'))
    const answers = (request.headers.get('x-holder') ?? '').split(' ').filter(Boolean)
    const isHolder = async (): Promise<boolean> => answers.shift() === 'yes'
    const call = request.headers.has('x-short') ? answerSoon : answer
    const response = await call(request, { bucket: FILES, isHolder })
    response.headers.set('x-left', String(answers.length))
    return response
  },
}
