/** A builder that waits for the real coordinator, which wakes it. The public files are those of a stand-in. */
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { command } from '../../../../src/builder/commands/deploy/deploy.ts'
import { ROOT } from '../../../../src/builder/files/project-folder.ts'
import { CoordinatedSite, SECRETS } from '../../../support/edge/coordinated-site.ts'
import { StandInSite } from '../../../support/publish/stand-in-site.ts'
import { product, user, writeFolder } from '../../../support/rebuild/documents.ts'
import { parseHere } from '../../../support/rebuild/run-here.ts'
import { ensureCompiled } from '../../../support/rebuild/sample-renderer.ts'
import { createTestTerminal } from '../../../support/run/test-terminal.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

beforeAll(ensureCompiled)

it('a waiting builder builds at its start, and at once when a notice wakes it, and reports what is live', async () => {
  const site = await new StandInSite(path('account/live')).start()
  const coordinator = new CoordinatedSite()
  onTestFinished(() => site.close())
  onTestFinished(() => coordinator.close())
  await coordinator.start()
  const client = coordinator.createClient()
  const end = new AbortController()
  const environment = {
    PATH: process.env['PATH'] ?? '',
    VITRINA_WRANGLER: join(ROOT, 'tests/support/publish/wrangler-stub.mjs'),
    WRANGLER_STUB: path('account'),
    CATALOGUE_SOURCE: writeFolder(path('shop'), [user('ana'), product('one', 'ana')]),
    SITE_URL: site.url,
    COORDINATOR_URL: coordinator.url,
    REBUILD_SECRET: SECRETS.rebuild,
    PHOTOS: 'off',
  }
  const folders = ['--out', path('dist'), '--state', path('state')]
  const options = parseHere(command, [...folders, '--watch'], environment)
  const ended = command.run(options, createTestTerminal({ end: end.signal }))
  const isReported = async (): Promise<boolean> => {
    const { reported, waiting, lease } = await client.status()
    return site.live !== null && reported === site.live.run && waiting === 0 && lease === null
  }
  await expect.poll(isReported, { interval: 200 }).toBe(true)
  await client.notice(['ana'])
  expect((await client.status()).waiting).toBe(1)
  await expect.poll(isReported, { interval: 200 }).toBe(true)
  // No workflow was started, because this builder waits.
  expect(coordinator.starts).toEqual([])
  end.abort()
  expect(await ended).toMatchObject({ exit: 0 })
})
