/** The coordinator on the real runtime dispatches builders until every accepted change is built. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { ROOT } from '../../support/rebuild/rebuild.ts'
import { verifyMessage } from '../../support/edge/verify-message.ts'
import type { Received } from './coordinated-site.ts'
import { CoordinatedSite, PREVIOUS, SECRET, TargetServer } from './coordinated-site.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const QUIET = 10 * MINUTE
const LONGEST_WAIT = 20 * MINUTE
const LEASE = 30 * MINUTE
const SELLER_RETRY = 5 * HOUR

/** So long that nothing is due before the test moves the clock. */
const SLOW = {
  REBUILD_QUIET_MS: String(QUIET),
  REBUILD_LONGEST_WAIT_MS: String(LONGEST_WAIT),
  REBUILD_LEASE_MS: String(LEASE),
  REBUILD_RETRY_MS: String(QUIET),
  SELLER_RETRY_MS: String(SELLER_RETRY),
  DISPATCH_RETRY_MS: String(QUIET),
}

function findBuild({ headers, body }: Received): Promise<string | null> {
  return verifyMessage([SECRET], headers, body)
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
    // A target that answers too slowly is asked again for the same build.
    expect(await countBuilds(target.received)).toBe(1)
    await site.finish(lease, upTo)
    await site.pass(QUIET)
    expect(await countBuilds(target.received)).toBe(2)
    expect((await site.claim('machine', upTo)).sellers).toEqual(['s1'])
  })

  it('signs its dispatches like notices', async () => {
    await site.notify(['a'])
    await site.pass(QUIET)
    const [dispatch] = await target.waitFor(1)
    expect(dispatch && (await findBuild(dispatch))).toMatch(/^build_/)
    expect(JSON.parse(dispatch?.body ?? '')).toMatchObject({ type: 'build.wanted' })
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

  it('reports the error of a target that is down, and dispatches once it is up', async () => {
    target.goDown()
    await site.notify(['a'])
    for (let round = 0; round < 3; round += 1) await site.pass(HOUR)
    const { dispatch } = await site.status()
    expect(dispatch).toMatchObject({ tries: 3, error: { reason: 'it could not be reached' } })
    expect(JSON.stringify(site.answers)).not.toContain('hook-canary')
    target.isDown = false
    await site.pass(HOUR)
    await target.waitFor(1)
    expect((await site.claim('machine', have)).sellers).toEqual(['a'])
  })

  it('starts another builder when one dies after its claim', async () => {
    await site.notify(['a'])
    await site.pass(QUIET)
    await target.waitFor(1)
    const { lease } = await site.claim('dead', have)
    expect((await site.call('/claim', { builder: 'other', have })).status).toBe(409)
    await site.pass(LEASE)
    await site.pass(HOUR)
    await target.waitFor(2)
    expect(await countBuilds(target.received)).toBe(2)
    for (const [path, body] of [
      ['/renew', { lease }],
      ['/done', { lease, upTo: have, failed: [] }],
    ] as const)
      expect((await site.call(path, body)).status).toBe(409)
    const other = await site.claim('other', have)
    expect(other.sellers).toEqual(['a'])
    await site.finish(other.lease, other.upTo)
    expect(await site.status()).toMatchObject({ pending: 0, running: null, result: { error: null } })
  })

  it('keeps the lease of a builder that renews it', async () => {
    await site.notify(['a'])
    const { lease, upTo } = await site.claim('slow', have)
    for (let round = 0; round < 3; round += 1) {
      await site.pass(LEASE / 2)
      const { status, body } = await site.call('/renew', { lease })
      const { now } = await site.status()
      expect([status, String(body['until']) > now]).toEqual([200, true])
    }
    await site.finish(lease, upTo)
    expect((await site.status()).pending).toBe(0)
  })

  it('reports and retries a seller whose page throws, while others are published', async () => {
    await site.notify(['bad', 'good'])
    await site.pass(QUIET)
    await target.waitFor(1)
    const upTo = await site.build(have, ['bad'])
    expect(await site.status()).toMatchObject({ pending: 1, failures: [{ seller: 'bad', attempts: 1 }] })
    await site.notify(['other'])
    await site.pass(QUIET)
    await target.waitFor(2)
    const next = await site.claim('machine', upTo)
    expect(next.sellers).toEqual(['other'])
    await site.finish(next.lease, next.upTo)
    await site.pass(2 * SELLER_RETRY)
    await target.waitFor(3)
    const alone = await site.claim('machine', next.upTo)
    expect(alone.sellers).toEqual(['bad'])
    await site.finish(alone.lease, alone.upTo)
    expect(await site.status()).toMatchObject({ pending: 0, failed: 0 })
  })

  it('starts another build after a failed one', async () => {
    await site.notify(['a'])
    await site.pass(QUIET)
    await target.waitFor(1)
    const { lease } = await site.claim('machine', have)
    expect((await site.call('/done', { lease, error: 'the source is down' })).status).toBe(200)
    expect((await site.status()).result).toMatchObject({ error: 'the source is down' })
    await site.pass(HOUR)
    await target.waitFor(2)
    expect((await site.claim('machine', have)).sellers).toEqual(['a'])
  })

  it('requests a full read from a builder with an unknown state', async () => {
    await site.notify(['a'])
    for (const unknown of [null, 0, have + 10 ** 9]) {
      const { lease, upTo, full, sellers } = await site.claim('machine', unknown)
      expect([full, sellers]).toEqual([true, undefined])
      await site.finish(lease, upTo)
    }
  })

  it('asks a builder whether the sellers of notices exist, until it is told', async () => {
    await site.notify(['a'])
    const { lease, upTo, strangers = [] } = await site.claim('machine', null)
    expect(strangers.map(({ seller }) => seller)).toContain('a')
    const told = { known: [], absent: strangers.map(({ number }) => number) }
    const { status } = await site.call('/done', { lease, upTo, failed: [], strangers: told })
    const next = await site.claim('machine', upTo)
    expect([status, next.sellers, next.strangers]).toEqual([200, [], undefined])
    await site.finish(next.lease, next.upTo)
  })

  it('answers the commands of the maintainer', async () => {
    const run = async (...args: readonly string[]): Promise<[number, string]> => {
      const env = { ...process.env, COORDINATOR_URL: site.origin, REBUILD_SECRET: SECRET }
      const child = promisify(execFile)(process.execPath, ['scripts/vitrina.mjs', ...args], {
        cwd: ROOT,
        env,
      })
      return child.then(
        ({ stdout }) => [0, stdout],
        (error: { code: number; stdout: string; stderr: string }) => [
          error.code,
          error.stdout + error.stderr,
        ],
      )
    }
    expect(await run('notify', 'ana', 'eva', 'ana')).toEqual([
      0,
      `${site.origin} has stored 2 sellers; 2 sellers wait now.\n`,
    ])
    expect(await run('notify', '--full')).toEqual([0, expect.stringContaining('has stored a full read')])
    await site.call('/forced', { version: 'v', sequence: 0, reason: 'the API was down', by: 'ana@desk' })
    const { body } = await site.call('/status', { log: true })
    expect(body['log']).toMatchObject([{ action: 'forced', by: 'ana@desk', version: 'v' }])
    const [code, table] = await run('status')
    expect([code, table]).toEqual([0, expect.stringMatching(/waiting +2 sellers and a full read/)])
    const [, json] = await run('status', '--json')
    expect(JSON.parse(json)).toMatchObject({ pending: 2, full: true, stuck: [] })
    for (const wrong of [[], ['404'], ['ana', '--full']])
      expect(await run('notify', ...wrong)).toEqual([2, expect.stringContaining('--help')])
  })
})

it('dispatches the same build again to a target that does not answer in time', async () => {
  const target = new TargetServer()
  await target.start()
  const site = new CoordinatedSite({ ...SLOW, DISPATCH_URL: target.url, DISPATCH_TIMEOUT_MS: '1000' })
  onTestFinished(async () => {
    target.stop()
    await site.close()
  })
  await site.start()
  target.answer(() => {})
  await site.notify(['a'])
  await site.pass(QUIET)
  expect((await site.status()).dispatch.error?.reason).toBe('it did not answer within 1 s')
  await site.pass(HOUR)
  expect(await countBuilds(await target.waitFor(2))).toBe(1)
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
    for (const secret of ['token-canary', SECRET, PREVIOUS])
      expect(site.answers.join('')).not.toContain(secret)
  })
})
