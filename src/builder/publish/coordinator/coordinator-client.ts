/** Signed calls to a site's coordinator, retried after network errors and temporary failures. */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { safeParse } from 'valibot'
import { UsageError } from '../../files/usage-error.ts'
import { parseJson } from '../../../domain/documents/json.ts'
import { growDelay } from '../../../domain/wire/backoff.ts'
import type { Build } from '../../../domain/wire/build-report.ts'
import { createBuildReport } from '../../../domain/wire/build-report.ts'
import type { Answered, Call, SentBody } from '../../../domain/wire/call.ts'
import { METHOD, PREFIX } from '../../../domain/wire/call.ts'
import type { ClaimAnswer, NoticeAnswer } from '../../../domain/wire/calls.ts'
import { COORDINATOR_CALLS } from '../../../domain/wire/calls.ts'
import type { Status } from '../../../domain/wire/coordinator-status.ts'
import type { Notice } from '../../../domain/wire/notice.ts'
import { signMessage } from '../../../domain/wire/signature.ts'
import { describeFailedFetch } from './failed-fetch.ts'

/** Address of the coordinator, and the secrets with which calls to it and dispatches from it are signed. */
export interface CoordinatorOptions {
  readonly url: string
  /** True if no address of the coordinator is configured, so that `url` is the default. */
  readonly isDefault: boolean
  /** Secrets that every route accepts, the current one first; empty if none is set. */
  readonly secrets: readonly string[]
  /** Secrets that the route for notices accepts. */
  readonly noticeSecrets: readonly string[]
  /** The separate secret with which the coordinator signs dispatches; `null` if it uses one of `secrets`. */
  readonly dispatchSecret: string | null
}

export interface CoordinatorClient {
  /** `id` identifies the notice: notices with the same id are stored once. */
  notify(sellers: readonly string[], id?: string): Promise<NoticeAnswer>
  notifyFull(id?: string): Promise<NoticeAnswer>
  /**
   * `have` is the sequence up to which this builder's snapshot has all changes; `null` before the first claim. Returns
   * `null` while another builder has the lease.
   */
  claim(builder: string, have: number | null): Promise<ClaimAnswer | null>
  /** Returns `false` when the lease has ended. */
  renew(lease: string): Promise<boolean>
  /**
   * Reports a build that is published and whose state is saved. Returns the number of pending sellers, or `null` if the
   * lease had ended.
   */
  finish(build: Build): Promise<number | null>
  /** Reports that nothing was published, and the reason. All claimed sellers stay pending. */
  giveUp(lease: string, error: string): Promise<void>
  status(isLogWanted?: boolean): Promise<Status>
  readonly ask: SendCall
}

/**
 * Sends a call and returns its parsed answer, or `null` for status 409 if the call has `conflict`. Rejects with a
 * `CallError` if the call fails.
 */
type SendCall = <One extends Call>(
  call: One,
  body: SentBody<One>,
  options?: AskOptions,
) => Promise<Answered<One>>

interface AskOptions {
  /** Id of the signed message; random by default. */
  readonly id?: string | undefined
  /** When this signal aborts, the call is not retried any more. */
  readonly signal?: AbortSignal | undefined
}

interface ClientOptions {
  /** Max tries of one call. */
  readonly tries?: number
  /**
   * Mean pause before the second try, in milliseconds; a `retry-after` header can lengthen it. Doubles with each
   * further try.
   */
  readonly pause?: number
  /** Max time of one call with all its tries, in milliseconds. */
  readonly patience?: number
  readonly onRetry?: (problem: string, pause: number) => void
  /** After this signal aborts, claims are not retried. Other calls still are, because they complete a build. */
  readonly ending?: AbortSignal | undefined
  /** Max time to await the answer to a claim after `ending` aborts, in milliseconds. */
  readonly grace?: number
}

/**
 * The coordinator refused the call, could not be reached, or answered in an unknown format. If it is known what to do,
 * the message says so.
 */
export class CallError extends Error {
  override readonly name = 'CallError'
  /** HTTP status of the response; 0 if there was no response. */
  readonly status: number

  constructor(message: string, status = 0) {
    super(message)
    this.status = status
  }
}

const TIMEOUT = 30_000
/** Assumed speed of a slow connection, in bytes per millisecond. */
const SLOW_LINE = 64
const LONGEST_PAUSE = 30_000
const GRACE = 5_000
const CONFLICT = 409

