/** The coordinator on the real runtime: storage, alarms, signatures, WebSockets, and how bodies are read. */
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { request as openRequest } from 'node:http'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createToken } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import { waitForWake } from '../../../src/builder/publish/coordinator/wait-for-wake.ts'
import { LARGEST_BODY, PREFIX } from '../../../src/domain/wire/calls.ts'
import { signMessage } from '../../../src/domain/wire/signature.ts'
import { CoordinatedSite, SECRETS } from '../../support/edge/coordinated-site.ts'

const MINUTE = 60_000

async function openSite(variables: Readonly<Record<string, string>> = {}): Promise<CoordinatedSite> {
  const site = new CoordinatedSite(variables)
  onTestFinished(() => site.close())
  await site.start()
  return site
}

/** Claims and reports as a builder with a new state. Returns what it was given. */
async function build(site: CoordinatedSite, have: number | null): Promise<readonly string[] | 'all'> {
  const client = site.createClient()
  const token = createToken()
  const claim = await client.claim(token, 'builder', have)
  if (!('upTo' in claim)) throw new Error(`refused: ${JSON.stringify(claim)}`)
  await client.done(token, { upTo: claim.upTo, marker: claim.live?.run ?? '', failed: [] })
  return 'full' in claim ? 'all' : claim.sellers
}

const formatNotice = (sellers: readonly string[]): string =>
  JSON.stringify({ type: 'catalogue.changed', timestamp: new Date().toISOString(), data: { sellers } })

describe('a coordinator', () => {
  it('starts the workflow when its alarm comes, and goes on trying while GitHub fails', async () => {
    const site = await openSite()
    site.githubStatus = 500
    await site.createClient().notice(['ana'])
    await expect.poll(() => site.starts).not.toHaveLength(0)
    const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = site.starts
    expect(path).toBe('/repos/vitrina/site/actions/workflows/rebuild.yml/dispatches')
    expect(headers.authorization).toBe('Bearer github-token')
    expect(JSON.parse(body)).toMatchObject({ ref: 'main' })
    for (let round = 2; round < 9; round += 1) {
      await site.pass(30 * MINUTE)
      await expect.poll(() => site.starts.length).toBeGreaterThanOrEqual(round)
    }
    expect((await site.createClient().status()).error).toBe('GitHub answered with status 500')
    site.githubStatus = 204
    await site.pass(30 * MINUTE)
    expect(await build(site, null)).toBe('all')
    expect(await site.createClient().status()).toMatchObject({ waiting: 0, error: null, reported: 'first' })
  })

  it('has every acknowledged change, the hold and its alarm after it was killed', async () => {
    const site = await openSite()
    await build(site, null)
    const have = Date.now() + MINUTE
    // Ten minutes, unless something waits.
    expect(await site.pass(2 * MINUTE)).toBeGreaterThan(5 * MINUTE)
    await site.createClient().notice(['ana', 'eva'])
    await site.createClient().hold('a rollback')
    await site.restart('first')
    const client = site.createClient()
    expect(await client.status()).toMatchObject({ waiting: 2, held: 'a rollback' })
    expect(await client.claim(createToken(), 'builder', null)).toMatchObject({ held: 'a rollback' })
    site.starts.length = 0
    await client.release()
    await expect.poll(() => site.starts).not.toHaveLength(0)
    await site.restart('first')
    expect(await build(site, have)).toEqual(expect.arrayContaining(['ana', 'eva']))
  })

  it('wakes a builder that waits and starts no workflow, unless the builder does not claim', async () => {
    const site = await openSite()
    await build(site, null)
    let wakes = 0
    const secrets = { notice: [], rebuild: [SECRETS.rebuild] }
    const end = waitForWake({ url: site.url, secrets }, () => (wakes += 1))
    onTestFinished(end)
    // The first one comes with the connection.
    await expect.poll(() => wakes).toBe(1)
    site.starts.length = 0
    await site.createClient().notice(['ana'])
    await expect.poll(() => wakes).toBe(2)
    expect(await site.createClient().status()).toMatchObject({ builders: 1, tries: 1 })
    expect(site.starts).toEqual([])
    await site.pass(MINUTE)
    await expect.poll(() => wakes).toBe(3)
    expect(site.starts).toHaveLength(1)
  })

  it('starts a builder when it comes up with another site than the reported one', async () => {
    const site = await openSite()
    await build(site, null)
    await site.restart('older')
    site.starts.length = 0
    expect(await site.createClient().status()).toMatchObject({ reported: 'first', live: { run: 'older' } })
    await site.pass(MINUTE)
    await site.pass(MINUTE)
    await expect.poll(() => site.starts).toHaveLength(1)
  })

  it('has all of 1,000 notices that come at once, 300 of them twice and 300 forged, and grants one lease', async () => {
    const site = await openSite()
    await build(site, null)
    const have = (await site.createClient().claim(createToken(), 'other', null)) as { upTo: number }
    await site.pass(3 * MINUTE)
    const forged = `whsec_${Buffer.alloc(24).toString('base64')}`
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => {
        const [seller, secret] = [`s${index % 700}`, index % 10 < 3 ? forged : SECRETS.notice]
        const [status] = await site.send('', formatNotice([seller]), { secret })
        return [status, seller] as const
      }),
    )
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([401, 202]))
    const accepted = new Set(answers.filter(([status]) => status === 202).map(([, seller]) => seller))
    expect(await site.createClient().status()).toMatchObject({ waiting: accepted.size })
    const claims = await Promise.all(
      ['one', 'two', 'three'].map((name) => site.createClient().claim(createToken(), name, have.upTo)),
    )
    const granted = claims.flatMap((claim) => ('sellers' in claim ? [new Set(claim.sellers)] : []))
    expect(granted).toEqual([accepted])
  })

  it('answers 503, and to send it again, when it cannot store', async () => {
    const site = await openSite()
    await site.createClient().notice(['ana'])
    await site.restart('first', spoilDatabases)
    const [status, body] = await site.send('', formatNotice(['eva']))
    expect([status, JSON.parse(body)]).toEqual([503, { error: 'the call failed, send it again' }])
  })
})

