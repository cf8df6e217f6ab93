/**
 * Errors of Cloudflare or wrangler that need a person to change a setting or to wait, each with its cause and advice.
 */

interface Refusal {
  /** Matches the original message of Cloudflare or wrangler. */
  readonly sign: RegExp
  readonly advice: string
}

const REFUSALS: readonly Refusal[] = [
  {
    sign: /\[code: 10063\]|workers\.dev subdomain/,
    advice:
      'This account was never used for Workers: open Workers & Pages at https://dash.cloudflare.com once and confirm the e-mail address.',
  },
  {
    sign: /\[code: 10007\]/,
    advice:
      'The Worker may not exist yet: set its secrets first, which creates it (step 5 of docs/operate.md).',
  },
  {
    sign: /\[code: 10042\]/,
    advice: 'R2 is not switched on for this account: open R2 at https://dash.cloudflare.com once.',
  },
  {
    sign: /\[code: 10000\]/,
    advice:
      'CLOUDFLARE_API_TOKEN lacks a permission, has expired, or belongs to an account other than CLOUDFLARE_ACCOUNT_ID. Make a token from the template in step 1 of docs/operate.md.',
  },
  {
    sign: /\[code: 9109\]/,
    advice: 'CLOUDFLARE_API_TOKEN is not valid: make a new token, as step 1 of docs/operate.md says.',
  },
  {
    sign: /\[code: 1008[23]\]/,
    advice:
      'A domain in routes must belong to an active zone of this account: see Domains at https://dash.cloudflare.com, or set zone_name for its route in wrangler.jsonc.',
  },
  {
    sign: /\[code: (10061|10064|10074)\]/,
    advice:
      'The classes of Durable Objects of this code do not follow those of the live Worker: publish the newest release, with the migrations of its wrangler.jsonc unchanged.',
  },
  {
    sign: /wrangler login/,
    advice: 'Or set CLOUDFLARE_API_TOKEN, as step 3 of docs/operate.md says: then no login is needed.',
  },
  {
    sign: /\[code: 971\]/,
    advice: 'Cloudflare accepts at most 1,200 calls of one account in five minutes: wait five minutes.',
  },
]

/**
 * Appends the advice for a known refusal to the message. If several refusals match, uses the one whose match comes
 * first in the message.
 */
export function explainRefusal(message: string): string {
  const [found] = REFUSALS.map((one) => ({ ...one, at: message.search(one.sign) }))
    .filter(({ at }) => at !== -1)
    .toSorted((one, other) => one.at - other.at)
  return found === undefined ? message : `${message.replace(/([^.])$/, '$1.')} ${found.advice}`
}
