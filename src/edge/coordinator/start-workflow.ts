/** Starts GitHub's workflow, and interprets the response. */
import { parseRetryAfter } from '../../domain/work/backoff.ts'
import type { DispatchOutcome } from './schedule.ts'
import type { Workflow } from './settings.ts'

/**
 * The workflow that builds, and the branch whose code it runs. A token that may start it needs only the permission
 * _Actions: write_. A `repository_dispatch` would need _Contents: write_, which also permits pushing code.
 */
const FILE = 'rebuild.yml'
const BRANCH = 'main'

const HOUR = 60 * 60_000
const TIMEOUT = 10_000

const HINTS: Readonly<Record<number, string>> = {
  401: 'the token was rejected',
  403: 'the token gives no permission, or there were too many requests',
  404: 'not found, or not visible to the token',
  422: 'the request was rejected as invalid',
  429: 'too many requests',
}

/** Never throws. The returned reason contains no part of the address, the token or the response body. */
export async function startWorkflow(
  { api, repository, token }: Workflow,
  patience: number,
): Promise<DispatchOutcome> {
  try {
    const response = await fetch(`${api}/repos/${repository}/actions/workflows/${FILE}/dispatches`, {
      method: 'POST',
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'user-agent': 'vitrina',
        'x-github-api-version': '2022-11-28',
      },
      body: JSON.stringify({ ref: BRANCH, inputs: { build: `build_${crypto.randomUUID()}` } }),
      signal: AbortSignal.timeout(TIMEOUT),
      // Following a redirect would send the token to another host.
      redirect: 'manual',
    })
    await response.body?.cancel()
    return readOutcome(response, patience)
  } catch {
    return { isSent: false, reason: 'GitHub could not be reached', retryAfter: 0 }
  }
}

function readOutcome({ ok, status, headers }: Response, patience: number): DispatchOutcome {
  if (ok) return { isSent: true, patience }
  const hint = HINTS[status]
  const reason = `GitHub answered with status ${status}${hint === undefined ? '' : `: ${hint}`}`
  return { isSent: false, reason, retryAfter: Math.min(findPause(headers), HOUR) }
}

/** Returns the pause that GitHub requests, in milliseconds; 0 for none. */
function findPause(headers: Headers): number {
  const pause = parseRetryAfter(headers.get('retry-after'), Date.now())
  if (pause !== null) return pause
  // Source: https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0'
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN)
  return isUsedUp && Number.isFinite(reset) ? Math.max(0, reset * 1000 - Date.now()) : 0
}
