/** Removes secrets from the output of other programs. */

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Not a secret: its value is a file path, which error messages may contain. */
const NO_SECRET = 'GOOGLE_APPLICATION_CREDENTIALS'
const SECRET_NAME = /TOKEN|SECRET|PASSWORD|API_KEY|PRIVATE_KEY|CREDENTIAL|SERVICE_ACCOUNT/i
// Shorter values are not removed, because they are unlikely to be secrets and would match ordinary words.
const SHORTEST = 8

/**
 * Returns a function that replaces the secrets in a text: the values, also URL-encoded, of variables whose name matches
 * `SECRET_NAME`.
 */
export function createRedactor(environment: Environment): (text: string) => string {
  const secrets = Object.entries(environment)
    .filter(([name]) => name !== NO_SECRET && SECRET_NAME.test(name))
    // While a secret is replaced, its variable has the new one and the old one.
    .flatMap(([, value = '']) => [value, ...value.split(' ')])
    .filter((value) => value.length >= SHORTEST)
    .flatMap((value) => [value, value.replace(/^whsec_/, ''), encodeURIComponent(value)])
    .toSorted((a, b) => b.length - a.length)
  return (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text)
}
