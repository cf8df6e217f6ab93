/** The buckets and queues of an account, with the calls of Cloudflare's API that wrangler makes for them. */
import { ApiError } from './api-error.ts'

const TAKEN = { bucket: 10004, queue: 11009 }

export class FakeStores {
  readonly buckets = new Set<string>()
  readonly queues = new Map<string, object[]>()

  /** `path` is that below the account. Returns `undefined` for other calls. */
  answer(method: string, path: string, parameters: URLSearchParams, body: Buffer): unknown {
    const read = (): Record<string, unknown> => JSON.parse(body.toString()) as Record<string, unknown>
    if (`${method} ${path}` === 'POST /r2/buckets') return this.#createBucket(String(read()['name']))
    if (`${method} ${path}` === 'POST /queues') return this.#createQueue(String(read()['queue_name']))
    if (`${method} ${path}` === 'GET /queues') return this.#list(parameters.get('name'))
    const bucket = /^\/r2\/buckets\/([^/]+)$/.exec(path)?.[1]
    if (method === 'GET' && bucket !== undefined && this.buckets.has(bucket)) return { name: bucket }
    const [, queue = '', rest = ''] = /^\/queues\/([^/]+)(.*)$/.exec(path) ?? []
    const consumers = this.queues.get(queue)
    if (consumers === undefined) return undefined
    if (method === 'GET' && rest === '/consumers') return consumers
    if (rest.startsWith('/consumers')) {
      if (method === 'POST') consumers.push({ consumer_id: 'consumer', ...read() })
      return read()
    }
    return describe(queue, consumers)
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
