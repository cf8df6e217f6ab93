/** The deploy command in this process, with the stub of wrangler and a site that stands in for the public one. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { command } from '../../../../src/builder/commands/deploy/deploy.ts'
import type { createDeployReport } from '../../../../src/builder/commands/deploy/run-deploy.ts'
import { ROOT } from '../../../../src/builder/files/project-folder.ts'
import { formatMarker, MARKER } from '../../../../src/domain/wire/site-marker.ts'
import { StandInSite } from '../../../support/publish/stand-in-site.ts'
import { product, user, writeFolder } from '../../../support/rebuild/documents.ts'
import type { HereRun } from '../../../support/rebuild/run-here.ts'
import { parseHere, runHere } from '../../../support/rebuild/run-here.ts'
import { ensureCompiled } from '../../../support/rebuild/sample-renderer.ts'
import { createTestTerminal } from '../../../support/run/test-terminal.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

type Run = HereRun<ReturnType<typeof createDeployReport>>

const path = useTemporaryFolder()
const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const TOKEN = 'a-token-of-cloudflare'
let site: StandInSite

beforeAll(ensureCompiled)

beforeEach(async () => {
  site = await new StandInSite(path('account/live')).start()
  onTestFinished(() => site.close())
  mkdirSync(path('account'))
  writeShop(100)
})

/** Writes a source of two sellers. */
function writeShop(price: number): void {
  const documents = [user('ana'), product('one', 'ana', { price }), user('eva'), product('two', 'eva')]
  writeFolder(path('shop'), documents)
}

function createEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    VITRINA_WRANGLER: join(ROOT, 'tests/support/publish/wrangler-stub.mjs'),
    WRANGLER_STUB: path('account'),
    CLOUDFLARE_API_TOKEN: TOKEN,
    CATALOGUE_SOURCE: path('shop'),
    SITE_URL: site.url,
    REBUILD_SECRET: SECRET,
    PHOTOS: 'off',
    ...more,
  }
}

const folders = (): readonly string[] => ['--out', path('dist'), '--state', path('state')]

function deploy(options: readonly string[] = [], more: Readonly<Record<string, string>> = {}): Promise<Run> {
  return runHere({ name: 'deploy', definition: command }, [...folders(), ...options], createEnvironment(more))
}

const behave = (behaviour: object): void =>
  writeFileSync(path('account/behave.json'), JSON.stringify(behaviour))

interface WranglerCall {
  readonly name: string
  readonly config: string
  readonly env?: string
}

/** Returns the calls of wrangler since the last look. */
function takeCalls(): readonly WranglerCall[] {
  const file = path('account/calls.ndjson')
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  writeFileSync(file, '')
  return lines.map((line): WranglerCall => JSON.parse(line))
}
const takeNames = (): readonly string[] => takeCalls().map(({ name }) => name)
const readLivePage = (): string => readFileSync(path('account/live/catalogo/ana.html'), 'utf8')
const listSiteCalls = (): readonly string[] => site.calls.map(({ name }) => name)

describe('a deployment', () => {
  it('goes live under a lease, and is left alone while nothing changes', async () => {
    expect(await deploy()).toMatchObject({ code: 0, report: { published: true, waiting: 0 } })
    expect(takeNames()).toEqual(['versions upload', 'versions deploy'])
    expect(listSiteCalls()).toEqual(['claim', 'renew', 'done'])
    const { live } = site
    expect(site.calls.at(-1)?.body).toEqual({ upTo: 1, marker: live?.run, failed: [] })
    expect(await deploy()).toMatchObject({ code: 0, report: { published: false, run: live?.run } })
    expect(takeNames()).toEqual([])
  })

  it('shows a change of the source', async () => {
    await deploy()
    writeShop(4321)
    expect(await deploy()).toMatchObject({ code: 0, report: { published: true } })
    expect(readLivePage()).toContain('4,321')
  })

  it('leaves the old site if the switch fails, tells the coordinator why, and goes live with the next', async () => {
    await deploy()
    const { live } = site
    writeShop(4321)
    behave({ 'versions deploy': 'fail' })
    const failed = await deploy()
    expect(failed).toMatchObject({ code: 1, report: { published: false } })
    expect(failed.said).toContain('[secret]')
    expect(failed.said).not.toContain(TOKEN)
    expect(site.live).toEqual(live)
    expect(site.calls.at(-1)).toMatchObject({
      name: 'done',
      body: { error: expect.stringContaining('is not live') },
    })
    behave({})
    expect(await deploy()).toMatchObject({
      code: 0,
      report: { published: true, rebuild: { everything: null } },
    })
    expect(readLivePage()).toContain('4,321')
  })

  it('is live if only the answer to the switch was lost', async () => {
    behave({ 'versions deploy': 'lose' })
    expect(await deploy()).toMatchObject({ code: 0, report: { published: true } })
  })

  it.each([
    ['a deploy', [], ['versions upload']],
    ['a setup', ['--setup'], []],
  ])('of %s is not put live if another site went live meanwhile', async (_, options, calls) => {
    await deploy()
    takeCalls()
    writeShop(4321)
    site.answers.set('renew', [200, { seconds: 120, live: site.live && { ...site.live, run: 'other' } }])
    expect(await deploy(options)).toMatchObject({ code: 70 })
    expect(takeNames()).toEqual(calls)
  })

  it.each([
    ['another builder is at work', 5, { busy: '2026-01-01T00:00:00Z' }],
    ['publishing is held', 1, { held: 'a rollback' }],
  ])('is not begun while %s', async (_, code, answer) => {
    site.answers.set('claim', [409, answer])
    expect(await deploy()).toMatchObject({ code, report: { published: false } })
    expect(existsSync(path('dist', MARKER))).toBe(false)
  })

  it('of a second site is another Worker, with folders of its own', async () => {
    await deploy([], { VITRINA_ENV: 'staging' })
    expect(takeCalls()).toMatchObject([{ env: 'staging' }, { env: 'staging' }])
  })

  it.each([
    ['sets up the site, whose coordinator does not answer yet', ['--setup'], {}, ['deploy']],
    ['asks no coordinator', ['--no-coordinator'], {}, ['versions upload', 'versions deploy']],
    ['asks none without its secret', [], { REBUILD_SECRET: '' }, ['versions upload', 'versions deploy']],
  ])('without a Worker %s', async (_, options, more, calls) => {
    site.hasWorker = false
    expect(await deploy(options, more)).toMatchObject({ code: 0, report: { published: true } })
    expect(takeNames()).toEqual(calls)
    expect(site.live).toMatchObject({ state: 'closed', sellers: 2 })
  })

  it('is not set up while publishing is held', async () => {
    site.answers.set('claim', [409, { held: 'a rollback' }])
    expect(await deploy(['--setup'])).toMatchObject({ code: 1 })
    expect(takeNames()).toEqual([])
  })
})

