/** Stores the buckets and queues of an account, and answers the calls of Cloudflare's API for them. */
import { ApiError } from './api-error.ts'
import type { Binding } from './worker-version.ts'

const TAKEN = { bucket: 10004, queue: 11009, consumer: 11004 }

export class FakeStores {
  readonly buckets = new Set<string>()
  readonly queues = new Map<string, object[]>()

  /** Throws if the bindings of a Worker name a bucket that does not exist. */
  bind(bindings: readonly Binding[]): void {
    const lost = bindings.find(
      ({ type, bucket_name: bucket = '' }) => type === 'r2_bucket' && !this.buckets.has(bucket),
    )
    if (lost !== undefined)
      throw new ApiError(
        400,
        10085,
        `R2 bucket '${lost.bucket_name}' not found. Please use a different name and try again.`,
      )
  }

  /**
   * Handles a call for a bucket or queue. Returns `undefined` for other calls, and for a queue that does not exist.
   * `path` is the part of the URL after the account id.
   */
  answer(method: string, path: string, parameters: URLSearchParams, body: Buffer): unknown {
    const read = (): Record<string, unknown> => JSON.parse(body.toString()) as Record<string, unknown>
    if (`${method} ${path}` === 'POST /r2/buckets') return this.#createBucket(String(read()['name']))
    if (`${method} ${path}` === 'POST /queues') return this.#createQueue(String(read()['queue_name']))
    if (`${method} ${path}` === 'GET /queues') return this.#list(parameters.get('name'))
    const bucket = /^\/r2\/buckets\/([^/]+)$/.exec(path)?.[1]
    if (bucket !== undefined) return this.#answerBucket(method, bucket)
    const [, queue = '', rest = ''] = /^\/queues\/([^/]+)(.*)$/.exec(path) ?? []
    const consumers = this.queues.get(queue)
    if (consumers === undefined) return undefined
    if (method === 'GET' && rest === '/consumers') return consumers
    if (rest.startsWith('/consumers')) {
      const added = read()
      const consumer = { consumer_id: 'consumer', script: added['script_name'], ...added }
      if (method === 'POST' && consumers.length > 0)
        throw new ApiError(400, TAKEN.consumer, 'The queue has a consumer already.')
      consumers.splice(0, consumers.length, consumer)
      return consumer
    }
    if (method === 'DELETE') return this.queues.delete(queue)
    return describe(queue, consumers)
  }

  #answerBucket(method: string, name: string): object {
    if (!this.buckets.has(name)) throw new ApiError(404, 10006, 'The specified bucket does not exist.')
    if (method === 'DELETE') this.buckets.delete(name)
    return { name }
  }

  #createBucket(name: string): object {
    if (this.buckets.has(name))
      throw new ApiError(409, TAKEN.bucket, 'The bucket you tried to create already exists, and you own it.')
    this.buckets.add(name)
    return { name }
  }

  #createQueue(name: string): object {
    if (this.queues.has(name)) throw new ApiError(409, TAKEN.queue, 'Queue name is already taken.')
    this.queues.set(name, [])
    return describe(name, [])
  }

  #list(name: string | null): readonly object[] {
    const all = [...this.queues].filter(([queue]) => name === null || queue === name)
    return all.map(([queue, consumers]) => describe(queue, consumers))
  }
}

function describe(name: string, consumers: readonly object[]): object {
  return { queue_id: name, queue_name: name, consumers, producers: [], settings: {} }
}
