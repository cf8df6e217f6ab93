/** The search index of a story: the builder's client, the Worker's routes, and shards on SQLite. */
import type { SendCall } from '../../../src/builder/publish/coordinator/call-methods.ts'
import { formatBody } from '../../../src/builder/publish/coordinator/call-methods.ts'
import { parseAnswer } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import type { SearchClient } from '../../../src/builder/publish/search/search-client.ts'
import { createSearchClient } from '../../../src/builder/publish/search/search-client.ts'
import type { SearchIndex } from '../../../src/domain/search/search-index.ts'
import { signMessage } from '../../../src/domain/wire/signature.ts'
import { createCallGuard } from '../../../src/edge/api/call-guard.ts'
import { answerCall } from '../../../src/edge/api/routes.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import { joinShards } from '../../../src/edge/search/join-shards.ts'
import type { End } from './happenings.ts'
import { createShard } from './memory-index.ts'

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const MOST_LATE = 60
/** Calls that change nothing, so late copies of them need not be kept. */
const READS = ['/search/see', '/search/sellers', '/search/count']

type LateCall = () => Promise<unknown>

/** Thrown by the calls of a process that was killed. */
export class Killed extends Error {}

export type Between = (number: number) => Promise<void>

export class StorySite {
  /** The most recent calls that change the index, up to `MOST_LATE`. Each may arrive late or a second time. */
  late: readonly LateCall[] = []
  /** Lists of shards, by their length. Until `lose` is called, earlier lists are kept with the data of their shards. */
  readonly #shards = new Map<number, readonly SearchIndex[]>()
  index: JoinedIndex = this.#open(1)

  reshard(shards: number): void {
    this.index = this.#open(shards)
  }

  /** Empties one shard, as if its Durable Object had lost its storage. */
  emptyShard(): void {
    const { length } = this.index.shards
    this.#shards.set(length, [createShard(), ...this.index.shards.slice(1)])
    this.index = this.#open(length)
  }

  /** Empties all shards, as if all their Durable Objects were deleted. */
  lose(): void {
    this.#shards.clear()
    this.index = this.#open(this.index.shards.length)
  }

  /** Opens the client of one process, which is killed at `end` (never if `null`). `between` runs before each call. */
  openClient(end: End, between: Between): SearchClient {
    let number = 0
    const kill = (): never => {
      number = Infinity
      throw new Killed()
    }
    return createRoutedClient(
      () => this.index,
      async (call, send) => {
        number += 1
        if (number === Infinity) throw new Killed()
        const isLast = number === end?.call
        if (!READS.includes(call.path)) this.#keep(() => sendSearchCall(call, this.index))
        if (isLast && end.when === 'before') return kill()
        await between(number)
        const response = await send()
        return isLast ? kill() : response
      },
    )
  }

  #keep(send: LateCall): void {
    this.late = [...this.late, send].slice(-MOST_LATE)
  }

  #open(count: number): JoinedIndex {
    const shards = this.#shards.get(count) ?? Array.from({ length: count }, () => createShard())
    this.#shards.set(count, shards)
    return joinShards({ shards, log: () => {} })
  }
}

export interface SentCall {
  /** Path of the call, such as `/search/update`. */
  readonly path: string
  readonly text: string
}

/**
 * Creates a client whose calls go through the Worker's routes. `pass` gets each call. It returns the response of
 * `send`, or throws an error.
 */
export function createRoutedClient(
  index: () => JoinedIndex,
  pass: (call: SentCall, send: () => Promise<Response>) => Promise<Response>,
): SearchClient {
  const ask: SendCall = async (call, body) => {
    const sent = { path: call.path, text: formatBody(call, body) }
    const response = await pass(sent, () => sendSearchCall(sent, index()))
    const { status } = response
    const answer = { status, body: await response.json() }
    return parseAnswer(call, answer, () => `${call.path} was answered with status ${status}`)
  }
  return createSearchClient({ ask })
}

/** Sends a call through the Worker's routes. */
export function sendSearchCall({ path, text }: SentCall, index: JoinedIndex): Promise<Response> {
  const headers = signMessage([SECRET], { id: 'call', body: text }, new Date())
  const request = new Request(`https://one.do/api/rebuild${path}`, { method: 'POST', headers, body: text })
  return answerCall(request, {
    secrets: { notices: [], builders: [SECRET] },
    guard: createCallGuard(() => {}),
    openCoordinator: () => {
      throw new Error('a call of the search must not open the coordinator')
    },
    openSearch: () => index,
    log: () => {},
  })
}
