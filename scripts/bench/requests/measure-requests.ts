/** Measures the processor time of several kinds of requests to the Worker of a site of files. */
import { createMethods } from '../../../src/builder/publish/coordinator/call-methods.ts'
import type { CoordinatorClient } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import { createCoordinatorClient } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import { createFailureBudget } from '../../../src/builder/publish/coordinator/send-divided.ts'
import { PRODUCTS_OF_CALL, putSellers } from '../../../src/builder/publish/search/put-sellers.ts'
import type { SearchClient } from '../../../src/builder/publish/search/search-client.ts'
import { createSearchClient } from '../../../src/builder/publish/search/search-client.ts'
import type { SearchEntry } from '../../../src/domain/search/search-entry.ts'
import { COORDINATOR_CALLS } from '../../../src/domain/wire/calls.ts'
import { createQueries, createSellerUpdate, QUERY_KINDS } from '../search/search-sellers.ts'
import type { HostedWorker } from './hosted-worker.ts'

/**
 * Mean processor time of one request of a kind, or of one build with all its calls, in ms: in the Worker, and in its
 * Durable Objects.
 */
export interface RequestFigure {
  readonly kind: string
  readonly worker: number
  readonly objects: number
}

interface RequestSizes {
  readonly sellers: number
  /** Requests of each repeated kind, and number of sellers that change in the index. */
  readonly rounds: number
}

type Entries = ReadonlyMap<string, SearchEntry | null>

/** A made-up origin, because requests never reach a network. */
export const ORIGIN = 'http://vitrina.invalid'

export async function measureRequests(
  worker: HostedWorker,
  secret: string,
  { sellers, rounds }: RequestSizes,
): Promise<readonly RequestFigure[]> {
  const client = createCoordinatorClient({ url: ORIGIN, secrets: [secret] }, { tries: 1 })
  const index = createSearchClient(client)
  const measure = createMeasure(worker)
  const repeat = (kind: string, work: (round: number) => Promise<unknown>): Promise<RequestFigure> =>
    measure(kind, async () => {
      for (let round = 0; round < rounds; round += 1) await work(round)
      return rounds
    })
  const changed = await createEntries(rounds, 1)
  const names = [...changed.keys()]
  const entries = await createEntries(sellers, 0)
  return [
    await measure(`${PRODUCTS_OF_CALL} products into an empty index`, () => putEntries(index, entries)),
    await measure(`${PRODUCTS_OF_CALL} products into the index, all changed`, () =>
      putEntries(index, changed),
    ),
    await measure(`${PRODUCTS_OF_CALL} products into the index, none changed`, () =>
      putEntries(index, changed),
    ),
    await repeat('tags of 100 sellers', () => index.see({ see: names.slice(0, 100) })),
    await repeat('state of the index', () => index.readState()),
    await repeat('the start of a comparison', () => index.begin({ compare: true })),
    await repeat('sellers of a bucket', (round) => index.listSellers({ bucket: round % 256, after: null })),
    await repeat('a notice', (round) => client.notify([names[round] ?? ''])),
    await repeat('a status', () => client.status()),
    await repeat('a build with its publish: five calls', (round) => build(client, round)),
    ...(await measureSearches(repeat, worker, rounds)),
  ]
}

type Repeat = (kind: string, work: (round: number) => Promise<unknown>) => Promise<RequestFigure>

async function measureSearches(
  repeat: Repeat,
  worker: HostedWorker,
  rounds: number,
): Promise<readonly RequestFigure[]> {
  const figures: RequestFigure[] = []
  for (const kind of QUERY_KINDS) {
    const queries = createQueries(kind, rounds)
    const ask = (round: number): Promise<Response> =>
      worker.fetch(`${ORIGIN}/buscar?${new URLSearchParams({ q: queries[round] ?? '' })}`)
    figures.push(await repeat(`a search, ${kind}`, ask))
  }
  return figures
}

async function build(client: CoordinatorClient, round: number): Promise<void> {
  const { publish, published } = createMethods(COORDINATOR_CALLS, (call, body) => client.ask(call, body))
  const claim = await client.claim(`builder ${round}`, null)
  if (claim === null) throw new Error('the coordinator refused a lease for a build')
  const granted = await publish({ version: `v${round}`, sequence: claim.upTo, base: null })
  if (!('lease' in granted)) throw new Error('the coordinator refused the publish')
  await published({ lease: granted.lease, isLive: true })
  await client.giveUp(claim.lease, 'the bench')
  await client.notify([`s${round}`])
}

async function createEntries(sellers: number, raise: number): Promise<Entries> {
  const updates = await Promise.all(Array.from({ length: sellers }, (_, at) => createSellerUpdate(at, raise)))
  return new Map(updates.map(({ seller, entry }) => [seller, entry]))
}

/** Puts the entries into the index as a publish does. Returns the number of calls. */
async function putEntries(client: SearchClient, entries: Entries): Promise<number> {
  let calls = 0
  const read = (seller: string): SearchEntry | null => entries.get(seller) ?? null
  const world = { client, read, mayPut: async () => true, budget: createFailureBudget() }
  for await (const results of putSellers([...entries.keys()], world)) calls += Number(results.length > 0)
  return calls
}

/**
 * Returns a function that measures the mean times of a request. Its argument `work` makes the requests and returns
 * their number.
 */
function createMeasure(worker: HostedWorker) {
  return async (kind: string, work: () => Promise<number>): Promise<RequestFigure> => {
    worker.readTimes()
    const count = await work()
    const times = worker.readTimes()
    return { kind, worker: times.worker / count, objects: times.objects / count }
  }
}
