/**
 * Calls a site's coordinator. A call is tried again after network errors and temporary failures, with the same id and
 * the same token.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { parseJson } from '../../../domain/documents/json.ts'
import { growDelay } from '../../../domain/work/backoff.ts'
import type { CallAnswer, CallName, SentCall } from '../../../domain/wire/calls.ts'
import {
  CALLS,
  LARGEST_BODY,
  MAX_FAILED,
  MAX_REASON,
  parseCallAnswer,
  PREFIX,
} from '../../../domain/wire/calls.ts'
import type { CallSecrets } from '../../../domain/wire/signature.ts'
import { signMessage } from '../../../domain/wire/signature.ts'

export interface CoordinatorAddress {
  /** Origin of the site. */
  readonly url: string
  readonly secrets: CallSecrets
}

/** The last time by `Date.now()` at which the lease runs, counted from when the call was sent. */
type Timed<Answer> = Answer & { readonly until: number }
type Failed = readonly { readonly seller: string; readonly reason: string }[]

type ClaimAnswer = Timed<CallAnswer<'claim'>>
export type CoordinatorStatus = CallAnswer<'status'>

export interface CoordinatorClient {
  /** Returns the number of sellers whose changes are not live. */
  notice(sellers: readonly string[]): Promise<number>
  noticeFull(): Promise<number>
  /** `have`: `upTo` of the claim whose read the builder's state has; `null` for none. */
  claim(token: string, builder: string, have: number | null): Promise<ClaimAnswer>
  /** Returns `null` if the lease has ended, or publishing is held. */
  renew(token: string): Promise<Timed<CallAnswer<'renew'>> | null>
  /** `failed`: all failed sellers of the state. Returns `null` if the lease had ended, else the number who wait. */
  done(token: string, report: { upTo: number; marker: string; failed: Failed }): Promise<number | null>
  /** Reports that nothing was published. */
  fail(token: string, error: string): Promise<void>
  /** Returns the end of the lease that still runs, in RFC 3339; `null` for none. */
  hold(reason: string): Promise<string | null>
  release(): Promise<void>
  status(): Promise<CoordinatorStatus>
}

/** The coordinator refused the call, could not be reached, or answered in an unknown format. */
export class CallError extends Error {
  override readonly name = 'CallError'
  /** HTTP status of the response; 0 if there was none. */
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

const TIMEOUT = 30_000
const LONGEST_PAUSE = 30_000
const CONFLICT = 409

/** Creates the random token of a lease. */
export function createToken(): string {
  return randomBytes(24).toString('base64url')
}

/** `tries`: max tries of a call. `pause`: mean pause before the second one, in milliseconds; it doubles with each. */
export function createCoordinatorClient(
  { url, secrets }: CoordinatorAddress,
  { tries = 8, pause = 500 }: { readonly tries?: number; readonly pause?: number } = {},
): CoordinatorClient {
  /** Returns an answer of `null` for a refusal with status 409 that says no more. */
  const ask = async <Name extends CallName>(name: Name, body: SentCall<Name>, token?: string) => {
    const message = { id: `call_${randomUUID()}`, body: JSON.stringify(body) }
    const own = name === 'notice' && secrets.rebuild.length === 0 ? secrets.notice : secrets.rebuild
    for (let round = 1; ; round += 1) {
      const sent = Date.now()
      const headers =
        token === undefined ? signMessage(own, message, new Date()) : { authorization: `Bearer ${token}` }
      const received = await post(url + PREFIX + CALLS[name].path, headers, message.body)
      const { status } = received
      const answer = parseCallAnswer(name, received.body)
      if (status === CONFLICT || (status >= 200 && status < 300 && answer !== null)) return { answer, sent }
      const isPassing = status === 0 || status === 408 || status === 429 || status >= 500
      if (!isPassing || round >= tries) throw new CallError(describe(received, url), status)
      await wait(growDelay({ first: pause, longest: LONGEST_PAUSE }, round, Math.random()))
    }
  }
  /** Asks a question whose answer always says something. */
  const get = async <Name extends CallName>(name: Name, body: SentCall<Name>) => {
    const { answer, sent } = await ask(name, body)
    if (answer === null) throw new CallError(`${url} answered in an unknown format`, CONFLICT)
    return { answer, sent }
  }
  const accept = async (type: SentCall<'notice'>['type'], data: SentCall<'notice'>['data']) =>
    (await get('notice', { type, timestamp: new Date().toISOString(), data })).answer.waiting
  return {
    notice: (sellers) => accept('catalogue.changed', { sellers: [...sellers] }),
    noticeFull: () => accept('catalogue.rebuild', { full: true }),
    claim: async (token, builder, have) => {
      const { answer, sent } = await get('claim', { token, builder, have })
      return { ...answer, until: 'seconds' in answer ? sent + answer.seconds * 1_000 : sent }
    },
    renew: async (token) => {
      const { answer, sent } = await ask('renew', {}, token)
      return answer === null ? null : { ...answer, until: sent + answer.seconds * 1_000 }
    },
    done: async (token, { failed, ...report }) =>
      (await ask('done', { ...report, failed: cutFailed(failed) }, token)).answer?.waiting ?? null,
    fail: async (token, error) => void (await ask('done', { error }, token)),
    hold: async (reason) => (await get('hold', { reason })).answer.until,
    release: async () => void (await get('hold', { release: true })),
    status: async () => (await get('status', {})).answer,
  }
}

/** Returns as many failed sellers as fit into a report. The builder's own state keeps the others. */
function cutFailed(failed: Failed): { seller: string; reason: string }[] {
  let left = LARGEST_BODY - 1_000
  return failed.slice(0, MAX_FAILED).flatMap(({ seller, reason }) => {
    const one = { seller, reason: reason.slice(0, MAX_REASON).toWellFormed() }
    left -= Buffer.byteLength(JSON.stringify(one)) + 1
    return left < 0 ? [] : [one]
  })
}

/** `status` is 0 if there was no response; `problem` says why. */
async function post(address: string, headers: Readonly<Record<string, string>>, body: string) {
  const signal = AbortSignal.timeout(TIMEOUT)
  try {
    const response = await fetch(address, { method: 'POST', headers, body, signal, redirect: 'manual' })
    const problem = response.headers.has('cf-mitigated')
      ? ' of Cloudflare, which takes it for that of a bot'
      : ''
    return { status: response.status, body: parseJson(await response.text()), problem }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { status: 0, body: null, problem: cause instanceof Error ? cause.message : String(cause) }
  }
}

function describe({ status, problem }: { status: number; problem: string }, url: string): string {
  if (status === 0) return `${url} could not be reached: ${problem}. Check the network, and SITE_URL.`
  if (status === 401)
    return `${url} does not accept the signature: other secrets, or the clock of this machine is wrong`
  if (status === 503) return `${url} cannot take the call now, or its REBUILD_SECRET is not set`
  return `${url} answered a call with status ${status}${problem}: is it the deployed site, of the same release?`
}
