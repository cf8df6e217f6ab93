/** Starts a builder: one request to the dispatch target, and what its answer means. */
import type { DispatchOutcome } from './dispatch-build.ts'
import { signMessage } from '../../domain/wire/signature.ts'
import type { Target } from './dispatch-target.ts'

export interface DispatchOptions {
  readonly build: string
  /** In milliseconds. */
  readonly timeout: number
  readonly now: Date
}

/** What a workflow of GitHub Actions names under `repository_dispatch: types`. */
export const GITHUB_EVENT = 'vitrina-rebuild'

const HOUR = 60 * 60_000

const HINTS: Readonly<Record<number, string>> = {
  401: 'the token or the signature is not accepted',
  403: 'the token may not do this, or too many requests',
  404: 'nothing is there, or the token may not see it',
  422: 'the request is not understood',
  429: 'too many requests',
}

/** Never throws. A reason holds nothing of the address, the token or the answer's text. */
export async function sendDispatch(target: Target, options: DispatchOptions): Promise<DispatchOutcome> {
  const request = createRequest(target, options)
  if (request === null) return { isSent: false, reason: 'no dispatch target is set', retryAfter: 0 }
  const signal = AbortSignal.timeout(options.timeout)
  try {
    // A redirect would carry the token, or the signature, elsewhere.
    const response = await fetch(request, { signal, redirect: 'manual' })
    await response.body?.cancel()
    return readOutcome(response, options.now)
  } catch {
    const reason = signal.aborted
      ? `it did not answer within ${options.timeout / 1000} s`
      : 'it could not be reached'
    return { isSent: false, reason, retryAfter: 0 }
  }
}

/** `null` without a target. */
export function createRequest(target: Target, { build, now }: DispatchOptions): Request | null {
  if (target.kind === 'none') return null
  if (target.kind === 'github') {
    return new Request(`${target.api}/repos/${target.repository}/dispatches`, {
      method: 'POST',
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${target.token}`,
        'content-type': 'application/json',
        'user-agent': 'vitrina',
        'x-github-api-version': '2022-11-28',
      },
      body: JSON.stringify({ event_type: GITHUB_EVENT, client_payload: { build } }),
    })
  }
  const body = JSON.stringify({ type: 'build.wanted', timestamp: now.toISOString(), data: { build } })
  const headers = signMessage([target.secret], { id: build, body }, now)
  return new Request(target.url, { method: 'POST', headers, body })
}

function readOutcome({ ok, status, headers }: Response, now: Date): DispatchOutcome {
  if (ok) return { isSent: true }
  const isMoved = status >= 300 && status < 400
  const hint = isMoved ? 'it has moved to another address' : HINTS[status]
  const reason = `it answered ${status}${hint === undefined ? '' : `: ${hint}`}`
  return { isSent: false, reason, retryAfter: Math.min(findPause(headers, now), HOUR) }
}

/** In milliseconds: what the target asks for, in any of three ways; 0 when it asks for nothing. */
function findPause(headers: Headers, now: Date): number {
  const after = headers.get('retry-after') ?? ''
  const seconds = after === '' ? Number.NaN : Number(after)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(after)
  if (!Number.isNaN(date)) return Math.max(0, date - now.getTime())
  // GitHub's own: https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0'
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN)
  return isUsedUp && Number.isFinite(reset) ? Math.max(0, reset * 1000 - now.getTime()) : 0
}
