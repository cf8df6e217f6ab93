/** The messages about refusals of Cloudflare, as its tool words them. */
import { describe, expect, it } from 'vitest'
import { WranglerError } from '../../../../src/builder/publish/cloudflare/wrangler.ts'

describe("a message of Cloudflare's tool", () => {
  it.each([
    ['Authentication error [code: 10000]', 'CLOUDFLARE_API_TOKEN lacks'],
    ['Invalid access token [code: 9109]', 'CLOUDFLARE_API_TOKEN is not valid'],
    ['Please wait and consider throttling your request speed [code: 971]', 'wait five minutes'],
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
