/**
 * The Worker of a story: the real functions over a store, cache and ledger that ask the story, before each operation,
 * whether it succeeds. Runs in Node and in workerd.
 */
import { DEFAULT_MAX_PRODUCTS } from '../../../src/domain/catalogue/product-limit.ts'
import type { QueueMessage } from 'cloudflare:workers'
import { listTags } from '../../../src/edge/objects/list-tags.ts'
import { createUnknownCataloguePage } from '../../../src/domain/pages/page.ts'
import type { PictureFacts } from '../../../src/domain/objects/data-facts.ts'
import type { ObjectStore } from '../../../src/edge/objects/object-store.ts'
import type { HostCache, PageCache } from '../../../src/edge/pages/page-cache.ts'
import { createPageCache } from '../../../src/edge/pages/page-cache.ts'
import { acceptObjects } from '../../../src/edge/objects/push-objects.ts'
import { listAddresses } from '../../../src/edge/pages/route-page.ts'
import { serve } from '../../../src/edge/pages/serve.ts'
import { createWorkRoom } from '../../../src/edge/pages/work-room.ts'
import type { ChangeMessage } from '../../../src/edge/coordinator/change-ledger.ts'
import type { ChangeHost } from '../../../src/edge/intake/change-host.ts'
import { consumeChanges, consumeDeadLetters } from '../../../src/edge/intake/consume-changes.ts'
import type {
  Answering,
  EdgeAnswer,
  EdgeAnswers,
  EdgeCalls,
  EdgeKind,
  StoryBatch,
  StoryWorker,
} from './edge.ts'
import type { Gate } from './gate.ts'
import { createGate } from './gate.ts'
import { gateCache, gateLedger, gateStore } from './gated-parts.ts'
import type { StoryLedger } from './memory/open-ledger.ts'
import type { Code } from './stories/happenings.ts'
import { createStoryRenderer, findIntake } from './stories/story-renderer.ts'
import { createStorySource } from './stories/story-seller-source.ts'
import type { AskPage, Ongoing } from './traffic.ts'

/** The store, caches and ledger behind the gate: those of the local runtime, or imitations in memory. */
interface EdgeParts {
  readonly store: ObjectStore
  /** The keys of all objects that stories use. */
  readonly keys: readonly string[]
  readonly origin: string
  /** `EDGE_MAX_AGE`, in milliseconds. */
  readonly maxAge: number
  openCache(center: string): Promise<HostCache>
  /** Opens the ledger for one call at this time. */
  openLedger(now: number): StoryLedger
}

const NO_FACTS: PictureFacts = { mode: 'off', hosts: { names: [], origins: [] }, makesPreviews: false }

const silent = (): void => {}

export function createStoryWorker(parts: EdgeParts): StoryWorker {
  const begin = <Result>(
    ask: AskPage | null,
    by: Answering,
    work: (opened: Opened) => Promise<Result>,
  ): Ongoing<Result> => {
    const opened = openParts(parts, ask, by)
    const result = opened.then(work)
    // Callers may handle a rejection of `result` later. Until then this handler prevents an unhandled rejection.
    result.catch(silent)
    const end = async (): Promise<void> => {
      const { background, gate } = await opened
      await Promise.all(background)
      await gate.drain()
    }
    return { result, ended: result.then(end, end) }
  }
  return {
    run: (kind, call, ask, by) => begin(ask, by, (opened) => CALLS[kind](call, opened, parts)),
  }
}

const CALLS: {
  readonly [Kind in EdgeKind]: (
    call: EdgeCalls[Kind],
    opened: Opened,
    parts: EdgeParts,
  ) => Promise<EdgeAnswers[Kind]>
} = {
  visit,
  tags: (call, { host }) => listTags(call, host),
  push: (batch, { host }) => acceptObjects(batch, host),
  notice: (notice, { host }) => host.ledger.announce(notice),
  alarm: (_, { host, gate }) => sendDue(host.ledger, gate),
  deliver: (batch, { host }) => deliver(batch, host),
  allow: async (_, { host }) => void (await host.ledger.permit({ objects: [], isShrinkAllowed: true })),
  'hand over': (isQueue, { host }) => host.ledger.open(isQueue),
}

