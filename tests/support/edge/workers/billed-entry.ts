/** The project's Worker with meters of all that Cloudflare bills. `/api/rebuild/test/bill` returns what they show. */
import type { DurableObjectState, MessageBatch, Namespace, Queue, R2Bucket } from 'cloudflare:workers'
import type { Bill } from '../prices.ts'
import { SearchShard as Shard } from '../../../../src/edge/search/search-shard.ts'
import worker, { SiteCoordinator as Coordinator } from './coordinator-entry.ts'

const BILL = '/api/rebuild/test/bill'

type Environment = Parameters<typeof worker.fetch>[1]
type Context = Parameters<typeof worker.fetch>[2]
type Meter = keyof Bill

// After a restart the index merges what a random number of changes has left.
Math.random = () => 0

// The Worker and its objects share it: they run in one isolate.
const bill: Bill = {
  requests: 0,
  calls: 0,
  written: 0,
  read: 0,
  classA: 0,
  classB: 0,
  queue: 0,
}
const count = (meter: Meter, number = 1): void => void (bill[meter] += number)

export class SiteCoordinator extends Coordinator {
  constructor(ctx: DurableObjectState, environment: Environment) {
    super(meterStorage(ctx), meterBindings(environment) as never)
  }

  override alarm(): Promise<void> {
    count('calls')
    return super.alarm()
  }

  /** Without an alarm the runtime would call nothing. */
  override async pass(time: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) count('calls', -1)
    await super.pass(time)
  }
}

export class SearchShard extends Shard {
  constructor(ctx: DurableObjectState, environment: Environment) {
    super(meterStorage(ctx), meterBindings(environment))
  }
}

/** Counts rows with the entries of their indexes, and each alarm that is set or deleted as a row. */
function meterStorage(ctx: DurableObjectState): DurableObjectState {
  const { storage } = ctx
  const { sql } = storage
  const exec = sql.exec.bind(sql) as (...query: Parameters<typeof sql.exec>) => Cursor
  sql.exec = (...query) => {
    const cursor = exec(...query)
    const rows = cursor.toArray()
    count('written', cursor.rowsWritten)
    count('read', cursor.rowsRead)
    return { toArray: () => rows }
  }
  const { setAlarm, deleteAlarm } = storage
  storage.setAlarm = (time) => (count('written'), setAlarm.call(storage, time))
  storage.deleteAlarm = () => (count('written'), deleteAlarm.call(storage))
  return ctx
}

interface Cursor {
  toArray(): readonly unknown[]
  readonly rowsWritten: number
  readonly rowsRead: number
}

function meterBindings(environment: Environment): Environment {
  const { COORDINATOR, SEARCH_INDEX, PAGES, CHANGES } = environment
  return {
    ...environment,
    COORDINATOR: meterCalls(COORDINATOR as Namespace<SiteCoordinator>),
    ...(SEARCH_INDEX !== undefined && { SEARCH_INDEX: meterCalls(SEARCH_INDEX) }),
    ...(PAGES !== undefined && { PAGES: meterBucket(PAGES) }),
    ...(CHANGES !== undefined && { CHANGES: meterQueue(CHANGES) }),
  }
}

function meterCalls<Remote extends object>(namespace: Namespace<Remote>): Namespace<Remote> {
  return {
    getByName: (name) =>
      new Proxy(namespace.getByName(name), {
        get: (stub, method) => {
          if (method !== 'pass') count('calls')
          return Reflect.get(stub, method)
        },
      }),
  }
}

function meterBucket(bucket: R2Bucket): R2Bucket {
  return {
    head: (...asked) => (count('classB'), bucket.head(...asked)),
    get: (...asked) => (count('classB'), bucket.get(...asked)),
    put: (...asked) => (count('classA'), bucket.put(...asked)),
    list: (...asked) => (count('classA'), bucket.list(...asked)),
  }
}

/** A message is written, read and deleted: an operation each. Source: https://developers.cloudflare.com/queues/platform/pricing/ */
function meterQueue<Body>(queue: Queue<Body>): Queue<Body> {
  return {
    send: (body) => (count('queue'), queue.send(body)),
    sendBatch: (messages) => (count('queue', messages.length), queue.sendBatch(messages)),
  }
}

export default {
  ...worker,
  fetch(request: Request, environment: Environment, context: Context): Promise<Response> | Response {
    const { pathname } = new URL(request.url)
    if (pathname === BILL) return Response.json(bill)
    if (!pathname.startsWith('/api/rebuild/test/')) count('requests')
    return worker.fetch(request, meterBindings(environment), context)
  },
  async queue(batch: MessageBatch<unknown>, environment: Environment): Promise<void> {
    count('requests')
    await worker.queue(batch, meterBindings(environment))
    count('queue', 2 * batch.messages.length)
  },
}
