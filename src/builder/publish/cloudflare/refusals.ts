/** Refusals by Cloudflare that last until a person changes a setting or waits, each with its cause and what to do. */

interface Refusal {
  /** Matches the service's own message, which ends with an error code. */
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
      'CLOUDFLARE_API_TOKEN lacks a permission, has expired, or belongs to another account than CLOUDFLARE_ACCOUNT_ID. Make a token from the template in step 1 of docs/operate.md; for HOSTING=objects add the permission for Queues.',
  },
  {
    sign: /\[code: 9109\]/,
    advice: 'CLOUDFLARE_API_TOKEN is not valid here: make another one, as step 1 of docs/operate.md says.',
  },
  {
    sign: /\[code: 1008[23]\]/,
    advice:
      'A domain in routes must belong to an active zone of this account: see Domains at https://dash.cloudflare.com, or name its zone_name in wrangler.jsonc.',
  },
  {
    sign: /wrangler login/,
    advice: 'Or set CLOUDFLARE_API_TOKEN, as step 3 of docs/operate.md says: then no login is needed.',
  },
  {
    sign: /\[code: 971\]/,
    advice: 'Cloudflare takes 1,200 calls in five minutes from one account: wait five minutes.',
  },
]

/** Returns the message, with the advice for a known refusal. If several match, the first in the message counts. */
export function explainRefusal(message: string): string {
  const [found] = REFUSALS.map((one) => ({ ...one, at: message.search(one.sign) }))
    .filter(({ at }) => at !== -1)
    .toSorted((one, other) => one.at - other.at)
  return found === undefined ? message : `${message.replace(/([^.])$/, '$1.')} ${found.advice}`
}
