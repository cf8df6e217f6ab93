/**
 * Makes Cloudflare refuse the first publish for several reasons. The command must end each time, and say what the
 * person must do.
 */
import type { FakeAccount } from '../fakes/fake-account.ts'
import { MOST_CALLS } from '../fakes/fake-account.ts'
import { requireThat } from './acts.ts'
import type { Surroundings } from './surroundings.ts'

interface Refusal {
  readonly title: string
  /** Values that replace those of the account while the publish is refused. */
  readonly lack: Partial<Pick<FakeAccount, 'subdomain' | 'hasR2' | 'rights' | 'calls'>>
  /** Required text in the output of the command. */
  readonly says: RegExp
}

const SET_UP = 'npm run deploy -- --setup'

const REFUSALS: readonly Refusal[] = [
  { title: 'Workers & Pages was never opened', lack: { subdomain: null }, says: /open Workers & Pages/ },
  {
    title: 'the token lacks a permission',
    lack: { rights: new Set(['queues']) },
    says: /lacks a permission.*step 1/,
  },
  { title: 'too many calls', lack: { calls: MOST_CALLS }, says: /wait five minutes/ },
]

/** Further refusals that are possible with `HOSTING=objects`. */
const OF_STORES: readonly Refusal[] = [
  { title: 'R2 was never opened', lack: { hasR2: false }, says: /open R2/ },
  {
    title: 'the token lacks the permission for Queues',
    lack: { rights: new Set(['workers', 'r2']) },
    says: /lacks a permission.*Queues/,
  },
]

/** Makes wrangler refuse a secret. Then provokes each refusal of the first publish, and returns a line for each. */
export async function meetRefusals(
  around: Surroundings,
  hosting: 'assets' | 'objects' = 'assets',
): Promise<readonly string[]> {
  await refuseSecret(around)
  const all = [...REFUSALS, ...(hosting === 'objects' ? OF_STORES : [])]
  for (const { lack, says, title } of all) {
    const { text } = await without(around, lack, () => around.type(SET_UP))
    requireThat(says.test(text), `${title}, but the output of the command does not say what to do:\n${text}`)
    requireThat(around.cloudflare.live === undefined, 'a version is live before the first publish')
  }
  return all.map(({ title }) => `refused: ${title}`)
}

/** Runs the first wrangler command of the docs in an account without a subdomain. Throws unless wrangler refuses it. */
async function refuseSecret(around: Surroundings): Promise<void> {
  const { code, text } = await without(around, { subdomain: null }, () =>
    around.type('npx wrangler secret put REBUILD_SECRET', 'whsec_c2VjcmV0'),
  )
  requireThat(
    code !== 0 && text.includes('10063'),
    `wrangler did not refuse a secret in a new account (expected error 10063):\n${text}`,
  )
}

async function without<Result>(
  { cloudflare: { account } }: Surroundings,
  lack: Refusal['lack'],
  work: () => Promise<Result>,
): Promise<Result> {
  const { subdomain, hasR2, rights } = account
  Object.assign(account, lack)
  try {
    return await work()
  } finally {
    Object.assign(account, { subdomain, hasR2, rights, calls: 0 })
  }
}