async function visit(path: string, opened: Opened, parts: EdgeParts): Promise<EdgeAnswer> {
  const { gate, host, pages, background } = opened
  const request = new Request(parts.origin + path, { redirect: 'manual' })
  const response = await serve(request, {
    ...host,
    cache: pages,
    openLedger: () => host.ledger,
    assets: { fetch: () => answerUnknown(host.renderer) },
    maxAge: parts.maxAge,
    room: createWorkRoom(gate.now),
    now: gate.now,
    later: (work) => void background.push(work),
    // A story's clock advances only between operations, so no timeout expires.
    wait: () => new Promise(() => {}),
  })
  return readAnswer(response)
}

/** Sends due messages, as the coordinator's alarm does. If the queue fails, reports the messages as not sent. */
async function sendDue(ledger: StoryLedger, gate: Gate): Promise<void> {
  const messages = await ledger.claimDue()
  if (messages.length === 0) return
  const isSent = await gate
    .pass({ operation: 'send changes', target: JSON.stringify(messages) }, async () => true)
    .catch(() => false)
  if (!isSent) await ledger.takeBack(messages)
}

async function deliver({ messages, isBuried }: StoryBatch, host: StoryHost): Promise<readonly boolean[]> {
  const done = messages.map(() => false)
  const held = messages.map((message, index): QueueMessage<ChangeMessage> => ({
    ...message,
    ack: () => void (done[index] = true),
    retry: silent,
  }))
  await (isBuried ? consumeDeadLetters : consumeChanges)({ messages: held }, host)
  return done
}

type StoryHost = Omit<ChangeHost, 'ledger'> & { readonly ledger: StoryLedger }

interface Opened {
  readonly gate: Gate
  readonly host: StoryHost
  readonly pages: PageCache
  /** Work that continues after the response. */
  readonly background: Promise<void>[]
}

async function openParts(parts: EdgeParts, ask: AskPage | null, by: Answering): Promise<Opened> {
  const gate = ask === null ? createOpenGate(by.now) : createGate(ask, by.now)
  const cache = gateCache(await parts.openCache(by.center), gate, by.center)
  // Created for each call, so that visits share no memory, as if they ran in separate isolates.
  const pages = createPageCache(cache, { origin: parts.origin, code: by.code, log: silent })
  const ledger = gateLedger(parts.openLedger, gate)
  const host = createStoryHost({
    store: gateStore(parts.store, gate, parts.keys),
    code: by.code,
    ledger,
    forgetPages: async (name) => {
      for (const address of listAddresses(name)) await pages.forget(address)
    },
    source: createStorySource(gate, by.code),
  })
  return { gate, host: { ...host, ledger }, pages, background: [] }
}

type HostParts = Pick<ChangeHost, 'store' | 'ledger' | 'forgetPages' | 'source'> & { readonly code: Code }

export function createStoryHost({ code, ...parts }: HostParts): ChangeHost {
  return {
    ...parts,
    renderer: createStoryRenderer(code),
    log: silent,
    intake: {
      intake: findIntake(code),
      maxProducts: DEFAULT_MAX_PRODUCTS,
      publicFiles: [],
      pictures: NO_FACTS,
    },
  }
}

function createOpenGate(now: number): Gate {
  return { now: () => now, pass: (_, work) => work({ fate: 'good', now }), drain: async () => {} }
}

/** Returns the file for unknown catalogues of a deployment with this renderer. */
async function answerUnknown({ render }: ChangeHost['renderer']): Promise<Response> {
  return new Response(await render(createUnknownCataloguePage()), { status: 404 })
}

async function readAnswer(response: Response): Promise<EdgeAnswer> {
  const { status } = response
  return { status, headers: Object.fromEntries(response.headers), body: await response.text() }
}
