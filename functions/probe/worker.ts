/**
 * The Worker with which `conform` tests the features that the site's Worker relies on. `conform` deploys it under a
 * separate name, or runs it locally. Each request for a test must carry the key that was generated for this run.
 */
import type { MessageBatch, Namespace, Queue, R2Bucket } from 'cloudflare:workers'
import { askBucket } from './ask-bucket.ts'
import type { ProbeObject } from './probe-object.ts'

export { ProbeObject } from './probe-object.ts'

interface Environment {
  readonly PROBE_KEY: string
  readonly VERSION: string
  readonly PROBE: Namespace<Pick<ProbeObject, 'ask' | 'note'>>
  /**
   * `PAGES` and `CHANGES` are bound only if `conform` tests objects: with `HOSTING=objects`, or on the local runtime.
   */
  readonly PAGES?: R2Bucket
  readonly CHANGES?: Queue<string>
}

/** Result of a test, and the numbers of operations that Cloudflare bills for the test. */
interface Answered {
  readonly answer: unknown
  readonly [count: string]: unknown
}

type Question = (
  environment: Environment,
  parameters: URLSearchParams,
  address: string,
) => Promise<Answered> | Answered

// The cast is needed because TypeScript's browser types do not declare Cloudflare's `caches.default`.
const { default: cache } = caches as unknown as { readonly default: Cache }

const PREFIX = '/api/probe/'
/** The body of a message that is never acknowledged in the main queue, so that it ends in the dead-letter queue. */
const POISON = 'poison'
/** Billed operations per queue message: a write, a read and a delete. */
const PER_MESSAGE = 3

const QUESTIONS: Readonly<Record<string, Question>> = {
  version: ({ VERSION }) => ({ answer: VERSION }),
  cache: async (_, parameters, address) => ({ answer: await answerCache(parameters, address) }),
  work: (_, parameters) => ({ answer: work(Number(parameters.get('rounds'))) }),
  object: ({ PROBE }, parameters) =>
    PROBE.getByName('probe').ask(parameters.get('what') ?? '', Number(parameters.get('size'))),
  bucket: ({ PAGES }, parameters) => (PAGES === undefined ? { answer: null } : askBucket(PAGES, parameters)),
  send: async ({ CHANGES }, parameters) => {
    const bodies = (parameters.get('bodies') ?? '').split(',')
    await CHANGES?.sendBatch(bodies.map((body) => ({ body })))
    return { answer: bodies.length, queue: PER_MESSAGE * bodies.length }
  },
}

export default {
  async fetch(request: Request, environment: Environment): Promise<Response> {
    const { pathname, searchParams, origin } = new URL(request.url)
    // Shows `conform` that the Worker, not a static file, answered this path.
    if (!pathname.startsWith(PREFIX)) return new Response('worker')
    const question = QUESTIONS[pathname.slice(PREFIX.length)]
    const isKnown = request.headers.get('authorization') === `Bearer ${environment.PROBE_KEY}`
    if (question === undefined || !isKnown) return Response.json(null, { status: 404 })
    const { answer, ...bill } = await question(environment, searchParams, origin)
    return Response.json({ answer: answer ?? null, bill })
  },

  async queue({ queue, messages }: MessageBatch<string>, { PROBE }: Environment): Promise<void> {
    const isDead = queue.endsWith('-dead')
    await PROBE.getByName('probe').note(
      messages.map(({ body, attempts }) => ({ body, attempts, isDead: isDead ? 1 : 0 })),
    )
    for (const message of messages)
      if (message.body === POISON && !isDead) message.retry({ delaySeconds: 0 })
      else message.ack()
  },
}

/**
 * Uses processor time. `rounds` is a count instead of a duration, because the clock of a Worker does not advance during
 * a computation.
 */
function work(rounds: number): number {
  let hash = 1
  for (let round = 0; round < rounds; round += 1) hash = Math.imul(hash ^ round, 16_777_619)
  return hash
}

/**
 * Reads, writes or deletes an entry in the edge cache of the data centre that runs the request. The entry's key is a
 * URL of the probe.
 */
async function answerCache(parameters: URLSearchParams, origin: string): Promise<unknown> {
  const key = `${origin}/kept?name=${encodeURIComponent(parameters.get('name') ?? '')}`
  const text = parameters.get('text') ?? ''
  switch (parameters.get('what')) {
    case 'put':
      return cache.put(key, new Response(text, { headers: { 'cache-control': 'max-age=600' } }))
    case 'delete':
      return cache.delete(key)
    default:
      return (await cache.match(key))?.text() ?? null
  }
}
