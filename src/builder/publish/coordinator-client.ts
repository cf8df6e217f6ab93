/** Signed calls to a site's coordinator, retried after network errors and temporary failures. */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { GenericSchema, InferOutput } from 'valibot'
import { array, literal, number, object, optional, safeParse, string, union } from 'valibot'
import { UsageError } from '../state/usage-error.ts'
import { growDelay } from '../../domain/wire/backoff.ts'
import type { Status } from '../../domain/wire/coordinator-status.ts'
import { STATUS } from '../../domain/wire/coordinator-status.ts'
import type { Build } from '../../domain/wire/build-report.ts'
import { createBuildReport } from '../../domain/wire/build-report.ts'
import { signMessage } from '../../domain/wire/signature.ts'
import { describeFailedFetch } from './failed-fetch.ts'

/** Address and secrets of the coordinator. Every call is signed with a secret. */
export interface CoordinatorOptions {
  readonly url: string
  /** Whether no address is set. */
  readonly isDefault: boolean
  /** Those that open every route, the current one first; empty when none is set. */
  readonly secrets: readonly string[]
  /** Those that open the route for notices. */
  readonly noticeSecrets: readonly string[]
  /** The secret that the coordinator signs dispatches with; `null` when it is the same. */
  readonly dispatchSecret: string | null
}

export interface CoordinatorClient {
  /** `id` identifies the notice: a repeated id is stored once. */
  notify(sellers: readonly string[], id?: string): Promise<InferOutput<typeof ACCEPTED>>
  notifyFull(id?: string): Promise<InferOutput<typeof ACCEPTED>>
  /** `null` while another builder has the lease. */
  claim(builder: string, have: number | null): Promise<InferOutput<typeof CLAIMED> | null>
  /** `false` when the lease has ended. */
  renew(lease: string): Promise<boolean>
  /** Called after publishing and saving the state. Returns the number of pending sellers, `null` when the lease had ended. */
  finish(build: Build): Promise<number | null>
  /** Reports that nothing was published. All claimed sellers stay pending. */
  giveUp(lease: string, error: string): Promise<void>
  status(isLogWanted?: boolean): Promise<Status>
  /** Any other call. Returns `null` when the lease in the call has ended. */
  ask<Schema extends GenericSchema>(
    schema: Schema,
    path: string,
    body: object,
  ): Promise<InferOutput<Schema> | null>
}

export interface ClientOptions {
  /** Max tries of one call. */
  readonly tries?: number
  /** The pause before the second try, in milliseconds. */
  readonly pause?: number
  /** Max time of one call with all its tries, in milliseconds. */
  readonly patience?: number
  readonly onRetry?: (problem: string, pause: number) => void
  /** Once it aborts, a claim is not tried again. Other calls are: they complete a build. */
  readonly ending?: AbortSignal | undefined
}

interface CallOptions {
  readonly id?: string | undefined
  /** Once it aborts, the call is not tried again. */
  readonly signal?: AbortSignal | undefined
}

/** The coordinator refused the call or could not be reached. The message says what to do. */
export class CallError extends Error {
  override readonly name = 'CallError'
  /** Of the response; 0 without one. */
  readonly status: number

  constructor(message: string, status = 0) {
    super(message)
    this.status = status
  }
}

const ACCEPTED = object({ accepted: number(), pending: number() })
const GRANTED = {
  lease: string(),
  upTo: number(),
  until: string(),
  strangers: optional(array(object({ number: number(), seller: string() }))),
}
const CLAIMED = union([
  object({ ...GRANTED, full: literal(true) }),
  object({ ...GRANTED, sellers: array(string()) }),
])
const RENEWED = object({ until: string() })
const REPORTED = object({ pending: number() })

const TIMEOUT = 30_000
/** Bytes of a body that a slow line sends in a millisecond. */
const SLOW_LINE = 64
const LONGEST_PAUSE = 30_000
const LEASE_ENDED = 409

