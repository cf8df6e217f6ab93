/** The coordinator's settings, parsed from the Worker's variables. */
import type { CallSecrets } from '../../domain/wire/signature.ts'
import { parseSecrets } from '../../domain/wire/secrets.ts'
import type { StepSettings } from './ledger.ts'

export type Variables = Readonly<Record<string, unknown>>

/** The variables of the Worker with their defaults; `null` for none. */
export const WORKER_VARIABLES = {
  /** Each is one secret, or the new and the old one, separated by a space. */
  NOTICE_SECRET: null,
  REBUILD_SECRET: null,
  /** In milliseconds. */
  REBUILD_QUIET_MS: 2_000,
  REBUILD_LONGEST_WAIT_MS: 30_000,
  DISPATCH_GITHUB_REPOSITORY: null,
  DISPATCH_GITHUB_TOKEN: null,
  DISPATCH_GITHUB_API: 'https://api.github.com',
} as const

/** The repository whose workflow builds, and the token that starts it. */
export interface Workflow {
  readonly repository: string
  readonly token: string
  readonly api: string
}

export interface CoordinatorSettings extends StepSettings {
  /** `null` if the settings name none, or are invalid. */
  readonly workflow: Workflow | null
  /** Descriptions of settings that are missing or invalid. */
  readonly problems: readonly string[]
}

const LONGEST = 24 * 60 * 60_000
const MAX_ROWS = 20_000

const REPOSITORY = /^[\w.-]+\/[\w.-]+$/
// Other tokens are rejected, because the error of a request with an invalid header would quote the token.
const TOKEN = /^[!-~]+$/

export function parseSettings(variables: Variables): CoordinatorSettings {
  const problems = findWrongSecrets(variables)
  const readTime = (name: 'REBUILD_QUIET_MS' | 'REBUILD_LONGEST_WAIT_MS'): number => {
    const time = Number(readText(variables, name) || WORKER_VARIABLES[name])
    if (Number.isInteger(time) && time >= 0 && time <= LONGEST) return time
    problems.push(`${name} must be a whole number of milliseconds, at most a day: its default is used`)
    return WORKER_VARIABLES[name]
  }
  const [quiet, longestWait] = [readTime('REBUILD_QUIET_MS'), readTime('REBUILD_LONGEST_WAIT_MS')]
  const workflow = parseWorkflow(variables)
  if (typeof workflow === 'string') problems.push(workflow)
  return {
    quiet,
    longestWait,
    maxRows: MAX_ROWS,
    workflow: typeof workflow === 'string' ? null : workflow,
    problems,
  }
}

export function parseCallSecrets(variables: Variables): CallSecrets {
  return {
    notice: parseSecrets(readText(variables, 'NOTICE_SECRET')),
    rebuild: parseSecrets(readText(variables, 'REBUILD_SECRET')),
  }
}

/** Returns a problem, in words, if the settings are invalid. */
function parseWorkflow(variables: Variables): Workflow | string | null {
  const repository = readText(variables, 'DISPATCH_GITHUB_REPOSITORY')
  const token = readText(variables, 'DISPATCH_GITHUB_TOKEN')
  const api = readText(variables, 'DISPATCH_GITHUB_API') || WORKER_VARIABLES.DISPATCH_GITHUB_API
  if (repository === '') return null
  if (!REPOSITORY.test(repository)) return 'DISPATCH_GITHUB_REPOSITORY must be <owner>/<name>'
  if (token === '') return 'DISPATCH_GITHUB_TOKEN is not set'
  if (!TOKEN.test(token)) return 'DISPATCH_GITHUB_TOKEN must be one word of ASCII characters'
  if (!/^https?:$/.test(URL.parse(api)?.protocol ?? ''))
    return 'DISPATCH_GITHUB_API must be an address such as https://api.github.com'
  return { repository, token, api: api.replace(/\/+$/, '') }
}

function findWrongSecrets(variables: Variables): string[] {
  return (['NOTICE_SECRET', 'REBUILD_SECRET'] as const).flatMap((name) => {
    if (parseSecrets(readText(variables, name)).length > 0) return []
    return [`${name} must be whsec_ and at least 24 bytes in base64, or two of them and a space between`]
  })
}

function readText(variables: Variables, name: keyof typeof WORKER_VARIABLES): string {
  return String(variables[name] ?? '').trim()
}
