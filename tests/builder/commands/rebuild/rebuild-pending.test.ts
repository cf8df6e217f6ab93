/** `rebuild --pending` as a command: its reads, its failures and its secrets. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { importFolder } from '../../../../src/builder/sources/embedded/interchange.ts'
import { createSellers, writeFolder } from '../../../support/rebuild/documents.ts'
import type { LocalCoordinator } from '../../../support/edge/local-coordinator.ts'
import { LOCAL_SECRET, startCoordinator } from '../../../support/edge/local-coordinator.ts'
import type { RebuildPlace } from '../../../support/rebuild/rebuild.ts'
import { runCommand } from '../../../support/rebuild/rebuild.ts'
import { rebuildHere } from '../../../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

let coordinator: LocalCoordinator
beforeEach(async () => {
  coordinator = await startCoordinator()
})
afterEach(() => coordinator.close())

function placeOf(source: string, env: Readonly<Record<string, string>> = {}): RebuildPlace {
  const known = { COORDINATOR_URL: coordinator.url, REBUILD_SECRET: LOCAL_SECRET, ...env }
  return { source, output: path('dist'), state: path('state'), env: known }
}

async function createDatabase(): Promise<string> {
  await importFolder(writeFolder(path('source'), createSellers(8)), path('shop.sqlite'), {})
  return path('shop.sqlite')
}

it('reports wrong usage and claims nothing', async () => {
  const database = await createDatabase()
  for (const [source, options] of [
    [database, ['--dry-run']],
    [database, ['--watch']],
    [database, ['--seller', 's1']],
  ] as const) {
    const { report } = await rebuildHere(placeOf(source), '--pending', ...options)
    expect(report).toMatchObject({ exit: 2, error: expect.stringContaining('--pending') as string })
  }
  const { report } = await rebuildHere(placeOf(database, { REBUILD_SECRET: '' }), '--pending')
  expect(report).toMatchObject({ exit: 2, error: expect.stringContaining('REBUILD_SECRET') as string })
  expect(coordinator.calls).toEqual([])
})

it('says that nothing is published without --deploy', async () => {
  const place = placeOf(await createDatabase())
  const { code, said } = await rebuildHere(place, '--pending')
  expect([code, said]).toEqual([0, expect.stringMatching(/NOT published.*--deploy/)])
  expect(coordinator.twin.status()).toMatchObject({ running: null, setbacks: 1 })
})

it('exits while another builder holds the lease', async () => {
  const place = placeOf(await createDatabase())
  await coordinator.client.claim('another', null)
  expect((await rebuildHere(place, '--pending')).report).toMatchObject({ exit: 5 })
})

it('has a name of its own in each run of a workflow, whose machines all have the same host name', async () => {
  const place = placeOf(await createDatabase())
  const build = async (run: string): Promise<number> => {
    const env = { ...place.env, GITHUB_RUN_ID: run }
    return (await rebuildHere({ ...place, env }, '--pending')).code
  }
  expect(await build('1')).toBe(0)
  const [, claim = ''] = coordinator.calls.find(([at]) => at === '/api/rebuild/claim') ?? []
  const { builder }: { builder: string } = JSON.parse(claim)
  coordinator.twin.claim(null, builder)
  expect([await build('2'), await build('1')]).toEqual([5, 0])
})

it('leaks no secret into files, output or messages of the coordinator', async () => {
  const place = placeOf(await createDatabase())
  await coordinator.client.notify(['s1'])
  const other = `whsec_${Buffer.from('canary: another secret to find').toString('base64')}`
  const runs = [
    await runCommand(place, '--pending'),
    await runCommand(place, '--pending', '--deploy'),
    await runCommand({ ...place, env: { ...place.env, REBUILD_SECRET: other } }, '--pending', '--json'),
  ]
  expect(runs.map(({ code }) => code)).toEqual([0, 2, 3])
  const said = runs.map(({ stdout, stderr }) => stdout + stderr).join('')
  const answers = await Promise.all(['', '/claim', '/done', '/status'].map(readRefusal))
  for (const text of [said, ...answers, ...readFiles(path('dist')), ...readFiles(path('state'))])
    for (const secret of [LOCAL_SECRET, other])
      expect(text.includes(secret.slice('whsec_'.length))).toBe(false)
})

async function readRefusal(at: string): Promise<string> {
  const response = await fetch(`${coordinator.url}/api/rebuild${at}`, { method: 'POST', body: '{}' })
  return response.text()
}

function readFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
}
