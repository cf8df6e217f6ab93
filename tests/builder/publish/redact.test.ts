/** Removal of secrets from the output of other programs. */
import { expect, it } from 'vitest'
import { createRedactor } from '../../../src/builder/publish/redact.ts'

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBzaXRlICsv'

const redact = createRedactor({
  CLOUDFLARE_API_TOKEN: 'token/with+odd=characters',
  REBUILD_SECRET: SECRET,
  SOME_PASSWORD: 'short',
  SITE_URL: 'https://vitrina.do',
  UNSET_TOKEN: undefined,
})

it('removes secrets anywhere in a text, also percent-encoded ones', () => {
  for (const text of [
    'Authorization: Bearer token/with+odd=characters',
    'GET /?t=token%2Fwith%2Bodd%3Dcharacters',
    `the secret is "${SECRET}"`,
    SECRET.replace('whsec_', ''),
  ]) {
    expect(redact(text)).toContain('[secret]')
    expect(redact(text)).not.toMatch(/odd|c2VjcmV0/)
  }
})

it('keeps all other text', () => {
  expect(redact('https://vitrina.do is short of nothing')).toBe('https://vitrina.do is short of nothing')
})
