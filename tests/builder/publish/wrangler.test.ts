/** Running wrangler, with its stub. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import type { Wrangler } from '../../../src/builder/publish/wrangler.ts'
import { createWrangler } from '../../../src/builder/publish/wrangler.ts'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { createRedactor } from '../../../src/builder/publish/redact.ts'

const path = useTemporaryFolder()
const TOKEN = 'a-token-of-cloudflare'
let wrangler: Wrangler

beforeEach(() => {
  wrangler = createWrangler({
    root: ROOT,
    configuration: 'wrangler.jsonc',
    stage: 'staging',
    environment: {
      ...process.env,
      VITRINA_WRANGLER: join(ROOT, 'tests/support/publish/wrangler-stub.mjs'),
      WRANGLER_STUB: path('.'),
      CLOUDFLARE_API_TOKEN: TOKEN,
      REBUILD_SECRET: 'whsec_of_builders',
      NOTICE_SECRET: 'whsec_of_notices',
    },
  })
})

const behave = (behaviour: object): void => writeFileSync(path('behave.json'), JSON.stringify(behaviour))

it('wrangler gets the configuration and the stage, and none of the secrets of the site', async () => {
  expect(await wrangler.run(['versions', 'upload'], 10_000)).toContain('Worker Version ID: ')
  expect(JSON.parse(readFileSync(path('calls.ndjson'), 'utf8'))).toMatchObject({
    name: 'versions upload',
    config: 'wrangler.jsonc',
    env: 'staging',
    secrets: [],
  })
})

it('wrangler says why it failed, without secrets', async () => {
  behave({ deploy: 'fail' })
  const failed = wrangler.run(['deploy'], 300_000)
  await expect(failed).rejects.toThrow('The request failed with [secret]. [code: 10013]')
})

it('wrangler is ended with its children after its time', async () => {
  behave({ deploy: 'hang' })
  await expect(wrangler.run(['deploy'], 1_500)).rejects.toThrow('did not end within 1.5 s')
  // A busy machine may not have started the child by then.
  const child = existsSync(path('child.pid')) ? Number(readFileSync(path('child.pid'), 'utf8')) : 0
  await expect.poll(() => isRunning(child)).toBe(false)
})

/** A process that has ended may still be listed until its parent asks for its exit code. */
function isRunning(pid: number): boolean {
  const file = `/proc/${pid}/stat`
  return existsSync(file) && !/\) Z /.test(readFileSync(file, 'utf8'))
}

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBzaXRlICsv'

const redact = createRedactor({
  CLOUDFLARE_API_TOKEN: 'token/with+odd=characters',
  REBUILD_SECRET: `${SECRET} whsec_b2xkIHNlY3JldCBvZiB0aGUgc2l0ZQ==`,
  SOME_PASSWORD: 'short',
  SITE_URL: 'https://vitrina.do',
  UNSET_TOKEN: undefined,
})

it('output is shown without secrets anywhere in a text, also percent-encoded ones', () => {
  for (const text of [
    'Authorization: Bearer token/with+odd=characters',
    'GET /?t=token%2Fwith%2Bodd%3Dcharacters',
    `the secret is "${SECRET}"`,
    SECRET.replace('whsec_', ''),
    'the secret before is whsec_b2xkIHNlY3JldCBvZiB0aGUgc2l0ZQ==',
  ]) {
    expect(redact(text)).toContain('[secret]')
    expect(redact(text)).not.toMatch(/odd|c2VjcmV0|b2xk/)
  }
})

it('output without secrets is shown as it is', () => {
  expect(redact('https://vitrina.do is short of nothing')).toBe('https://vitrina.do is short of nothing')
})
