/** Checks what Cloudflare requires of an account: the permission of its token, and a subdomain. */
import { ApiError } from './api-error.ts'

export class FakeAccount {
  readonly #token: string
  /** Subdomain of workers.dev; `null` until _Workers & Pages_ was opened in the dashboard. */
  subdomain: string | null = null
  /** Whether the token may edit Workers. */
  #isPermitted = false

  constructor(token: string) {
    this.#token = token
  }

  /** Performs actions of the dashboard, given by their names there. Ignores other names. */
  use(names: readonly string[]): void {
    if (names.includes('Workers & Pages')) this.subdomain = 'example'
    if (names.includes('Edit Cloudflare Workers')) this.#isPermitted = true
  }

  /**
   * Throws the `ApiError` with which Cloudflare would refuse the call. `path` is the part of the URL after the account.
   */
  check(method: string, path: string, authorization = ''): void {
    // Uploads of files are authorized by the token of their session, not by the API token.
    if (path === '/workers/assets/upload') return
    if (authorization !== `Bearer ${this.#token}`) throw new ApiError(403, 9109, 'Invalid access token')
    if (!/^\/workers\b/.test(path)) {
      // After a refusal, wrangler verifies its token and requests the user's data. The first call succeeds. The second
      // is refused, as for a token without the permission _User Details Read_.
      if (path.endsWith('/tokens/verify')) return
      throw new ApiError(403, 9109, 'Unauthorized to access requested resource')
    }
    if (!this.#isPermitted) throw new ApiError(403, 10000, 'Authentication error')
    if (this.subdomain === null) checkSubdomain(method, path)
  }
}

/**
 * Refuses the calls that need a subdomain, for an account without one. Source:
 * https://github.com/cloudflare/workers-sdk/issues/9045
 */
function checkSubdomain(method: string, path: string): void {
  if (path === '/workers/subdomain')
    throw new ApiError(404, 10007, 'There is no workers.dev subdomain on your account.')
  if (method === 'PUT' && /^\/workers\/scripts\/[^/]+$/.test(path))
    throw new ApiError(
      403,
      10063,
      'You need a workers.dev subdomain in order to proceed. Please go to the dashboard and open the Workers menu. Opening the Workers menu for the first time will create a workers.dev subdomain for you automatically.',
    )
}
