/** Sends one request to the dispatch target, or to the receiver of alerts, and interprets the response. */
import type { Alert } from './alert.ts'
import type { DispatchOutcome } from './dispatch-build.ts'
import { parseRetryAfter } from '../../../domain/wire/backoff.ts'
import { signMessage } from '../../../domain/wire/signature.ts'
import type { DispatchTarget } from './dispatch-target.ts'

interface DispatchOptions {
  readonly build: string
  /** In milliseconds. */
  readonly timeout: number
  readonly now: Date
}

/**
 * The workflow that builds, and the branch whose code it runs. A token that may start it needs only the permission
 * _Actions: write_. A `repository_dispatch` would need _Contents: write_, which also permits pushing code.
 */
const GITHUB_WORKFLOW = { file: 'rebuild.yml', branch: 'main' } as const

const HOUR = 60 * 60_000

const HINTS: Readonly<Record<number, string>> = {
  401: 'the token or the signature was rejected',
  403: 'the token or the signature gives no permission, or there were too many requests',
  404: 'not found, or, at GitHub, not visible to the token',
  422: 'the request was rejected as invalid',
  429: 'too many requests',
}

/** Never throws. The returned reason contains no part of the address, the token or the response body. */
export async function sendDispatch(
  target: DispatchTarget,
  options: DispatchOptions,
): Promise<DispatchOutcome> {
  const request = createRequest(target, options)
  if (request === null) return { isSent: false, reason: 'no dispatch target is set', retryAfter: 0 }
  return sendRequest(request, options)
}

/** Posts a signed alert. Never throws. */
export async function sendAlert(
  { url, secret }: { readonly url: string; readonly secret: string },
  { id, type, reasons }: Alert,
  options: Omit<DispatchOptions, 'build'>,
): Promise<DispatchOutcome> {
  const body = JSON.stringify({ type, timestamp: options.now.toISOString(), data: { reasons } })
  const headers = signMessage([secret], { id, body }, options.now)
  return sendRequest(new Request(url, { method: 'POST', headers, body }), options)
}

async function sendRequest(
  request: Request,
  options: Omit<DispatchOptions, 'build'>,
): Promise<DispatchOutcome> {
  const signal = AbortSignal.timeout(options.timeout)
  try {
    // Following a redirect would send the token or the signature to another host.
    const response = await fetch(request, { signal, redirect: 'manual' })
    await response.body?.cancel()
    return readOutcome(response, options.now)
  } catch {
    const reason = signal.aborted
      ? `no answer within ${options.timeout / 1000} s`
      : 'the host was unreachable'
    return { isSent: false, reason, retryAfter: 0 }
  }
}

function createRequest(target: DispatchTarget, { build, now }: DispatchOptions): Request | null {
  if (target.kind === 'none') return null
  if (target.kind === 'github') {
    const { file, branch } = GITHUB_WORKFLOW
    return new Request(`${target.api}/repos/${target.repository}/actions/workflows/${file}/dispatches`, {
      method: 'POST',
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${target.token}`,
        'content-type': 'application/json',
        'user-agent': 'vitrina',
        'x-github-api-version': '2022-11-28',
      },
      body: JSON.stringify({ ref: branch, inputs: { build } }),
    })
  }
  const body = JSON.stringify({ type: 'build.wanted', timestamp: now.toISOString(), data: { build } })
  const headers = signMessage([target.secret], { id: build, body }, now)
  return new Request(target.url, { method: 'POST', headers, body })
}

function readOutcome({ ok, status, headers }: Response, now: Date): DispatchOutcome {
  if (ok) return { isSent: true }
  const isMoved = status >= 300 && status < 400
  const hint = isMoved ? 'redirects are not followed' : HINTS[status]
  const reason = `HTTP ${status}${hint === undefined ? '' : `: ${hint}`}`
  return { isSent: false, reason, retryAfter: Math.min(findPause(headers, now), HOUR) }
}

/**
 * Returns the pause that the target requests, in milliseconds; 0 for none. Reads `retry-after`, in seconds or as a
 * date, or else GitHub's rate limit headers.
 */
function findPause(headers: Headers, now: Date): number {
  const pause = parseRetryAfter(headers.get('retry-after'), now.getTime())
  if (pause !== null) return pause
  // Source: https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0'
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN)
  return isUsedUp && Number.isFinite(reset) ? Math.max(0, reset * 1000 - now.getTime()) : 0
}
