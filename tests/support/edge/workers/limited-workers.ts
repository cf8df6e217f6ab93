/**
 * The module `cloudflare:workers` for tests, with Durable Objects that refuse what the service refuses: the local runtime
 * takes larger rows, longer patterns, and more arguments.
 */
import type { DurableObjectState } from 'cloudflare:workers'
import { DurableObject as RuntimeObject } from 'cloudflare:workers'
import { checkQuery, checkRow } from '../open-sql.ts'

export class DurableObject<Environment> extends RuntimeObject<Environment> {
  constructor(ctx: DurableObjectState, environment: Environment) {
    super(ctx, environment)
    const { sql } = ctx.storage
    const exec = sql.exec.bind(sql)
    sql.exec = (query, ...bindings) => {
      checkQuery(query, bindings)
      const cursor = exec(query, ...bindings)
      const toArray = cursor.toArray.bind(cursor)
      return Object.assign(cursor, {
        toArray: () => {
          const rows = toArray()
          for (const row of rows) checkRow(Object.values(Object(row)))
          return rows
        },
      })
    }
  }
}

/** Calls of bindings in one invocation. Source: https://developers.cloudflare.com/workers/platform/limits/#subrequests */
const MOST_CALLS = 1_000

type Handler = (event: unknown, environment: object, ...rest: readonly unknown[]) => unknown

/** Returns the handlers of a Worker with a limit on the calls of its bindings. */
export function limitCalls(worker: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const limit =
    (handle: Handler): Handler =>
    (event, environment, ...rest) => {
      let calls = 0
      const count = (): void => {
        calls += 1
        if (calls > MOST_CALLS) throw new Error('Too many subrequests.')
      }
      const bindings = Object.entries(environment).map(([name, one]) => [name, limitBinding(one, count)])
      return handle.call(worker, event, Object.fromEntries(bindings), ...rest)
    }
  const handlers = Object.entries(worker).map(([name, one]) => [name, isFunction(one) ? limit(one) : one])
  return Object.fromEntries(handlers)
}

/** A namespace gives stubs, whose calls count. A rate limit is no call. */
function limitBinding(binding: unknown, count: () => void): unknown {
  if (typeof binding !== 'object' || binding === null || 'limit' in binding) return binding
  const isNamespace = 'getByName' in binding
  return new Proxy(binding, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name)
      if (!isFunction(method)) return method
      return (...given: readonly unknown[]) => {
        if (isNamespace) return limitStub(Reflect.apply(method, target, given) as object, count)
        count()
        return Reflect.apply(method, target, given)
      }
    },
  })
}

function limitStub(stub: object, count: () => void): object {
  return new Proxy(stub, {
    get: (target, name) => {
      count()
      const method: unknown = Reflect.get(target, name)
      return name === 'fetch' && isFunction(method) ? method.bind(target) : method
    },
  })
}

function isFunction(value: unknown): value is Handler {
  return typeof value === 'function'
}
