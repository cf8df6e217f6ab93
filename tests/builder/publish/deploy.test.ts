/** `npm run deploy` with the real tool, a fake Cloudflare and the real coordinator. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CoordinatedSite, SITE_SECRET } from '../../served/edge/coordinated-site.ts'
import { FakeCloudflare, PUBLISHED } from '../../../scripts/fakes/fake-cloudflare.ts'
import type { DeployRun } from '../../support/edge/publisher.ts'
import { writeSellersOfOne, Publisher, renameSeller } from '../../support/edge/publisher.ts'
import { replaceLimits } from '../../support/run/limits.ts'
import { stopAtFirst } from '../../support/run/stop-at-first.ts'
import { useSharedFolder } from '../../support/run/temporary.ts'

const path = useSharedFolder()
const source = path('documents.sqlite')
const cloudflare = new FakeCloudflare()
const coordinator = new CoordinatedSite()
let machine: Publisher
let other: Publisher

stopAtFirst()
beforeAll(async () => {
  await Promise.all([cloudflare.start(), coordinator.start(), writeSellersOfOne(source, ['ana', 'eva'])])
  const create = (name: string): Publisher =>
    new Publisher({ folder: path(name), source, cloudflare, coordinator })
  machine = create('machine')
  other = create('other')
  await machine.build()
  await other.build()
})
beforeEach(() => {
  cloudflare.work()
  cloudflare.assets.uploaded.length = 0
})
afterAll(async () => {
  await coordinator.close()
  await cloudflare.stop()
})

const runs: DeployRun[] = []

async function deploy(publisher: Publisher, ...options: readonly string[]): Promise<DeployRun> {
  const run = await publisher.deploy(...options)
  runs.push(run)
  return run
}

/** Renames a seller and notifies the coordinator. */
async function change(seller: string, name: string): Promise<void> {
  renameSeller(source, seller, name)
  await coordinator.notify([seller])
}

/** Fetches the page of a seller from the live site. */
async function read(seller: string): Promise<string> {
  return (await fetch(`${cloudflare.site}/catalogo/${seller}`)).text()
}

async function readLive(): Promise<{ version: string; sequence: number } | null> {
  return (await coordinator.status()).publishing.live
}