describe('a call', () => {
  let site: CoordinatedSite
  beforeAll(async () => {
    site = new CoordinatedSite({ REBUILD_LONGEST_WAIT_MS: 'soon' })
    await site.start()
  })
  afterAll(() => site.close())

  const NOTICE = formatNotice(['ana'])
  const FULL = JSON.stringify({ type: 'catalogue.rebuild', timestamp: '', data: { full: true } })
  const FORGED = `whsec_${Buffer.alloc(24).toString('base64')}`
  const past = (): Date => new Date(Date.now() - 6 * MINUTE)

  it.each<[number, string, string, string, () => Parameters<CoordinatedSite['send']>[2]]>([
    [202, 'a notice with its secret', '', NOTICE, () => ({ secret: SECRETS.notice })],
    [202, 'a notice with the secret of builders', '', NOTICE, () => ({})],
    [202, 'a demand for everything with the secret before', '', FULL, () => ({ secret: SECRETS.oldRebuild })],
    [403, 'a demand for everything with the secret of notices', '', FULL, () => ({ secret: SECRETS.notice })],
    [401, 'a status with the secret of notices', '/status', '{}', () => ({ secret: SECRETS.notice })],
    [401, 'a notice with another secret', '', NOTICE, () => ({ secret: FORGED })],
    [401, 'a notice of six minutes ago', '', NOTICE, () => ({ time: past() })],
    [
      401,
      'a notice with another id than the signed one',
      '',
      NOTICE,
      () => ({ headers: { 'webhook-id': 'b' } }),
    ],
    [400, 'a status call that was sent to release a hold', '/hold', '{}', () => ({})],
    [400, 'a notice of nobody', '', formatNotice([]), () => ({})],
    [400, 'a notice of 1,001 sellers', '', formatNotice(Array.from({ length: 1_001 }, String)), () => ({})],
    [400, 'deep brackets', '', '['.repeat(60_000), () => ({})],
    [400, 'a claim with a short token', '/claim', '{"token":"a","builder":"b","have":null}', () => ({})],
    [404, 'a call that does not exist', '/publish', '{}', () => ({})],
    [401, 'a renewal without a token', '/renew', '{}', () => ({})],
    [401, 'a report without a token', '/done', '{"error":"none"}', () => ({})],
    [409, 'a renewal with an unknown token', '/renew', '{}', () => bear(createToken())],
    [409, 'a report with an unknown token', '/done', '{"error":"none"}', () => bear(createToken())],
  ])('is answered with %i: %s', async (status, _, path, body, options) => {
    expect((await site.send(path, body, options()))[0]).toBe(status)
  })

  it('waits on a WebSocket only if it is signed with the secret of builders', async () => {
    const wait = `${site.url}${PREFIX}/wait`
    const sign = (secret: string): Record<string, string> =>
      signMessage([secret], { id: 'w', body: '' }, new Date())
    expect((await fetch(wait)).status).toBe(401)
    expect((await fetch(wait, { headers: sign(SECRETS.notice) })).status).toBe(401)
    expect((await fetch(wait, { headers: sign(SECRETS.rebuild) })).status).toBe(426)
  })

  it('is answered without a secret, and status names the setting that is wrong', async () => {
    const [status, body] = await site.send('/status', '{}')
    expect([status, JSON.parse(body).problems]).toEqual([
      200,
      [expect.stringMatching(/^REBUILD_LONGEST_WAIT_MS/)],
    ])
    for (const secret of Object.values(SECRETS)) expect(body).not.toContain(secret.slice('whsec_'.length))
  })

  it('of the nightly timer asks for everything, and again if the coordinator fails', async () => {
    const failing = await openSite({ FAILING: '1' })
    expect((await fetch(`${failing.url}/cdn-cgi/local/scheduled`)).status).toBe(200)
    expect(await failing.createClient().status()).toMatchObject({ full: true })
  })

  it('has a body of at most 64 KiB, whatever its headers say', async () => {
    const room = LARGEST_BODY - formatNotice([]).length - 10 * 4
    const sellers = Array.from({ length: 60 }, (_, index) =>
      `${index}`.padEnd(Math.floor(room / 60) - 3, 'x'),
    )
    expect(formatNotice(sellers).length).toBeGreaterThan(LARGEST_BODY - 400)
    expect((await site.send('', formatNotice(sellers)))[0]).toBe(202)
    const signed = signMessage([SECRETS.rebuild], { id: 'large', body: '' }, new Date())
    expect(await sendUnended({ ...signed, 'content-length': LARGEST_BODY + 1 }, 'x')).toBe(413)
    const chunked = { ...signed, 'transfer-encoding': 'chunked' }
    expect(await sendUnended(chunked, 'x'.repeat(LARGEST_BODY + 1))).toBe(413)
  })

  it('of 60 that send 4 MB without a signature is refused unread, and notices are stored meanwhile', async () => {
    const size = { 'content-length': 4 * 1024 * 1024 }
    const all = Promise.all(Array.from({ length: 60 }, () => sendUnended(size, 'x')))
    expect((await site.send('', NOTICE))[0]).toBe(202)
    expect(new Set(await all)).toEqual(new Set([401]))
  })

  /** Sends the beginning of a body. Returns the status. */
  async function sendUnended(headers: OutgoingHttpHeaders, body: string): Promise<number> {
    const request: ClientRequest = openRequest(site.url + PREFIX, { method: 'POST', headers, agent: false })
    // The runtime closes the connection of a body that it does not read.
    request.on('error', () => {})
    request.write(body)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    await readText(response)
    request.destroy()
    return response.statusCode ?? 0
  }
})

function bear(token: string): { headers: Record<string, string> } {
  return { headers: { authorization: `Bearer ${token}` } }
}

function spoilDatabases(state: string): void {
  const folder = join(state, 'do')
  const files = readdirSync(folder, { recursive: true }).map(String)
  const databases = files.filter((file) => /[0-9a-f]{64}\.sqlite/.test(file))
  if (databases.length === 0) throw new Error(`no database in ${folder}: ${files.join(', ')}`)
  for (const file of databases) writeFileSync(join(folder, file), 'no database any more'.repeat(1_000))
}
