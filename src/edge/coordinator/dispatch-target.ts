/** The dispatch target, parsed from the Worker's variables. */
import type { Variables } from './coordinator-settings.ts'
import { parseSecrets } from './coordinator-settings.ts'
import { isSecret } from '../../domain/wire/secrets.ts'

export type DispatchTarget =
  /** `problem` describes an invalid setting; `null` when no target is configured. */
  | { readonly kind: 'none'; readonly problem: string | null }
  | { readonly kind: 'github'; readonly api: string; readonly repository: string; readonly token: string }
  | { readonly kind: 'address'; readonly url: string; readonly secret: string }

/** The variables that configure a target, with their defaults; `null` for no default. */
export const DISPATCH_DEFAULTS = {
  DISPATCH_GITHUB_REPOSITORY: null,
  DISPATCH_GITHUB_TOKEN: null,
  DISPATCH_GITHUB_API: 'https://api.github.com',
  DISPATCH_URL: null,
  /** Falls back to the builders' secret. */
  DISPATCH_SECRET: null,
} as const

/** The variables of alerts. `ALERT_SECRET` falls back to the builders' secret. */
export const ALERT_DEFAULTS = { ALERT_URL: null, ALERT_SECRET: null } as const

/** An address that takes signed messages. */
export type SignedTarget = Exclude<DispatchTarget, { kind: 'github' }>

const REPOSITORY = /^[\w.-]+\/[\w.-]+$/

export function parseTarget(variables: Variables): DispatchTarget {
  const read = (name: keyof typeof DISPATCH_DEFAULTS): string => {
    const text = variables[name]
    return typeof text === 'string' ? text.trim() : ''
  }
  const repository = read('DISPATCH_GITHUB_REPOSITORY')
  const url = read('DISPATCH_URL')
  if (repository !== '' && url !== '')
    return createProblem('DISPATCH_GITHUB_REPOSITORY and DISPATCH_URL are both set: keep one of them')
  if (repository !== '')
    return parseGithub(
      repository,
      read('DISPATCH_GITHUB_TOKEN'),
      read('DISPATCH_GITHUB_API') || DISPATCH_DEFAULTS.DISPATCH_GITHUB_API,
    )
  if (url !== '') return parseAddress('DISPATCH', url, read('DISPATCH_SECRET') || findSecret(variables))
  return { kind: 'none', problem: null }
}

/** The receiver of alerts. */
export function parseAlertTarget(variables: Variables): SignedTarget {
  const read = (name: keyof typeof ALERT_DEFAULTS): string => String(variables[name] ?? '').trim()
  const url = read('ALERT_URL')
  if (url === '') return { kind: 'none', problem: null }
  return parseAddress('ALERT', url, read('ALERT_SECRET') || findSecret(variables))
}

/** Formats the target for the status. Omits the path of an address, which may contain a secret. */
export function formatTarget(target: DispatchTarget): string | null {
  if (target.kind === 'none') return null
  return target.kind === 'github' ? `GitHub ${target.repository}` : `POST ${new URL(target.url).origin}`
}

function parseGithub(repository: string, token: string, api: string): DispatchTarget {
  if (!REPOSITORY.test(repository)) return createProblem('DISPATCH_GITHUB_REPOSITORY must be <owner>/<name>')
  if (token === '') return createProblem('DISPATCH_GITHUB_TOKEN is not set')
  if (!isWebAddress(api))
    return createProblem('DISPATCH_GITHUB_API must be an address such as https://api.github.com')
  return { kind: 'github', api: api.replace(/\/+$/, ''), repository, token }
}

function parseAddress(kind: 'DISPATCH' | 'ALERT', url: string, secret: string): SignedTarget {
  if (!isWebAddress(url))
    return createProblem(`${kind}_URL must be an address such as https://example.com/build`)
  if (!isSecret(secret)) return createProblem(`${kind}_SECRET must be whsec_ and 24 random bytes in base64`)
  return { kind: 'address', url, secret }
}

function findSecret(variables: Variables): string {
  return parseSecrets(variables).builders[0] ?? ''
}

// `fetch` rejects addresses with credentials.
function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

function createProblem(problem: string): Extract<DispatchTarget, { kind: 'none' }> {
  return { kind: 'none', problem }
}
