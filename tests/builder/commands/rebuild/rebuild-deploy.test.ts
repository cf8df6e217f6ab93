/** `rebuild --pending --deploy` with the real deploy tool, a fake Cloudflare and a local coordinator. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { FakeCloudflare } from '../../../../scripts/fakes/fake-cloudflare.ts'
import type { LocalCoordinator } from '../../../support/edge/local-coordinator.ts'
import { SECRET, startCoordinator } from '../../../support/edge/local-coordinator.ts'
import { createDocuments, renameSeller } from '../../../support/edge/publisher.ts'
import type { RebuildRun } from '../../../support/rebuild/rebuild.ts'
import { runRebuild } from '../../../support/rebuild/rebuild.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrina-rebuild-deploy-'))
const source = join(folder, 'documents.sqlite')
const cloudflare = new FakeCloudflare()
let coordinator: LocalCoordinator

beforeAll(async () => {
  coordinator = await startCoordinator()
  await Promise.all([cloudflare.start(), createDocuments(source, ['ana', 'eva'])])
  cloudflare.seed({ '/index.html': 'old' }, 'vitrina-0')
})
beforeEach(() => cloudflare.work())
afterAll(() => {
  coordinator.close()
  cloudflare.stop()
  rmSync(folder, { recursive: true, force: true })
})

function run(...options: readonly string[]): Promise<RebuildRun> {
  const env = {
    ...cloudflare.environment,
    SITE_URL: cloudflare.site,
    COORDINATOR_URL: coordinator.url,
    REBUILD_SECRET: SECRET,
  }
  const place = { source, output: join(folder, 'dist'), state: join(folder, 'state'), env }
  return runRebuild(place, '--pending', '--deploy', ...options)
}

async function change(seller: string, name: string): Promise<void> {
  renameSeller(source, seller, name)
  await coordinator.client.notify([seller])
}

const read = async (seller: string): Promise<string> =>
  (await fetch(`${cloudflare.site}/catalogo/${seller}`)).text()

it('keeps the change waiting when it cannot be published', async () => {
  await change('eva', 'Eva Second')
  cloudflare.fail('version')
  const { report } = await run()
  const error = expect.stringMatching(/live site is as it was.*version fails/) as string
  expect(report).toMatchObject({ exit: 1, error })
  expect(coordinator.twin.status()).toMatchObject({ pending: 1, running: null, setbacks: 1 })
})

it('publishes what was built before, and reports after that', async () => {
  const { report, stderr } = await run()
  expect(report).toMatchObject({ exit: 0, pages: { rendered: 0 } })
  expect(stderr).toMatch(/Version \S+ is live[^]*reported +nothing waits now/)
  expect(await read('eva')).toContain('Eva Second')
  expect(coordinator.twin.status()).toMatchObject({ pending: 0, setbacks: 0, result: { error: null } })
})

it('publishes nothing again when nothing changed', async () => {
  const { length } = cloudflare.versions
  const { report, stderr } = await run()
  expect([report.exit, stderr]).toEqual([0, expect.stringContaining('Nothing to publish')])
  expect(cloudflare.versions).toHaveLength(length)
})
