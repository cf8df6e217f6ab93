/**
 * Names the variables with the secrets of signed calls. The secret of notices permits notices of changed sellers, but
 * no requests for full reads and no other calls.
 */

const KINDS = {
  notices: { current: 'NOTICE_SECRET', previous: 'NOTICE_SECRET_PREVIOUS' },
  builders: { current: 'BUILDER_SECRET', previous: 'BUILDER_SECRET_PREVIOUS' },
} as const

/**
 * Used instead of variables of `KINDS` that are not set: `current` for a current secret, `previous` for a previous one.
 */
const COMMON = { current: 'REBUILD_SECRET', previous: 'REBUILD_SECRET_PREVIOUS' } as const

export const SECRET_NAMES = [
  ...Object.values(COMMON),
  ...Object.values(KINDS.notices),
  ...Object.values(KINDS.builders),
] as const

export type SecretName = (typeof SECRET_NAMES)[number]

const SECRET = /^whsec_([A-Za-z0-9+/]{4}){8,}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The secrets that are set, by kind: the current one, then the previous one. */
export interface CallSecrets {
  /**
   * Secrets that permit calls to the route for notices: first those of builders, which also permit requests for full
   * reads, then those of notices.
   */
  readonly notices: readonly string[]
  /** Secrets that permit calls to all other routes. */
  readonly builders: readonly string[]
}

/** `read` returns an empty text for a variable that is not set. */
export function readSecrets(read: (name: SecretName) => string): CallSecrets {
  const list = (kind: keyof typeof KINDS): readonly string[] =>
    (['current', 'previous'] as const)
      .map((age) => read(KINDS[kind][age]) || read(COMMON[age]))
      .filter((secret) => secret !== '')
  const builders = list('builders')
  return { notices: [...new Set([...builders, ...list('notices')])], builders: [...new Set(builders)] }
}

/** Requires the prefix `whsec_` and at least 24 bytes in base64, the minimum of Standard Webhooks. */
export function isSecret(text: string): boolean {
  return SECRET.test(text)
}
