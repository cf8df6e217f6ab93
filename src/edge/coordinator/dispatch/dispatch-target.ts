/** The dispatch target and the receiver of alerts, parsed from the Worker's variables. */
import type { Variables } from '../coordinator-settings.ts'
import { parseSecrets } from '../coordinator-settings.ts'
import { isSecret } from '../../../domain/wire/secrets.ts'

export type DispatchTarget =
  /** `problem` describes an invalid setting; `null` when no target is configured. */
  | { readonly kind: 'none'; readonly problem: string | null }
  | { readonly kind: 'github'; readonly api: string; readonly repository: string; readonly token: string }
  | { readonly kind: 'address'; readonly url: string; readonly secret: string }

/** The variables that configure a target, with their defaults; `null` for no default. */
export const DISPATCH_DEFAULTS = {
  /** `none`, `github` or `url`. If it is not set, the target is the one whose variables are set. */
  DISPATCH: null,
  DISPATCH_GITHUB_REPOSITORY: null,
  DISPATCH_GITHUB_TOKEN: null,
  DISPATCH_GITHUB_API: 'https://api.github.com',
  DISPATCH_URL: null,
  /** If this variable is not set, the builders' secret is used. */
  DISPATCH_SECRET: null,
} as const

/** The variables of alerts. `ALERT_SECRET` falls back to the builders' secret. */
export const ALERT_DEFAULTS = { ALERT_URL: null, ALERT_SECRET: null } as const

/** An address that accepts signed messages, or none. */
export type SignedTarget = Exclude<DispatchTarget, { kind: 'github' }>

const REPOSITORY = /^[\w.-]+\/[\w.-]+$/

// Printable ASCII without spaces. Other tokens are rejected, because the error of a request with an invalid header
// would quote the token.
const TOKEN = /^[!-~]+$/

/** If `DISPATCH` is not set, the target is the one whose variables are set. */
export function parseDispatch(variables: Variables): DispatchTarget {
  const chosen = readText(variables, 'DISPATCH')
  if (!['', 'none', 'github', 'url'].includes(chosen))
    return createProblem('DISPATCH must be none, github or url')
  const repository = readText(variables, 'DISPATCH_GITHUB_REPOSITORY')
  const url = readText(variables, 'DISPATCH_URL')
  if (chosen === 'none') return { kind: 'none', problem: null }
  if (chosen === 'github' && repository === '')
    return createProblem('DISPATCH=github needs DISPATCH_GITHUB_REPOSITORY, which is not set')
  if (chosen === 'url' && url === '')
    return createProblem('DISPATCH=url needs DISPATCH_URL, which is not set')
  if (chosen === '' && repository !== '' && url !== '')
    return createProblem(
      'DISPATCH_GITHUB_REPOSITORY and DISPATCH_URL are both set: choose one with DISPATCH=github or DISPATCH=url',
    )
  if (repository !== '' && chosen !== 'url') return parseGithub(variables, repository)
  if (url === '') return { kind: 'none', problem: null }
  return parseAddress('DISPATCH', url, readText(variables, 'DISPATCH_SECRET') || findSecret(variables))
}

function readText(
  variables: Variables,
  name: keyof typeof DISPATCH_DEFAULTS | keyof typeof ALERT_DEFAULTS,
): string {
  return String(variables[name] ?? '').trim()
}

export function parseAlertTarget(variables: Variables): SignedTarget {
  const url = readText(variables, 'ALERT_URL')
  if (url === '') return { kind: 'none', problem: null }
  return parseAddress('ALERT', url, readText(variables, 'ALERT_SECRET') || findSecret(variables))
}

/** Formats the target for the status; `null` for none. Omits the path of an address, which may contain a secret. */
export function formatTarget(target: DispatchTarget): string | null {
  if (target.kind === 'none') return null
  return target.kind === 'github' ? `GitHub ${target.repository}` : `POST ${new URL(target.url).origin}`
}

function parseGithub(variables: Variables, repository: string): DispatchTarget {
  const token = readText(variables, 'DISPATCH_GITHUB_TOKEN')
  const api = readText(variables, 'DISPATCH_GITHUB_API') || DISPATCH_DEFAULTS.DISPATCH_GITHUB_API
  if (!REPOSITORY.test(repository)) return createProblem('DISPATCH_GITHUB_REPOSITORY must be <owner>/<name>')
  if (token === '') return createProblem('DISPATCH_GITHUB_TOKEN is not set')
  if (!TOKEN.test(token))
    return createProblem('DISPATCH_GITHUB_TOKEN must be one word of ASCII characters: set the secret again')
  if (!isWebAddress(api))
    return createProblem('DISPATCH_GITHUB_API must be an address such as https://api.github.com')
  return { kind: 'github', api: api.replace(/\/+$/, ''), repository, token }
}

function parseAddress(kind: 'DISPATCH' | 'ALERT', url: string, secret: string): SignedTarget {
  if (!isWebAddress(url))
    return createProblem(`${kind}_URL must be an address such as https://example.com/build`)
  if (!isSecret(secret))
    return createProblem(`${kind}_SECRET must be whsec_ followed by at least 24 random bytes in base64`)
  return { kind: 'address', url, secret }
}

function findSecret(variables: Variables): string {
  return parseSecrets(variables).builders[0] ?? ''
}

// Credentials are not accepted, because `fetch` rejects addresses that contain them.
function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

function createProblem(problem: string): Extract<DispatchTarget, { kind: 'none' }> {
  return { kind: 'none', problem }
}
