/** `npm run deploy` with the real tool, a fake Cloudflare and the real coordinator. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CoordinatedSite, SECRET } from '../../served/edge/coordinated-site.ts'
import { FakeCloudflare, PUBLISHED } from '../../../scripts/fakes/fake-cloudflare.ts'
import type { DeployRun } from '../../support/edge/publisher.ts'
import { createDocuments, Publisher, renameSeller } from '../../support/edge/publisher.ts'
import { stopAtFirst } from '../../support/run/stop-at-first.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrina-deploy-'))
const source = join(folder, 'documents.sqlite')
const cloudflare = new FakeCloudflare()
const coordinator = new CoordinatedSite()
let machine: Publisher
let other: Publisher

stopAtFirst()
beforeAll(async () => {
  await Promise.all([cloudflare.start(), coordinator.start(), createDocuments(source, ['ana', 'eva'])])
  const create = (name: string): Publisher =>
    new Publisher({ folder: join(folder, name), source, cloudflare, coordinator })
  machine = create('machine')
  other = create('other')
  await machine.build()
})
beforeEach(() => {
  cloudflare.work()
  cloudflare.uploaded.length = 0
})
afterAll(async () => {
  await coordinator.close()
  await cloudflare.stop()
  rmSync(folder, { recursive: true, force: true })
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
    cloudflare.findSite('vitrina').early = 0
    const early = await deploy(machine)
    expect([early.code, early.said]).toEqual([1, expect.stringContaining('npm run deploy -- --setup')])
    const first = await deploy(machine, '--setup')
    expect([first.code, first.said]).toEqual([0, expect.stringContaining('is live')])
    expect(cloudflare.live?.id).toBe(first.result['version'])
    expect(cloudflare.uploaded).toContain('/catalogo/eva.html')
    expect(cloudflare.uploaded).not.toContain('/.vitrina')
    expect(await readLive()).toMatchObject({ version: first.result['version'], sequence: machine.have })
    expect(first.said).toMatch(/search +compared, 2 sellers put in order/)
  })

  it('uploads only the changed files after one change', async () => {
    await change('ana', 'Ana Second')
    const sequence = await machine.build()
    const said = expect.stringMatching(/search +1 seller updated\n/) as string
    expect(await deploy(machine)).toMatchObject({ code: 0, said, result: { action: 'published', sequence } })
    // The sitemap has the time of the edit.
    expect([...cloudflare.uploaded].sort()).toEqual([
      '/catalogo/ana.html',
      '/catalogo/ana/404.html',
      '/catalogo/ana/ana.html',
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
})

describe('npm run deploy while the API fails', () => {
  beforeAll(async () => {
    await change('ana', 'Ana Third')
    await machine.build()
  })

  // rebuild-deploy.test.ts lets a step of the tool fail.
  it('keeps the old site and prints advice', async () => {
    const before = cloudflare.live
    cloudflare.fail('live')
    const { code, said } = await deploy(machine)
    expect([code, said]).toEqual([1, expect.stringMatching(/as it was.*npm run deploy/)])
    expect(said).toContain('live fails')
    expect(cloudflare.live).toBe(before)
  })
})

describe('npm run deploy without a change of the live site', () => {
  it('uploads a version with --preview', async () => {
    const before = cloudflare.live
    const { code, result } = await deploy(machine, '--preview')
    expect([code, result['action']]).toEqual([0, 'uploaded'])
    expect(cloudflare.versions.at(-1)?.id).toBe(result['version'])
    expect(cloudflare.live).toBe(before)
  })

  it('verifies and changes nothing with --dry-run', async () => {
    const before = cloudflare.versions.length
    const { code, said } = await deploy(machine, '--dry-run', '--full')
    expect([code, said]).toEqual([0, expect.stringContaining('To be published: 4 of')])
    expect(cloudflare.versions).toHaveLength(before)
  })
})

describe('publishing from two machines', () => {
  it('keeps the newer build of two at the same time, whichever ends last', async () => {
    await machine.build()
    await change('ana', 'Ana Newest')
    const sequence = await other.build()
    const [, newer] = await Promise.all([deploy(machine), deploy(other)])
    // It may have been refused while the other machine was publishing.
    const again = newer.code === 0 ? newer : await deploy(other)
    expect(again.code).toBe(0)
    expect(await read('ana')).toContain('Ana Newest')
    expect(cloudflare.live?.tag).toBe(`vitrina-${sequence}`)
    expect(await readLive()).toMatchObject({ version: cloudflare.live?.id, sequence })
  })

  it('refuses an older build that is published last', async () => {
    const { live } = cloudflare
    const late = await deploy(machine)
    expect([late.code, late.said]).toEqual([1, expect.stringContaining('--pending')])
    expect(cloudflare.live).toBe(live)
    expect(await read('ana')).toContain('Ana Newest')
  })

  it('applies all missed changes to a restored older state before it is published', async () => {
    const putBack = machine.keep()
    await change('eva', 'Eva Meanwhile')
    await machine.build('--deploy')
    await change('ana', 'Ana Meanwhile')
    putBack()
    expect(await deploy(machine)).toMatchObject({ code: 1 })
    await machine.build('--deploy')
    expect(await read('eva')).toContain('Eva Meanwhile')
    expect(await read('ana')).toContain('Ana Meanwhile')
    expect(cloudflare.live?.tag).toBe(`vitrina-${machine.have}`)
  })
})

describe('a rollback', () => {
  it('puts the previous version live and holds publishing until the release', async () => {
    const bad = cloudflare.live
    expect(await deploy(machine, '--rollback')).toMatchObject({ code: 0, result: { action: 'rollback' } })
    expect(cloudflare.live).not.toBe(bad)
    expect((await coordinator.status()).publishing.held?.reason).toBe('rolled back')
    await change('ana', 'Ana Mended')
    const held = await machine.rebuild('--pending', '--deploy')
    expect([held.code, held.stderr]).toEqual([1, expect.stringContaining('--release')])
    expect(await read('ana')).not.toContain('Ana Mended')
    expect(await deploy(machine, '--release')).toMatchObject({ code: 0 })
    await machine.build('--deploy')
    expect(await read('ana')).toContain('Ana Mended')
  })
})

describe('the output of a deploy', () => {
  it('contains no secret', () => {
    const canaries = [SECRET, SECRET.replace('whsec_', ''), 'cloudflare-token-canary']
    const said = runs.map((run) => run.said).join('\n')
    expect(said).toContain('is live')
    for (const canary of canaries) expect(said).not.toContain(canary)
  })
})
