/**
 * Hosts the bundled Worker of a site of files in this process, so that its processor time and that of its Durable
 * Objects are measured separately. The local runtime runs both in one process. The databases of Durable Objects are in
 * memory, and arguments of calls are not copied.
 */
import { registerHooks } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { runTransaction } from '../../../src/builder/state/sqlite/transactions.ts'
import { openSql } from '../../local/open-sql.ts'

export interface HostedWorker {
  fetch(address: string, init?: RequestInit): Promise<Response>
  /** Returns the milliseconds spent in the Worker and in Durable Objects since the previous call of this function. */
  readTimes(): Times
}

interface Times {
  readonly worker: number
  readonly objects: number
}

type Methods = Readonly<Record<string, (...values: readonly unknown[]) => Promise<unknown>>>
type ObjectClass = new (context: object, environment: object) => Methods

interface Bundle {
  readonly default: { fetch(request: Request, environment: object, context: object): Promise<Response> }
  readonly SiteCoordinator: ObjectClass
  readonly SearchShard: ObjectClass
}

const RUNTIME = `data:text/javascript,${encodeURIComponent(
  'export class DurableObject { constructor(ctx, env) { Object.assign(this, { ctx, env }) } }',
)}`
const NO_CACHE = { match: async () => undefined, put: async () => {}, delete: async () => false }

/** Loads the bundle at `path`. Call it at most once per process, because it changes global state. */
export async function hostWorker(
  path: string,
  variables: Readonly<Record<string, string>>,
): Promise<HostedWorker> {
  registerHooks({
    resolve: (name, context, next) =>
      name === 'cloudflare:workers' ? { url: RUNTIME, shortCircuit: true } : next(name, context),
  })
  Object.assign(globalThis, { caches: { default: NO_CACHE } })
  const bundle = (await import(path)) as Bundle
  const spent = { all: 0, objects: 0 }
  const open = (Class: ObjectClass): object => {
    const methods = new Class(createContext(), variables)
    const call =
      (name: string) =>
      (...values: readonly unknown[]) =>
        count(
          (ms) => (spent.objects += ms),
          async () => methods[name]?.(...values),
        )
    return { getByName: () => new Proxy({}, { get: (_, name) => call(String(name)) }) }
  }
  const environment = {
    ...variables,
    COORDINATOR: open(bundle.SiteCoordinator),
    SEARCH_INDEX: open(bundle.SearchShard),
  }
  const answer = async (request: Request): Promise<Response> => {
    const response = await bundle.default.fetch(request, environment, { waitUntil: () => {} })
    const { status, headers } = response
    return new Response(await response.arrayBuffer(), { status, headers })
  }
  return {
    fetch: (address, init) => {
      const request = new Request(address, init)
      return count(
        (ms) => (spent.all += ms),
        () => answer(request),
      )
    },
    readTimes: () => {
      const times = { worker: spent.all - spent.objects, objects: spent.objects }
      Object.assign(spent, { all: 0, objects: 0 })
      return times
    },
  }
}

function createContext(): object {
  const database = new DatabaseSync(':memory:')
  const transactionSync = <Result>(work: () => Result): Result => runTransaction(database, work)
  const alarms = { getAlarm: async () => null, setAlarm: async () => {}, deleteAlarm: async () => {} }
  return {
    storage: { sql: openSql(database), transactionSync, ...alarms },
    blockConcurrencyWhile: (work: () => Promise<void>) => work(),
    waitUntil: () => {},
  }
}

/**
 * Measures processor time as elapsed time. Both are equal here, because requests run one at a time and wait for nothing
 * outside this thread. The system counts a thread's processor time in steps of 4 ms, which is too coarse.
 */
async function count<Result>(add: (ms: number) => void, work: () => Promise<Result>): Promise<Result> {
  const before = performance.now()
  try {
    return await work()
  } finally {
    add(performance.now() - before)
  }
}
