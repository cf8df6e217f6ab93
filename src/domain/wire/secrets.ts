/** The form of secrets. Apart from signatures, because a rebuild checks its settings and signs nothing. */

/** `whsec_` and at least 24 bytes in base64, the minimum of Standard Webhooks. */
const SECRET = /^whsec_([A-Za-z0-9+/]{4}){8,}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Parses a variable with one secret, or with the new one and the old one while it is replaced, separated by a space.
 * Returns an empty list if one of them is not a secret.
 */
export function parseSecrets(text: string): readonly string[] {
  const secrets = text.split(' ').filter((one) => one !== '')
  return secrets.every((one) => SECRET.test(one)) ? secrets : []
}