describe('a rollback', () => {
  it('holds publishing, waits for the lease to end, and puts the version before live', async () => {
    await deploy()
    const { live } = site
    writeShop(4321)
    await deploy()
    const until = Date.now() + 500
    site.answers.set('hold', [200, { until: new Date(until).toISOString() }])
    expect(await deploy(['--rollback'])).toMatchObject({ code: 0, report: { run: live?.run } })
    expect(Date.now()).toBeGreaterThanOrEqual(until)
    expect(site.live).toEqual(live)
    expect(site.calls.at(-1)).toEqual({ name: 'hold', body: { reason: 'rolled back' } })
  })

  it('names the version that is live in the end, even if the one before is still seen at first', async () => {
    await deploy()
    const { live } = site
    writeShop(4321)
    await deploy()
    const replaced = readFileSync(path('account/live', MARKER), 'utf8')
    site.late.push(replaced, replaced, replaced)
    expect(await deploy(['--rollback'])).toMatchObject({ code: 0, report: { run: live?.run } })
  })

  it('works without the coordinator and without settings, and says that publishing is not held', async () => {
    await deploy()
    await deploy(['--full'])
    const rolledBack = await deploy(['--rollback'], { REBUILD_SECRET: '', CATALOGUE_SOURCE: '' })
    expect(rolledBack.code).toBe(1)
    expect(rolledBack.said).toContain('NOT held')
    expect(takeNames().at(-1)).toBe('rollback')
  })

  it('is ended by a release, as a hold is', async () => {
    await deploy(['--hold', 'a sale'])
    await deploy(['--release'])
    expect(site.calls).toEqual([
      { name: 'hold', body: { reason: 'a sale' } },
      { name: 'hold', body: { release: true } },
    ])
  })
})

describe('a bucket', () => {
  const BUCKET = { HOSTING: 'bucket' }

  it('gets the Worker first, then the files, and later only what changed', async () => {
    expect(await deploy([], BUCKET)).toMatchObject({ code: 0, report: { published: true } })
    expect(takeCalls()).toMatchObject([{ name: 'deploy', config: 'wrangler.bucket.jsonc' }])
    writeShop(4321)
    const { code, said } = await deploy([], BUCKET)
    expect([code, takeNames()]).toEqual([0, []])
    expect(said).toMatch(/: \d files put into the bucket, 0 removed/)
    expect(readLivePage()).toContain('4,321')
  })

  it('is compared whole with a site of another builder', async () => {
    await deploy([], BUCKET)
    const other = site.live && formatMarker({ ...site.live, run: 'other' })
    writeFileSync(path('account/live', MARKER), other ?? '')
    writeFileSync(path('account/live/catalogo/ana.html'), 'of the other')
    expect(await deploy([], BUCKET)).toMatchObject({ code: 0, report: { published: true } })
    expect(readLivePage()).not.toBe('of the other')
  })

  it('is created by a setup, which needs the secret of the Worker before it puts files', async () => {
    site.hasWorker = false
    const run = await deploy(['--setup'], BUCKET)
    expect(run.code).toBe(1)
    expect(run.said).toContain('Only the Worker was deployed')
    expect(takeNames()).toEqual(['r2 bucket create', 'deploy'])
  })
})

describe('deploy --watch', () => {
  it('publishes everything at its start, then what changes in the source, and ends at a signal', async () => {
    const end = new AbortController()
    const lines: string[] = []
    const options = parseHere(command, [...folders(), '--watch', '--full'], createEnvironment())
    const terminal = createTestTerminal({ end: end.signal, onPrint: (line) => void lines.push(line) })
    const ended = command.run(options, terminal)
    await expect.poll(() => site.calls.at(-1)?.name).toBe('done')
    writeShop(4321)
    await expect.poll(readLivePage).toContain('4,321')
    await expect.poll(() => site.calls.at(-1)?.name).toBe('done')
    end.abort()
    expect(await ended).toMatchObject({ exit: 0 })
    expect(lines.filter((line) => line.includes('was due'))).toHaveLength(1)
  })
})

describe('the options', () => {
  it.each([
    [['--setup', '--rollback']],
    [['--watch', '--no-coordinator']],
    [['--hold']],
    [['--force']],
    [['--release', '--hold', 'why']],
  ])('%j are refused', async (options) => {
    expect(await deploy(options)).toMatchObject({ code: 2 })
  })

  it('have no rollback of a bucket', async () => {
    expect(await deploy(['--rollback'], { HOSTING: 'bucket' })).toMatchObject({ code: 2 })
  })
})
