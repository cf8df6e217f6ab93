/** The search index of a story: the builder's client, the Worker's routes, and shards on SQLite with a clock of the story. */
import type { Ask } from '../../../src/builder/publish/coordinator/call-methods.ts'
import { formatBody } from '../../../src/builder/publish/coordinator/call-methods.ts'
import { parseAnswer } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import { createSearchClient } from '../../../src/builder/publish/search/search-client.ts'
import type { IndexedObject, SearchIndex } from '../../../src/domain/search/search-index.ts'
import { signMessage } from '../../../src/domain/wire/signature.ts'
import { createCallGuard } from '../../../src/edge/api/call-guard.ts'
import { answerCall } from '../../../src/edge/api/routes.ts'
import type { ObjectStore } from '../../../src/edge/objects/object-store.ts'
import { createFeeder } from '../../../src/edge/search/feed-objects.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import { joinShards } from '../../../src/edge/search/join-shards.ts'
import { openShard } from '../../../src/edge/search/open-shard.ts'
import type { End } from './happenings.ts'
import { createStorage } from './shard-storage.ts'

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const MOST_LATE = 60
const START = Date.parse('2026-03-01T12:00:00Z')
/** Calls that change nothing when they come again. */
const READS = ['/search/begin', '/search/digests', '/search/sellers', '/search/count']

export interface LateCall {
  readonly send: () => Promise<unknown>
  /** True if the site has received the same call before. */
  readonly hasCome: boolean
}

/** The process that called is gone. */
export class Killed extends Error {}

type Turn = (number: number) => Promise<void>

export class StorySite {
  index: JoinedIndex
  /** Calls that may come later, or again. */
  late: readonly LateCall[] = []
  #time = START
  readonly #store: Pick<ObjectStore, 'get'> | null
  /** By the number of shards: those of before stay. */
  readonly #indexes = new Map<number, JoinedIndex>()

  constructor(store: Pick<ObjectStore, 'get'> | null) {
    this.#store = store
    this.index = this.#open(1)
  }

  reshard(shards: number): void {
    this.index = this.#open(shards)
  }

  /** All objects of the runtime are gone. */
  lose(): void {
    this.#indexes.clear()
    this.index = this.#open(this.index.shards.length)
  }

  /** The client of one process. `between` runs before each call. */
  openClient(end: End, between: Turn = async () => {}): ReturnType<typeof createSearchClient> {
    let number = 0
    const kill = (): never => {
      number = Infinity
      throw new Killed()
    }
    const ask: Ask = async (call, body) => {
      const { path } = call
      const text = formatBody(call, body)
      number += 1
      if (number === Infinity) throw new Killed()
      const isLast = number === end?.call
      const hasCome = !(isLast && end.when === 'before')
      if (!READS.includes(path)) this.#keep(() => this.#send(path, text), hasCome)
      if (!hasCome) return kill()
      await between(number)
      const response = await this.#send(path, text)
      if (this.#store !== null && path === '/search/compared') this.#forgetUnsent()
      if (isLast) kill()
      const { status } = response
      return parseAnswer(
        call,
        { status, body: await response.json() },
        () => `${path} was answered ${status}`,
      )
    }
    return createSearchClient({ ask })
  }

  /**
   * A comparison has ended in lane `objects`. A feed that comes for the first time after it, of a seller that the index
   * does not know, is repaired by the next one.
   */
  #forgetUnsent(): void {
    this.late = this.late.filter(({ hasCome }) => hasCome)
  }

  /** Feeds as the Worker does. If it ends before, its update may come later. */
  async feed(objects: readonly IndexedObject[], isFed: boolean): Promise<void> {
    const { index } = this
    const update: JoinedIndex['update'] = async (updates) => {
      this.#keep(() => index.update(updates), isFed)
      return isFed ? index.update(updates) : updates.map(() => 'late' as const)
    }
    await createFeeder({ update, noteUnfed: index.noteUnfed }, () => {}, this.#now)(objects)
  }

  readonly #now = (): number => (this.#time += 1)

  #keep(send: LateCall['send'], hasCome: boolean): void {
    this.late = [...this.late, { send, hasCome }].slice(-MOST_LATE)
  }

  #open(count: number): JoinedIndex {
    const index = this.#indexes.get(count) ?? createIndex(count, this.#now)
    this.#indexes.set(count, index)
    return index
  }

  #send(path: string, text: string): Promise<Response> {
    const headers = signMessage([SECRET], { id: 'call', body: text }, new Date())
    const request = new Request(`https://one.do/api/rebuild${path}`, { method: 'POST', headers, body: text })
    return answerCall(request, {
      secrets: { notices: [], builders: [SECRET] },
      guard: createCallGuard(() => {}),
      openCoordinator: () => {
        throw new Error('unexpected call')
      },
      openSearch: () => ({ index: this.index, store: this.#store }),
      log: () => {},
    })
  }
}

export function createIndex(count: number, now: () => number = Date.now): JoinedIndex {
  const shards = Array.from({ length: count }, () => createShard(now))
  return joinShards({ shards, log: () => {}, now })
}

function createShard(now: () => number): SearchIndex {
  const shard = openShard(createStorage(), { now, createSalt: () => '' })
  return {
    update: shard.update,
    find: async (words) => shard.find(words),
    digestBuckets: shard.digestBuckets,
    listSellers: async (bucket, after) => shard.listSellers(bucket, after),
    count: async () => shard.count(),
    noteCompared: async (comparison) => shard.noteCompared(comparison, ''),
    noteUnfed: async (sellers) => shard.noteUnfed(sellers),
    readNotes: async () => shard.readNotes(),
    clear: async (since) => shard.clear(since),
  }
}
