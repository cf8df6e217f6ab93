/** The coordinator on the real runtime dispatches builders; what it decides is tested in memory, in `tests/edge`. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { command as notify } from '../../../src/builder/commands/coordinator/notify.ts'
import { command as status } from '../../../src/builder/commands/coordinator/status.ts'
import { runHere } from '../../support/rebuild/run-here.ts'
import { verifyMessage } from '../../support/edge/verify-message.ts'
import type { Received } from './coordinated-site.ts'
import { replaceLimits } from '../../support/run/limits.ts'
import { CoordinatedSite, PREVIOUS, SITE_SECRET, TargetServer } from './coordinated-site.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const QUIET = 10 * MINUTE
const LONGEST_WAIT = 20 * MINUTE

/** So long that nothing is due before the test moves the clock. */
const SLOW = {
  REBUILD_QUIET_MS: String(QUIET),
  REBUILD_LONGEST_WAIT_MS: String(LONGEST_WAIT),
  REBUILD_LEASE_MS: String(HOUR / 2),
  REBUILD_RETRY_MS: String(QUIET),
  DISPATCH_TIMEOUT_MS: String(HOUR),
  DISPATCH_RETRY_MS: String(QUIET),
}

function findBuild({ headers, body }: Received): Promise<string | null> {
  return verifyMessage([SITE_SECRET], headers, body)
}

async function countBuilds(received: readonly Received[]): Promise<number> {
  return new Set(await Promise.all(received.map(findBuild))).size
}

describe('a coordinator that dispatches to an address', () => {
  let target: TargetServer
  let site: CoordinatedSite
  let have: number

  beforeAll(async () => {
    target = new TargetServer()
    await target.start()
    site = new CoordinatedSite({ ...SLOW, DISPATCH_URL: `${target.url}/build/hook-canary` })
    await site.start()
  })
  beforeEach(async () => {
    have = await site.build(null)
    target.forget()
  })
  afterAll(async () => {
    await site.close()
    target.stop()
  })

  it('starts one builder for any number of notices, and another for changes during that build', async () => {
    const sellers = Array.from({ length: 30 }, (_, index) => `s${index}`)
    await Promise.all(sellers.map((seller) => site.notify([seller])))
    await site.pass(QUIET)
    const [first] = await target.waitFor(1)
    expect(first?.url).toBe('/build/hook-canary')
    await site.pass(MINUTE)
    const { lease, upTo, sellers: given } = await site.claim('machine', have)
    expect(given?.toSorted()).toEqual(sellers.toSorted())
    await site.notify(['s1'])
    await site.pass(LONGEST_WAIT)
    expect(await site.status()).toMatchObject({ pending: 30, waiting: true, running: { builder: 'machine' } })
    expect(await countBuilds(target.received)).toBe(1)
    await site.finish(lease, upTo)
    await site.pass(QUIET)
    expect(await countBuilds(target.received)).toBe(2)
    expect((await site.claim('machine', upTo)).sellers).toEqual(['s1'])
  })

  it('retries until a target that requests a pause or fails has accepted', async () => {
    target.answer(
      (response) => void response.writeHead(429, { 'retry-after': '3600' }).end(),
      (response) => void response.writeHead(500).end(),
    )
    await site.notify(['a'])
    await site.pass(QUIET)
    await site.pass(HOUR / 2)
    expect(target.received).toHaveLength(1)
    await site.pass(HOUR / 2)
    await site.pass(HOUR)
    expect(await countBuilds(await target.waitFor(3))).toBe(1)
    const { dispatch } = await site.status()
    expect(dispatch).toMatchObject({ target: `POST ${target.url}`, error: null })
    expect(dispatch.sent).not.toBeNull()
    expect((await site.claim('machine', have)).sellers).toEqual(['a'])
  })

  it('answers the commands of the maintainer', async () => {
    replaceLimits()
    const environment = { COORDINATOR_URL: site.origin, REBUILD_SECRET: SITE_SECRET }
    const run = async (...args: readonly string[]) => {
      const { code, said } = await runHere({ name: 'notify', definition: notify }, args, environment)
      return [code, said]
    }
    expect(await run('ana', 'eva', 'ana')).toEqual([
      0,
      `${site.origin} has recorded 2 changed sellers; 2 sellers wait now.\n`,
    ])
    expect(await run('--full')).toEqual([
      0,
      expect.stringContaining('has recorded the request for a full read'),
    ])
    await site.call('/forced', { version: 'v', sequence: 0, reason: 'the API was down', by: 'ana@desk' })
    const { body } = await site.call('/status', { log: true })
    expect(body['log']).toMatchObject([{ action: 'forced', by: 'ana@desk', version: 'v' }])
    const { code, said } = await runHere({ name: 'status', definition: status }, [], environment)
    expect([code, said]).toEqual([0, expect.stringMatching(/waiting +2 sellers and a full read/)])
    for (const wrong of [[], ['404'], ['ana', '--full']])
      expect(await run(...wrong)).toEqual([2, expect.stringContaining('--help')])
  })
})

/** On the runtime's own clock. */
describe('a coordinator that dispatches to a GitHub repository', () => {
  let site: CoordinatedSite
  let github: TargetServer
  afterEach(async () => {
    await site.close()
    github.stop()
  })

  it('starts its workflow, and retries after refusals and rate limits', async () => {
    github = new TargetServer()
    await github.start()
    const reset = Math.floor(Date.now() / 1000) + 1
    github.answer(
      (response) => void response.writeHead(401).end('{"message":"Bad credentials"}'),
      (response) =>
        void response
          .writeHead(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) })
          .end('{"message":"API rate limit exceeded"}'),
    )
    site = new CoordinatedSite({
      REBUILD_QUIET_MS: '150',
      DISPATCH_RETRY_MS: '100',
      DISPATCH_GITHUB_REPOSITORY: 'vitrina/site',
      DISPATCH_GITHUB_TOKEN: 'token-canary',
      DISPATCH_GITHUB_API: github.url,
    })
    await site.start()
    await site.notify(['a'])
    for (const { url, headers, body } of await github.waitFor(3)) {
      expect(url).toBe('/repos/vitrina/site/actions/workflows/rebuild.yml/dispatches')
      expect(headers).toMatchObject({
        accept: 'application/vnd.github+json',
        authorization: 'Bearer token-canary',
        'user-agent': 'vitrina',
        'x-github-api-version': '2022-11-28',
      })
      expect(JSON.parse(body)).toMatchObject({ ref: 'main' })
    }
    await expect.poll(async () => (await site.status()).dispatch.sent).not.toBeNull()
    expect((await site.status()).dispatch.target).toBe('GitHub vitrina/site')
    for (const secret of ['token-canary', SITE_SECRET, PREVIOUS])
      expect(site.answers.join('')).not.toContain(secret)
  })
})
