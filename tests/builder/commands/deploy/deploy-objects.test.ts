/** `deploy` of a site of objects, whose data is delivered after the Worker, through a fake of Cloudflare's API. */
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeCloudflare, PUBLISHED } from '../../../../scripts/fakes/fake-cloudflare.ts'
import { command } from '../../../../src/builder/commands/deploy/deploy.ts'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'
import type { LocalCoordinator } from '../../../support/edge/local-coordinator.ts'
import { LOCAL_SECRET, startCoordinator } from '../../../support/edge/local-coordinator.ts'
import { startAlteringProxy } from '../../../support/edge/altering-proxy.ts'
import { createEdgeRenderer } from '../../../support/edge/edge-renderer.ts'
import type { MemoryHost } from '../../../support/edge/object-host.ts'
import { createMemoryHost } from '../../../support/edge/object-host.ts'
import { product, user, writeFolder } from '../../../support/rebuild/documents.ts'
import type { HereRun } from '../../../support/rebuild/run-here.ts'
import { rebuildHere, runHere } from '../../../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()
let cloudflare: FakeCloudflare
let coordinator: LocalCoordinator
let host: MemoryHost
let environment: Readonly<Record<string, string>>
beforeEach(async () => {
  cloudflare = new FakeCloudflare()
  // The code that is live answers, as its version's message names it.
  const readCode = (): string => /code (\w+)/.exec(cloudflare.live?.message ?? '')?.[1] ?? ''
  host = createMemoryHost(Object.defineProperty(createEdgeRenderer(), 'code', { get: readCode }))
  ;[coordinator] = await Promise.all([startCoordinator({}, host), cloudflare.start()])
  await openAccount()
  writeFolder(path('data'), [user('ana'), product('uno', 'ana')])
  environment = {
    ...cloudflare.environment,
    CATALOGUE_SOURCE: path('data'),
    HOSTING: 'objects',
    SITE_URL: cloudflare.site,
    COORDINATOR_URL: coordinator.url,
    REBUILD_SECRET: LOCAL_SECRET,
    PHOTOS: 'off',
    SEARCH: 'off',
    PRODUCT_PAGES: 'on',
  }
  await build()
})
afterEach(async () => {
  await cloudflare.stop()
  coordinator.close()
})

function build(): Promise<HereRun<object>> {
  return rebuildHere({ source: path('data'), output: path('dist'), state: path('state'), env: environment })
}

/** Opens everything that a site of objects needs, with a version live that this machine has not made. */
async function openAccount(): Promise<void> {
  const version = await cloudflare.seed({}, 'vitrina-0')
  cloudflare.account.use([...PUBLISHED, 'R2'])
  cloudflare.stores.buckets.add('vitrina-pages')
  coordinator.twin.hold({ version, sequence: 0 })
  coordinator.twin.release()
}

function deploy(...options: readonly string[]): Promise<HereRun<object>> {
  const args = ['--out', path('dist'), '--state', path('state'), ...options]
  return runHere({ name: 'deploy', definition: command }, args, environment)
}

describe('deploy of a site of objects', () => {
  it('delivers the data also while publishing is held, and ends with the hold', async () => {
    coordinator.twin.hold(null, 'rolled back')
    const { code, said } = await deploy()
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/held: .*--release.*delivered all the same: 1 obj/),
    ])
    expect([...host.objects.keys()]).toEqual([expect.stringContaining('/ana')])
  })

  it('counts as a publish, by which retained files expire', async () => {
    await deploy('--setup')
    const snapshot = openSnapshot(path('state/snapshot.sqlite'))
    expect(snapshot.readPublished()?.id).toBe(cloudflare.live?.id)
    snapshot.close()
  })

  it('does not mind that Cloudflare alters robots.txt for the domain', async () => {
    const answer = (url: string, text: string): string =>
      url === '/robots.txt' ? `# managed\n${text}` : text
    const site = await startAlteringProxy(cloudflare.site, { request: (url) => url, answer })
    environment = { ...environment, SITE_URL: site }
    await build()
    await deploy('--setup')
    expect(await deploy()).toMatchObject({ code: 0, report: { action: 'unchanged' } })
  })

  it('delivers every seller to a bucket that --setup creates again', async () => {
    await deploy('--setup')
    cloudflare.stores.buckets.clear()
    host.objects.clear()
    expect((await deploy('--setup')).said).toContain('The bucket vitrina-pages was created.')
    expect([...host.objects.keys()]).toContainEqual(expect.stringContaining('/ana'))
  })

  it('says that the new version is live if the data cannot be delivered afterwards', async () => {
    rmSync(path('data'), { recursive: true })
    const { code, said } = await deploy('--setup')
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/Version \S+ is live.*delivery of the data failed: there is no folder/),
    ])
    expect(said).toContain(`Version ${cloudflare.live?.id}`)
  })
})