/** Throws a `UsageError` if there is no secret. */
export function createCoordinatorClient(
  { url, secrets }: Pick<CoordinatorOptions, 'url' | 'secrets'>,
  {
    tries = 8,
    pause = 500,
    patience = Infinity,
    onRetry = () => {},
    ending,
    grace = GRACE,
  }: ClientOptions = {},
): CoordinatorClient {
  if (secrets.length === 0) throw new UsageError('REBUILD_SECRET is not set')
  const late = new AbortController()
  const giveUp = (): void => late.abort(new Error('this builder is stopping'))
  ending?.addEventListener('abort', () => setTimeout(giveUp, grace).unref(), { once: true })
  const send = async (
    path: string,
    text: string,
    { id = `call_${randomUUID()}`, signal }: AskOptions,
  ): Promise<Received> => {
    const end = performance.now() + patience
    for (let round = 1; ; round += 1) {
      // A late timer may end the pause after `end`.
      const timeout = Math.max(0, Math.min(findTimeout(text.length), end - performance.now()))
      const limit = { timeout, end: signal && late.signal }
      const answer = await post(url + PREFIX + path, secrets, { id, body: text }, limit)
      if (!isPassing(answer) || round >= tries || signal?.aborted === true) return answer
      const spread = growDelay({ first: pause, longest: LONGEST_PAUSE }, round, Math.random())
      const delay = Math.max(spread, Math.min(answer.retryAfter, LONGEST_PAUSE))
      if (performance.now() + delay >= end) return answer
      onRetry(describe(answer, url), delay)
      // `wait` rejects when `signal` aborts; the call is then not retried.
      if (!(await wait(delay, true, { signal }).catch(() => false))) return answer
    }
  }
  const ask: SendCall = async (call, body, options = {}) => {
    const received = await send(call.path, JSON.stringify(body), options)
    return parseAnswer(call, received, () => describe(received, url))
  }
  const { notify, claim, renew, report, status } = COORDINATOR_CALLS
  const accept = (type: Notice, id = `notice_${randomUUID()}`): Promise<NoticeAnswer> =>
    ask(notify, type, { id })
  return {
    notify: (sellers, id) => accept({ type: 'catalogue.changed', timestamp: now(), data: { sellers } }, id),
    notifyFull: (id) => accept({ type: 'catalogue.rebuild', timestamp: now(), data: { full: true } }, id),
    claim: (builder, have) => ask(claim, { builder, have }, { signal: ending }),
    renew: async (lease) => (await ask(renew, { lease })) !== null,
    finish: async (build) => (await ask(report, createBuildReport(build)))?.pending ?? null,
    giveUp: async (lease, error) => {
      await ask(report, { lease, error })
    },
    status: (isLogWanted = false) => ask(status, isLogWanted ? { log: true } : {}),
    ask,
  }
}

const now = (): string => new Date().toISOString()

/** Returns the parsed answer, or `null` for status 409 if the call has `conflict`. Otherwise throws a `CallError`. */
function parseAnswer<One extends Call>(
  { answer, conflict }: One,
  { status, body }: Pick<Received, 'status' | 'body'>,
  describeError: () => string,
): Answered<One> {
  const result = safeParse(answer, body)
  if (status >= 200 && status < 300 && result.success) return result.output as Answered<One>
  if (status === CONFLICT && conflict !== undefined) return null as Answered<One>
  throw new CallError(describeError(), status)
}

/** Returns the max time of one try, in milliseconds. `size` is the length of the body in bytes. */
function findTimeout(size: number): number {
  return TIMEOUT + size / SLOW_LINE
}

/** The problem if Cloudflare answered instead of the site, with a challenge that only a browser can pass. */
const CHALLENGE =
  "Cloudflare takes this call for a bot (header cf-mitigated). Switch off Bot Fight Mode and Under Attack Mode for the domain in Cloudflare's dashboard"

const WRONG_SITE = 'COORDINATOR_URL, or SITE_URL, must be the origin of the deployed site'

interface Received {
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  readonly body: unknown
  /** The reason why no response arrived, or why the response is not from the site; otherwise empty. */
  readonly problem: string
  /** The response's `retry-after`, in milliseconds; 0 if there is none or it is not a number. */
  readonly retryAfter: number
}

interface Limit {
  /** In milliseconds. */
  readonly timeout: number
  /** Aborts the call before the timeout; `undefined` if only the timeout ends the call. */
  readonly end: AbortSignal | undefined
}

async function post(
  address: string,
  secrets: readonly string[],
  message: { readonly id: string; readonly body: string },
  { timeout, end }: Limit,
): Promise<Received> {
  const headers = signMessage(secrets, message, new Date())
  const limit = AbortSignal.timeout(Math.ceil(timeout))
  const signal = end === undefined ? limit : AbortSignal.any([limit, end])
  try {
    const init = { method: METHOD, headers, body: message.body, signal, redirect: 'manual' } as const
    const response = await fetch(address, init)
    const { status } = response
    // `text` rejects if the connection breaks off; this counts as no answer.
    const body = parseJson(await response.text()) ?? null
    const retryAfter = Number(response.headers.get('retry-after') ?? 0) * 1000 || 0
    const problem = response.headers.has('cf-mitigated') ? CHALLENGE : ''
    return { status, body, problem, retryAfter }
  } catch (error) {
    return { status: 0, body: null, problem: describeFailedFetch(error, timeout), retryAfter: 0 }
  }
}

/** Returns whether the answer is a failure that may be temporary. */
function isPassing({ status, problem }: Received): boolean {
  if (problem === CHALLENGE) return false
  return status === 0 || status === 408 || status === 429 || status >= 500
}

function describe({ status, problem }: Received, url: string): string {
  if (status === 0) return `${url} could not be reached: ${problem}`
  if (problem !== '') return `${url} answered with status ${status}: ${problem}`
  if (status === 401)
    return `${url} does not accept the signature: its secret (REBUILD_SECRET, BUILDER_SECRET or NOTICE_SECRET) differs from the one set here, or the clock of this machine is more than five minutes off`
  if (status === 403)
    return `${url} refused the call with status 403: a request for a full read needs BUILDER_SECRET (or REBUILD_SECRET), because NOTICE_SECRET does not suffice; any other call may have met a firewall rule of the domain`
  if (status === 503)
    return `${url} cannot take the call now, or its REBUILD_SECRET is not set: try again in a minute, then check its secrets`
  if (status === 404 || status === 405 || (status >= 300 && status < 400))
    return `${url} answered a call to /api/rebuild with status ${status}: ${WRONG_SITE}`
  if (status >= 200 && status < 300)
    return `${url} answered with status ${status}, but in an unknown format: ${WRONG_SITE}, and its Worker must not be older than this code`
  return `${url} answered with status ${status}`
}
