/** The coordinator's settings, parsed from the Worker's variables. All times in milliseconds. */
import type { Delay } from '../../domain/wire/backoff.ts'
import type { CallSecrets } from '../../domain/wire/secrets.ts'
import { isSecret, readSecrets, SECRET_NAMES } from '../../domain/wire/secrets.ts'

export interface CoordinatorSettings {
  /** A build starts once no further change has arrived for this long. */
  readonly quiet: number
  /** Further changes delay a build by at most this long, counted from the first change. */
  readonly longestWait: number
  /** A build lease expires unless it is renewed or ended within this time. */
  readonly lease: number
  /**
   * A dispatch is repeated if no builder claims the build within this time, which doubles with each repeat, up to two
   * hours.
   */
  readonly start: number
  /** Lifetime of a publish lease. */
  readonly publishLease: number
  /** Timeout of a request to the dispatch target. */
  readonly dispatchTimeout: number
  /** How long a problem must last before an alert is sent. */
  readonly alertAfter: number
  readonly dispatchRetry: Delay
  readonly buildRetry: Delay
  readonly sellerRetry: Delay
}

export type Variables = Readonly<Record<string, unknown>>

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

export const COORDINATOR_DEFAULTS = {
  REBUILD_QUIET_MS: 2 * SECOND,
  REBUILD_LONGEST_WAIT_MS: 30 * SECOND,
  REBUILD_LEASE_MS: 10 * MINUTE,
  REBUILD_RETRY_MS: 30 * SECOND,
  SELLER_RETRY_MS: MINUTE,
  PUBLISH_LEASE_MS: 3 * MINUTE,
  DISPATCH_START_MS: 10 * MINUTE,
  DISPATCH_TIMEOUT_MS: 10 * SECOND,
  DISPATCH_RETRY_MS: 2 * SECOND,
  ALERT_AFTER_MS: 5 * MINUTE,
} as const

const LONGEST = 24 * HOUR

/** An invalid variable falls back to its default and adds an entry to `problems`. */
export function parseSettings(variables: Variables): {
  settings: CoordinatorSettings
  problems: readonly string[]
} {
  const problems: string[] = []
  const read = (name: keyof typeof COORDINATOR_DEFAULTS, least = 0): number => {
    const text = variables[name]
    if (text === undefined || text === '') return COORDINATOR_DEFAULTS[name]
    const time = Number(text)
    if (Number.isInteger(time) && time >= least && time <= LONGEST) return time
    problems.push(
      `${name} must be a whole number of milliseconds, at least ${least} and at most a day: its default is used`,
    )
    return COORDINATOR_DEFAULTS[name]
  }
  const settings: CoordinatorSettings = {
    quiet: read('REBUILD_QUIET_MS'),
    longestWait: read('REBUILD_LONGEST_WAIT_MS'),
    lease: read('REBUILD_LEASE_MS', 1),
    start: read('DISPATCH_START_MS', 1),
    publishLease: read('PUBLISH_LEASE_MS', 1),
    dispatchTimeout: read('DISPATCH_TIMEOUT_MS', 1),
    alertAfter: read('ALERT_AFTER_MS'),
    dispatchRetry: { first: read('DISPATCH_RETRY_MS'), longest: 5 * MINUTE },
    buildRetry: { first: read('REBUILD_RETRY_MS'), longest: 30 * MINUTE },
    sellerRetry: { first: read('SELLER_RETRY_MS'), longest: 6 * HOUR },
  }
  return { settings, problems: [...problems, ...findWrongSecrets(variables)] }
}

/** An invalid secret is treated as not set. */
export function parseSecrets(variables: Variables): CallSecrets {
  return readSecrets((name) => {
    const secret = String(variables[name] ?? '')
    return isSecret(secret) ? secret : ''
  })
}

function findWrongSecrets(variables: Variables): readonly string[] {
  const names = SECRET_NAMES.filter((name) => {
    const secret = variables[name] ?? ''
    return secret !== '' && !isSecret(String(secret))
  })
  const wrong = names.map((name) => `${name} must be whsec_ followed by at least 24 random bytes in base64`)
  const isShared =
    isSecret(String(variables['NOTICE_SECRET'] ?? '')) &&
    parseSecrets(variables).builders.includes(String(variables['NOTICE_SECRET']))
  return isShared
    ? [
        ...wrong,
        'NOTICE_SECRET is also a secret of builders, so every sender of notices may make every call: set another NOTICE_SECRET',
      ]
    : wrong
}
