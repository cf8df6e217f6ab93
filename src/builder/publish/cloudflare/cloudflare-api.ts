/** Calls Cloudflare's API without wrangler, which lacks some of these calls and takes a second to start. */
import type { GenericSchema, InferOutput } from 'valibot'
import { array, number, object, optional, safeParse, string, unknown } from 'valibot'
import { tryAgain } from '../../../domain/work/try-again.ts'
import type { Wrangler } from './wrangler.ts'
import type { WorkerConfiguration } from './worker-configuration.ts'
import { describeFailedFetch } from '../coordinator/failed-fetch.ts'
import type { Environment } from '../redact.ts'

export interface CloudflareApi {
  /** `path` is relative to `below`: the Worker's script (default), or the account's path for Workers. */
  get<Schema extends GenericSchema>(
    schema: Schema,
    path: string,
    below?: keyof typeof PLACES,
  ): Promise<InferOutput<Schema>>
  /** Reads with a POST request. `path` is relative to the Worker's script. */
  ask<Schema extends GenericSchema>(
    schema: Schema,
    path: string,
    body: readonly object[],
  ): Promise<InferOutput<Schema>>
  /**
   * Sends a request that changes the Worker. `path` is relative to the Worker's script. `limit` is the max time of this
   * call in milliseconds; a call with a limit is not retried.
   */
  send(method: 'POST' | 'PATCH', path: string, body: object, limit?: number): Promise<void>
}

interface CloudflareApiOptions {
  readonly environment: Environment
  readonly worker: WorkerConfiguration
  /** Provides the credentials of `wrangler login` if the environment has no token. */
  readonly wrangler: Wrangler
  /** Max time of each call that has no limit of its own, in milliseconds. If it is set, calls are not retried. */
  readonly patience?: number | undefined
}

/** The API refused a call, failed or could not be reached, or the account cannot be used as requested. */
export class CloudflareError extends Error {
  override readonly name = 'CloudflareError'
  /** The API's error code; `null` if there is none, or if the server failed (status 5xx). */
  readonly code: number | null

  constructor(message: string, code: number | null, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Error code for a missing Worker. */
const MISSING = 10007

/** Returns a handler for a rejected call, which returns `value` if the Worker is missing. */
export function allowMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (error instanceof CloudflareError && error.code === MISSING) return value
    throw error
  }
}

const PLACES = {
  script: (name: string) => `/workers/scripts/${name}`,
  workers: () => '/workers',
}

const API = 'https://api.cloudflare.com/client/v4'
/** In milliseconds, like all times in this file. */
const TIMEOUT = 10_000
const PAUSE = 500
const TRIES = 2

const ANSWER = object({
  errors: optional(array(object({ code: number(), message: string() })), []),
  result: unknown(),
})
const ACCOUNTS = array(object({ id: string(), name: string() }))
const LOGIN = object({ token: optional(string()), key: optional(string()), email: optional(string()) })

export function createCloudflareApi(options: CloudflareApiOptions): CloudflareApi {
  const { environment, worker, wrangler, patience = null } = options
  const base = environment['CLOUDFLARE_API_BASE_URL'] || API
  const open = once(async () => {
    const headers = await findHeaders(environment, wrangler)
    const account =
      environment['CLOUDFLARE_ACCOUNT_ID'] || worker.account || (await findAccount(base, headers, patience))
    return { headers, address: `${base}/accounts/${account}` }
  })
  const call = async (path: string, init: RequestInit, limit = patience): Promise<unknown> => {
    const { headers, address } = await open()
    return request(`${address}${path}`, { ...init, headers }, limit)
  }
  const script = PLACES.script(worker.name)
  return {
    get: async (schema, path, below = 'script') =>
      parseResult(schema, await call(`${PLACES[below](worker.name)}${path}`, {})),
    ask: async (schema, path, body) =>
      parseResult(schema, await call(`${script}${path}`, { method: 'POST', body: JSON.stringify(body) })),
    send: async (method, path, body, limit) =>
      void (await call(`${script}${path}`, { method, body: JSON.stringify(body) }, limit)),
  }
}

async function findHeaders(environment: Environment, wrangler: Wrangler): Promise<Record<string, string>> {
  const token = environment['CLOUDFLARE_API_TOKEN']
  if (token !== undefined && token !== '') return authorize(token)
  const { stdout } = await wrangler(['auth', 'token', '--json'], TIMEOUT)
  const login = parseResult(LOGIN, JSON.parse(stdout))
  if (login.token !== undefined) return authorize(login.token)
  return { 'x-auth-key': login.key ?? '', 'x-auth-email': login.email ?? '', 'content-type': JSON_TYPE }
}

const JSON_TYPE = 'application/json'

function authorize(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'content-type': JSON_TYPE }
}

async function findAccount(
  base: string,
  headers: Record<string, string>,
  patience: number | null,
): Promise<string> {
  const accounts = parseResult(ACCOUNTS, await request(`${base}/accounts`, { headers }, patience))
  const [account, ...others] = accounts
  if (account !== undefined && others.length === 0) return account.id
  throw new CloudflareError(
    'CLOUDFLARE_ACCOUNT_ID is not set, and the token does not belong to exactly one account: set CLOUDFLARE_ACCOUNT_ID',
    null,
  )
}

/** Retries once after a failure that may be temporary, unless `patience` is set. All calls here are safe to repeat. */
function request(address: string, init: RequestInit, patience: number | null): Promise<unknown> {
  return tryAgain(() => requestOnce(address, init, patience ?? TIMEOUT), {
    most: patience === null ? TRIES : 1,
    findPause: () => PAUSE,
    mayPass: (error) => !(error instanceof CloudflareError && error.code !== null),
  })
}

async function requestOnce(address: string, init: RequestInit, timeout: number): Promise<unknown> {
  const response = await fetch(address, { ...init, signal: AbortSignal.timeout(timeout) }).catch(
    (cause: unknown) => {
      throw new CloudflareError(
        `Cloudflare's API cannot be reached: ${describeFailedFetch(cause, timeout)}`,
        null,
        {
          cause,
        },
      )
    },
  )
  const answer = safeParse(ANSWER, await response.json().catch(() => null))
  const [error] = answer.success ? answer.output.errors : []
  if (response.ok && answer.success) return answer.output.result
  if (error === undefined || response.status >= 500)
    throw new CloudflareError(
      `Cloudflare's API answered with status ${response.status} and without a usable result`,
      null,
    )
  throw new CloudflareError(`${error.message} [code: ${error.code}]`, error.code)
}

function parseResult<Schema extends GenericSchema>(schema: Schema, result: unknown): InferOutput<Schema> {
  const parsed = safeParse(schema, result)
  if (parsed.success) return parsed.output
  throw new CloudflareError(
    "Cloudflare's API answered in a format that this version of Vitrina does not know: update Vitrina",
    null,
  )
}

function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | null = null
  return () => (value ??= work())
}