/** Throws a `UsageError` without a secret. */
export function createCoordinatorClient(
  { url, secrets }: Pick<CoordinatorOptions, 'url' | 'secrets'>,
  { tries = 8, pause = 500, patience = Infinity, onRetry = () => {}, ending }: ClientOptions = {},
): CoordinatorClient {
  if (secrets.length === 0) throw new UsageError('REBUILD_SECRET is not set')
  const call = async (
    path: string,
    body: object,
    { id = `call_${randomUUID()}`, signal }: CallOptions = {},
  ): Promise<Answer> => {
    const address = `${url}/api/rebuild${path}`
    const end = performance.now() + patience
    const text = JSON.stringify(body)
    for (let round = 1; ; round += 1) {
      const timeout = Math.min(findTimeout(text.length), end - performance.now())
      const answer = await post(address, secrets, { id, body: text }, timeout)
      if (!isPassing(answer) || round >= tries || signal?.aborted === true) return answer
      const spread = growDelay({ first: pause, longest: LONGEST_PAUSE }, round, Math.random())
      const delay = Math.max(spread, Math.min(answer.retryAfter, LONGEST_PAUSE))
      if (performance.now() + delay >= end) return answer
      onRetry(describe(answer, url), delay)
      // Rejects when `signal` aborts.
      if (!(await wait(delay, true, { signal }).catch(() => false))) return answer
    }
  }
  const ask = async <Schema extends GenericSchema>(
    schema: Schema,
    ...parameters: Parameters<typeof call>
  ): Promise<InferOutput<Schema> | null> => {
    const answer = await call(...parameters)
    const result = safeParse(schema, answer.body)
    if (answer.ok && result.success) return result.output
    if (answer.status === LEASE_ENDED) return null
    throw new CallError(describe(answer, url), answer.status)
  }
  const accept = async (body: object, id = `notice_${randomUUID()}`): Promise<InferOutput<typeof ACCEPTED>> =>
    (await ask(ACCEPTED, '', body, { id })) ?? { accepted: 0, pending: 0 }
  return {
    notify: (sellers, id) => accept(createNotice('catalogue.changed', { sellers }), id),
    notifyFull: (id) => accept(createNotice('catalogue.rebuild', { full: true }), id),
    claim: (builder, have) => ask(CLAIMED, '/claim', { builder, have }, { signal: ending }),
    renew: async (lease) => (await ask(RENEWED, '/renew', { lease })) !== null,
    finish: async (build) => (await ask(REPORTED, '/done', createBuildReport(build)))?.pending ?? null,
    giveUp: async (lease, error) => {
      await ask(REPORTED, '/done', { lease, error })
    },
    status: async (isLogWanted = false) => {
      const status = await ask(STATUS, '/status', isLogWanted ? { log: true } : {})
      if (status === null) throw new CallError(`${url} has no status`)
      return status
    },
    ask,
  }
}

function createNotice(type: string, data: object): object {
  return { type, timestamp: new Date().toISOString(), data }
}

/** Returns how long one try may take, in milliseconds, with a body of this size in bytes. */
export function findTimeout(size: number): number {
  return TIMEOUT + size / SLOW_LINE
}

interface Answer {
  readonly ok: boolean
  /** 0 without a response. */
  readonly status: number
  readonly body: unknown
  /** The reason of a missing response, else empty. */
  readonly problem: string
  /** The response's `retry-after`, in milliseconds. */
  readonly retryAfter: number
}

async function post(
  address: string,
  secrets: readonly string[],
  message: { readonly id: string; readonly body: string },
  timeout: number,
): Promise<Answer> {
  const headers = signMessage(secrets, message, new Date())
  const signal = AbortSignal.timeout(Math.ceil(timeout))
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers,
      body: message.body,
      signal,
      redirect: 'manual',
    })
    const { ok, status } = response
    const body: unknown = await response.json().catch(() => null)
    const retryAfter = Number(response.headers.get('retry-after') ?? 0) * 1000 || 0
    return { ok, status, body, problem: '', retryAfter }
  } catch (error) {
    return { ok: false, status: 0, body: null, problem: describeFailedFetch(error, timeout), retryAfter: 0 }
  }
}

/** Whether the failure may be temporary. */
function isPassing({ status }: Answer): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500
}

function describe({ status, problem }: Answer, url: string): string {
  if (status === 0) return `${url} could not be reached: ${problem}`
  if (status === 401)
    return `${url} does not accept the signature: its REBUILD_SECRET (or BUILDER_SECRET) is another, or this clock is more than five minutes off`
  if (status === 403)
    return `${url} gives a full read to builders only: BUILDER_SECRET (or REBUILD_SECRET) is needed, not NOTICE_SECRET`
  if (status === 503) return `${url} cannot store it now, or its REBUILD_SECRET is not set`
  if (status === 404 || status === 405 || (status >= 300 && status < 400))
    return `${url} has no /api/rebuild (${status}): COORDINATOR_URL, or SITE_URL, must be the origin of the deployed site`
  return `${url} answered ${status}`
}
