/** Makes calls to the deployed probe, the Worker with which the command `conform` checks assumptions. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Json } from '../../../domain/documents/json.ts'
import type { Bill } from '../../publish/cloudflare/prices.ts'
import { BILLED } from '../../publish/cloudflare/prices.ts'

export interface Probe {
  /** Asks the probe, with retries. Throws if every try fails. */
  ask(question: string, parameters?: Readonly<Record<string, string | number>>): Promise<Json>
  /** Fetches a path as a visitor does, without following redirects. */
  visit(path: string, headers?: Readonly<Record<string, string>>): Promise<Visit>
  /**
   * Calls `look` until `isEnough` accepts its answer, or for about `limit` milliseconds. Returns the most recent
   * answer.
   */
  poll(look: () => Promise<Json>, isEnough: (answer: Json) => boolean, limit: number): Promise<Json>
  /** The bill of all calls so far. A failed call counts as a request only. */
  readonly bill: Bill
}

interface Visit {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

interface ProbeAddress {
  readonly origin: string
  readonly key: string
  /** Aborts all calls and pauses. */
  readonly end: AbortSignal
}

/**
 * Timeout of a call, and pause between the calls of `poll`, in milliseconds. The pause before a retry is a multiple of
 * `PAUSE`.
 */
const TIMEOUT = 30_000
const PAUSE = 500
/** Max tries of a call. A new version of the Worker resets its Durable Objects, so a call may fail once. */
const TRIES = 4

export function createProbe({ origin, key, end }: ProbeAddress): Probe {
  const bill = Object.fromEntries(BILLED.map((name) => [name, 0])) as unknown as Bill
  const visit = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Visit> => {
    bill.requests += 1
    const signal = AbortSignal.any([end, AbortSignal.timeout(TIMEOUT)])
    const response = await fetch(`${origin}${path}`, { headers, signal, redirect: 'manual' })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  const askOnce = async (path: string): Promise<Json> => {
    const { status, text } = await visit(path, { authorization: `Bearer ${key}` })
    if (status !== 200)
      throw new Error(`the probe answered with status ${status} instead of 200: ${text.slice(0, 200)}`)
    const { answer, bill: more = {} } = JSON.parse(text) as { answer: Json; bill?: Partial<Bill> }
    for (const name of BILLED) bill[name] += more[name] ?? 0
    return answer
  }
  const ask: Probe['ask'] = async (question, parameters = {}) => {
    const query = new URLSearchParams(
      Object.entries(parameters).map(([name, value]) => [name, String(value)]),
    )
    for (let round = 1; ; round += 1)
      try {
        return await askOnce(`/api/probe/${question}?${query}`)
      } catch (error) {
        if (round === TRIES || end.aborted) throw error
        await wait(PAUSE * round, undefined, { signal: end })
      }
  }
  const poll: Probe['poll'] = async (look, isEnough, limit) => {
    const last = performance.now() + limit
    for (;;) {
      const answer = await look()
      if (isEnough(answer) || performance.now() >= last) return answer
      await wait(PAUSE, undefined, { signal: end })
    }
  }
  return { ask, visit, poll, bill }
}
