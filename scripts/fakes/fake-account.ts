/** Checks what Cloudflare requires of an account: the rights of its token, and enabled products. */
import { ApiError } from './api-error.ts'

type Product = 'workers' | 'r2' | 'queues'

/**
 * Products that a token may use. The key is the name of the token's template or of its permission, as in the dashboard.
 */
const RIGHTS: Readonly<Record<string, readonly Product[]>> = {
  'Edit Cloudflare Workers': ['workers', 'r2'],
  Queues: ['queues'],
}

export class FakeAccount {
  readonly #token: string
  /** Subdomain of workers.dev; `null` until _Workers & Pages_ was opened in the dashboard. */
  subdomain: string | null = null
  hasR2 = false
  /** Products that the token may use. */
  rights: ReadonlySet<Product> = new Set()

  constructor(token: string) {
    this.#token = token
  }

  /** Performs actions of the dashboard, given by their names there. Ignores other names. */
  use(names: readonly string[]): void {
    if (names.includes('Workers & Pages')) this.subdomain = 'example'
    if (names.includes('R2')) this.hasR2 = true
    this.rights = new Set([...this.rights, ...names.flatMap((name) => RIGHTS[name] ?? [])])
  }

  /**
   * Throws the `ApiError` with which Cloudflare would refuse the call. `path` is the part of the URL after the account.
   */
  check(method: string, path: string, authorization = ''): void {
    // Uploads of files are authorized by the token of their session, not by the API token.
    if (path === '/workers/assets/upload') return
    if (authorization !== `Bearer ${this.#token}`) throw new ApiError(403, 9109, 'Invalid access token')
    const [, product] = /^\/(workers|r2|queues)\b/.exec(path) ?? []
    if (product === undefined) {
      // After a refusal, wrangler verifies its token and requests the user's data. The first call succeeds. The second
      // is refused, as for a token without the permission _User Details Read_.
      if (path.endsWith('/tokens/verify')) return
      throw new ApiError(403, 9109, 'Unauthorized to access requested resource')
    }
    if (![...this.rights].some((right) => right === product))
      throw new ApiError(403, 10000, 'Authentication error')
    if (product === 'r2' && !this.hasR2)
      throw new ApiError(403, 10042, 'Please enable R2 through the Cloudflare Dashboard.')
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
