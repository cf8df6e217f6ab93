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
  /** `none`, `github`, `url` or `queue`. If it is not set, the target is the one whose variables are set. */
  DISPATCH: null,
  DISPATCH_FULL: null,
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

/**
 * If `isQueue` is true, the Worker itself renders changed sellers, from a queue. Otherwise a builder is started, which
 * renders them.
 */
export interface DispatchSetting {
  readonly isQueue: boolean
  /**
   * The target that starts builders. With a queue, it is used only for work that the Worker cannot do, such as full
   * reads, large sellers, and retries of pages that failed at a builder.
   */
  readonly target: DispatchTarget
}

/** `canQueue`: whether the Worker has a queue of changes. Without a queue, a builder renders the changes. */
export function parseDispatch(variables: Variables, canQueue: boolean): DispatchSetting {
  const chosen = readText(variables, 'DISPATCH')
  if (chosen !== '' && chosen !== 'queue' && !isTargetName(chosen))
    return { isQueue: false, target: createProblem('DISPATCH must be none, github, url or queue') }
  if (chosen !== 'queue') return { isQueue: false, target: parseTarget(variables, 'DISPATCH', chosen) }
  const full = readText(variables, 'DISPATCH_FULL')
  const target =
    full === '' || isTargetName(full)
      ? parseTarget(variables, 'DISPATCH_FULL', full)
      : createProblem('DISPATCH_FULL must be none, github or url')
  return { isQueue: canQueue, target }
}

/** Returns problems of the dispatch settings, except those of the target. */
export function findDispatchProblems(variables: Variables, canQueue: boolean): readonly string[] {
  return readText(variables, 'DISPATCH') === 'queue' && !canQueue
    ? [
        'DISPATCH=queue needs a queue of changes, which this Worker does not have: deploy with HOSTING=objects',
      ]
    : []
}

/**
 * If `chosen` is empty, the target is the one whose variables are set. `setting`: the variable that contains `chosen`.
 */
function parseTarget(
  variables: Variables,
  setting: 'DISPATCH' | 'DISPATCH_FULL',
  chosen: string,
): DispatchTarget {
  const repository = readText(variables, 'DISPATCH_GITHUB_REPOSITORY')
  const url = readText(variables, 'DISPATCH_URL')
  if (chosen === 'none') return { kind: 'none', problem: null }
  if (chosen === 'github' && repository === '')
    return createProblem(`${setting}=github needs DISPATCH_GITHUB_REPOSITORY, which is not set`)
  if (chosen === 'url' && url === '')
    return createProblem(`${setting}=url needs DISPATCH_URL, which is not set`)
  if (chosen === '' && repository !== '' && url !== '')
    return createProblem(
      `DISPATCH_GITHUB_REPOSITORY and DISPATCH_URL are both set: choose one with ${setting}=github or ${setting}=url`,
    )
  if (repository !== '' && chosen !== 'url') return parseGithub(variables, repository)
  if (url === '') return { kind: 'none', problem: null }
  return parseAddress('DISPATCH', url, readText(variables, 'DISPATCH_SECRET') || findSecret(variables))
}

/** Formats the destination of changes for the status; `null` for none. */
export function formatDispatchTarget({ isQueue, target }: DispatchSetting): string | null {
  const builder = formatTarget(target)
  if (!isQueue) return builder
  return builder === null ? 'the queue of changes' : `the queue of changes; full reads go to ${builder}`
}

function isTargetName(text: string): boolean {
  return ['none', 'github', 'url'].includes(text)
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