describe('npm run deploy', () => {
  it('creates a new site with --setup, and without it advises to use it', async () => {
    cloudflare.account.use(PUBLISHED)
    // Its coordinator, which has an address of its own here, is asked instead.
    cloudflare.settle()
    const early = await deploy(machine)
    expect([early.code, early.said]).toEqual([1, expect.stringContaining('npm run deploy -- --setup')])
    const first = await deploy(machine, '--setup')
    expect([first.code, first.said]).toEqual([0, expect.stringContaining('is live')])
    expect(cloudflare.live?.id).toBe(first.result['version'])
    expect(cloudflare.assets.uploaded).toContain('/catalogo/eva.html')
    expect(cloudflare.assets.uploaded).toContain('/estado.json')
    expect(await readLive()).toMatchObject({ version: first.result['version'], sequence: machine.have })
  })

  it('uploads only the changed files after one change', async () => {
    await change('ana', 'Ana Second')
    const sequence = await machine.build()
    expect(await deploy(machine)).toMatchObject({ code: 0, result: { action: 'published', sequence } })
    // The sitemap has the time of the edit, and the search the new name.
    expect([...cloudflare.assets.uploaded].sort()).toEqual([
      expect.stringMatching(/^\/buscar\//),
      '/catalogo/ana.html',
      '/catalogo/ana/404.html',
      '/catalogo/ana/ana.html',
      '/estado.json',
      expect.stringMatching(/^\/sitemaps\//),
    ])
    expect(cloudflare.live?.tag).toBe(`vitrina-${sequence}`)
    expect(await read('ana')).toContain('Ana Second')
    expect(await readLive()).toMatchObject({ version: cloudflare.live?.id, sequence })
  })

  it('does nothing if the same site is live', async () => {
    const before = cloudflare.versions.length
    expect(await deploy(machine)).toMatchObject({ code: 0, result: { action: 'unchanged' } })
    expect(cloudflare.versions).toHaveLength(before)
  })

  it('takes the place of a release whose coordinator has another class of objects', async () => {
    const worker = cloudflare.find('vitrina')
    const code = cloudflare.live?.code ?? null
    const bindings = [
      { type: 'durable_object_namespace', name: 'COORDINATOR', class_name: 'RebuildCoordinator' },
    ]
    Object.assign(worker, { migration: 'v2', classes: new Set(['RebuildCoordinator', 'SearchShard']) })
    Object.assign(cloudflare.live ?? {}, { code: { ...code, bindings } })
    const { code: exit, said } = await deploy(machine, '--setup')
    expect([exit, said]).toEqual([0, expect.stringContaining('is live')])
    expect([worker.migration, [...worker.classes].sort()]).toEqual([
      'v3',
      ['RebuildCoordinator', 'SearchShard', 'SiteCoordinator'],
    ])
  })
})

describe('npm run deploy without a change of the live site', () => {
  beforeAll(async () => {
    await change('ana', 'Ana Third')
    await machine.build()
  })

  it('changes nothing with --dry-run', async () => {
    const before = cloudflare.versions.length
    const { code, said } = await deploy(machine, '--dry-run')
    expect([code, said]).toEqual([0, expect.stringContaining('To be published')])
    expect(cloudflare.versions).toHaveLength(before)
  })
})

it('npm run deploy refuses the older build of two machines that is published last', async () => {
  const { live } = cloudflare
  const before = await readLive()
  const late = await deploy(other)
  expect([late.code, late.said]).toEqual([1, expect.stringContaining('--pending')])
  expect([cloudflare.live, await readLive()]).toEqual([live, before])
  expect(await read('ana')).toContain('Ana Second')
})

describe('rebuild --pending --deploy', () => {
  let putBack: () => void
  let bad: string | undefined

  it('keeps the change waiting when it cannot be published', async () => {
    putBack = machine.keep()
    bad = cloudflare.live?.id
    await change('eva', 'Eva Meanwhile')
    const { pending, setbacks } = await coordinator.status()
    cloudflare.fail('version')
    const { report } = await machine.run()
    const error = expect.stringMatching(/live site is as it was.*version fails/) as string
    expect(report).toMatchObject({ exit: 1, error })
    expect(await coordinator.status()).toMatchObject({ pending, running: null, setbacks: setbacks + 1 })
  })

  it('publishes nothing from a rollback to the release', async () => {
    // A rollback gives the coordinator 2.5 s for each call, and a busy machine may need longer.
    replaceLimits()
    expect(await deploy(machine, '--rollback')).toMatchObject({ code: 0, result: { action: 'rollback' } })
    expect(cloudflare.live?.id).not.toBe(bad)
    expect((await coordinator.status()).publishing.held?.reason).toBe('rolled back')
    const held = await machine.rebuild('--pending', '--deploy')
    expect([held.code, held.stderr]).toEqual([1, expect.stringContaining('--release')])
    expect(await read('eva')).not.toContain('Eva Meanwhile')
    expect(await deploy(machine, '--release')).toMatchObject({ code: 0 })
  })

  it('publishes what was built before, and reports after that', async () => {
    const { report, stderr } = await machine.run()
    expect(report).toMatchObject({ exit: 0, pages: { written: 0 } })
    expect(stderr).toMatch(/Version \S+ is live[^]*reported +nothing waits now/)
    expect(await read('eva')).toContain('Eva Meanwhile')
    const result = { error: null }
    expect(await coordinator.status()).toMatchObject({ pending: 0, setbacks: 0, result })
  })

  it('publishes nothing again when nothing changed', async () => {
    const { length } = cloudflare.versions
    const { code, said } = await machine.rebuild('--pending', '--deploy')
    expect([code, said]).toEqual([0, expect.stringContaining('Nothing to publish')])
    expect(cloudflare.versions).toHaveLength(length)
  })

  it('applies all missed changes to a restored older state before it is published', async () => {
    await change('ana', 'Ana Meanwhile')
    putBack()
    expect(await deploy(machine)).toMatchObject({ code: 1 })
    await machine.build()
    expect(machine.readPage('eva')).toContain('Eva Meanwhile')
    expect(machine.readPage('ana')).toContain('Ana Meanwhile')
  })
})

describe('the output of a deploy', () => {
  it('contains no secret', () => {
    const canaries = [SITE_SECRET, SITE_SECRET.replace('whsec_', ''), 'cloudflare-token-canary']
    const said = runs.map((run) => run.said).join('\n')
    expect(said).toContain('is live')
    for (const canary of canaries) expect(said).not.toContain(canary)
  })
})
