/**
 * The Worker of the proof: runs the tasks of stories over real R2, caches and SQLite, and asks the harness before each
 * operation.
 */
import type { DurableObjectState, Namespace, R2Bucket } from 'cloudflare:workers'
import { DurableObject } from 'cloudflare:workers'
import type { ObjectStore } from '../../../src/edge/objects/object-store.ts'
import type { HostCache } from '../../../src/edge/pages/page-cache.ts'
import { createR2Store } from '../../../src/edge/objects/r2-store.ts'
import type { StoryLedger } from './memory/open-ledger.ts'
import { openStoryLedger } from './memory/open-ledger.ts'
import { createStoryWorker } from './story-worker.ts'
import type { EdgeAnswers, EdgeKind, RunCall, StoryWorker, WorkCall } from './edge.ts'
import type { AskPage, Ongoing } from './traffic.ts'
import { readMessage } from '../../../src/domain/documents/errors.ts'

interface RemoteLedger {
  call(now: number, method: keyof StoryLedger, args: readonly unknown[]): Promise<unknown>
}

interface Environment {
  readonly PAGES: R2Bucket
  readonly LEDGER: Namespace<RemoteLedger>
}

interface Context {
  waitUntil(work: Promise<unknown>): void
}

/** The coordinator of one story. */
export class LedgerObject extends DurableObject<Environment> implements RemoteLedger {
  #now = 0
  readonly #ledger: StoryLedger

  constructor(ctx: DurableObjectState, environment: Environment) {
    super(ctx, environment)
    const { storage } = ctx
    this.#ledger = openStoryLedger(
      storage.sql,
      () => this.#now,
      (work) => storage.transactionSync(work),
    )
  }

  async call(now: number, method: keyof StoryLedger, args: readonly unknown[]): Promise<unknown> {
    this.#now = now
    const work = this.#ledger[method] as (...all: readonly unknown[]) => unknown
    return work(...args)
  }
}

export default {
  async fetch(request: Request, environment: Environment, context: Context): Promise<Response> {
    if (request.method !== 'POST') return new Response('ready')
    const call = (await request.json()) as RunCall
    if (call.kind === 'read waiting') {
      const result = await environment.LEDGER.getByName(call.story).call(call.now, 'readWaiting', [])
      return Response.json({ result })
    }
    const { result, ended } = run(call, openWorker(call, environment))
    if (call.task === null) await ended
    else context.waitUntil(ended.then(() => post(`${call.harness}/ended`, { task: call.task })))
    try {
      return Response.json({ result: await result })
    } catch (error) {
      return Response.json({ error: readMessage(error) })
    }
  },
}

function run<Kind extends EdgeKind>(
  { harness, task, by, kind, call }: WorkCall<Kind>,
  worker: StoryWorker,
): Ongoing<EdgeAnswers[Kind]> {
  const ask: AskPage | null = task === null ? null : (question) => post(`${harness}/ask`, { task, question })
  return worker.run(kind, call, ask, by)
}

function openWorker({ story, keys, origin, maxAge }: WorkCall, { PAGES, LEDGER }: Environment): StoryWorker {
  return createStoryWorker({
    store: createPrefixedStore(createR2Store(PAGES), `${story}/`),
    keys,
    origin,
    maxAge,
    openCache: (center) =>
      (caches as unknown as { open(name: string): Promise<HostCache> }).open(`${story}-${center}`),
    openLedger: (now) => openRemoteLedger(LEDGER.getByName(story), now),
  })
}

/** Creates a store that puts `prefix` before every key, so that stories share one bucket but no objects. */
function createPrefixedStore(store: ObjectStore, prefix: string): ObjectStore {
  const strip = <Seen extends { readonly key: string }>(seen: Seen): Seen => ({
    ...seen,
    key: seen.key.slice(prefix.length),
  })
  return {
    head: async (key) => {
      const seen = await store.head(prefix + key)
      return seen === null ? null : strip(seen)
    },
    get: async (key, count) => {
      const found = await store.get(prefix + key, count)
      return found === null ? null : strip(found)
    },
    put: (key, bytes, options) => store.put(prefix + key, bytes, options),
    list: async (under, after) => {
      const { objects, next } = await store.list(prefix + under, after === null ? null : prefix + after)
      return { objects: objects.map(strip), next: next === null ? null : next.slice(prefix.length) }
    },
  }
}

/** Creates a ledger whose methods call the Durable Object. */
function openRemoteLedger(ledger: RemoteLedger, now: number): StoryLedger {
  const get =
    (_: object, method: string | symbol) =>
    (...args: readonly unknown[]) =>
      ledger.call(now, method as keyof StoryLedger, args)
  return new Proxy({}, { get }) as StoryLedger
}

async function post<Result>(url: string, body: object): Promise<Result> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  return (await response.json()) as Result
}
