/** Refusals of Cloudflare, as its API and its tool word them, and the messages about them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FakeAccount } from '../../../../scripts/fakes/fake-account.ts'
import { MOST_CALLS } from '../../../../scripts/fakes/fake-account.ts'
import { FakeCloudflare, PUBLISHED } from '../../../../scripts/fakes/fake-cloudflare.ts'
import { openCloudflare } from '../../../../src/builder/publish/cloudflare/cloudflare.ts'
import { ROOT } from '../../../../src/builder/state/project-folder.ts'
import { WranglerError } from '../../../../src/builder/publish/cloudflare/wrangler.ts'

const cloudflare = new FakeCloudflare()
beforeAll(() => cloudflare.start())
afterAll(() => cloudflare.stop())
beforeEach(() => {
  Object.assign(cloudflare.account, { calls: 0 })
  cloudflare.account.use(PUBLISHED)
})

describe('a call of the API', () => {
  const read = (account: Partial<FakeAccount>, token?: string): Promise<unknown> => {
    Object.assign(cloudflare.account, account)
    const environment = { ...cloudflare.environment, ...(token && { CLOUDFLARE_API_TOKEN: token }) }
    return openCloudflare({ root: ROOT, environment, stage: null }).readHosted()
  }

  it('says which setting is wrong', async () => {
    await expect(read({ rights: new Set() })).rejects.toThrow(/\[code: 10000\]\. CLOUDFLARE_API_TOKEN lacks/)
    await expect(read({}, 'other')).rejects.toThrow(/\[code: 9109\]\. CLOUDFLARE_API_TOKEN is not valid/)
  })

  it('says how long to wait after too many calls', async () => {
    await expect(read({ calls: MOST_CALLS })).rejects.toThrow(/\[code: 971\]\. .*wait five minutes/)
  })
})

describe("a message of Cloudflare's tool", () => {
  it.each([
    ['You need a workers.dev subdomain in order to proceed. [code: 10063]', 'open Workers & Pages'],
    ['or register a workers.dev subdomain here: https://dash.cloudflare.com', 'open Workers & Pages'],
    ["New version of script does not export class 'A' [code: 10064]", 'publish the newest release'],
    ['Please enable R2 through the Cloudflare Dashboard. [code: 10042]', 'open R2'],
  ])('that ends with %s says what to do', (message, advice) => {
    expect(new WranglerError(message).message).toContain(advice)
  })

  it('says what to do about the first of several refusals', () => {
    const { message } = new WranglerError('Authentication error [code: 10000] Unauthorized [code: 9109]')
    expect(message).toContain('lacks a permission')
  })

  it('stays as it is when nothing is known about it', () => {
    expect(new WranglerError('no end within 60 s').message).toBe('no end within 60 s')
  })
})
