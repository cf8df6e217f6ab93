/** `rebuild --pending` as a command: its reads, its failures and its secrets. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { importFolder } from '../../../../src/builder/sources/embedded/interchange.ts'
import { createSellers, writeFolder } from '../../../support/rebuild/documents.ts'
import { useFirestore } from '../../../support/firestore/firestore.ts'
import type { LocalCoordinator } from '../../../support/edge/local-coordinator.ts'
import { LOCAL_SECRET, startCoordinator } from '../../../support/edge/local-coordinator.ts'
import type { RebuildPlace } from '../../../support/rebuild/rebuild.ts'
import { runCommand } from '../../../support/rebuild/rebuild.ts'
import { rebuildHere } from '../../../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { setPrice } from '../../sources/embedded-fixture.ts'

const path = useTemporaryFolder()
const openProject = useFirestore()
const COUNTS = { rendered: 0, unchanged: 0, removed: 0, failed: 0 }

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

const readPage = (seller: string): string => readFileSync(path(`dist/catalogo/${seller}.html`), 'utf8')

it('reads from the embedded database only the sellers that the coordinator names; a plain rebuild reads the others', async () => {
  const place = placeOf(await createDatabase())
  expect((await rebuildHere(place, '--pending', '--served')).report).toMatchObject({ exit: 0, reads: 16 })
  setPrice(place.source, 'p2', 4321)
  setPrice(place.source, 'p5', 5432)
  await coordinator.client.notify(['s2'])
  const named = await rebuildHere(place, '--pending', '--served')
  expect(named.report).toMatchObject({ exit: 0, reads: 2, pages: { ...COUNTS, rendered: 1, unchanged: 7 } })
  expect(named.said).toMatch(/claimed +1 seller\n.*reported +nothing waits now/)
  expect([readPage('s2').includes('4,321'), readPage('s5').includes('5,432')]).toEqual([true, false])
  const again = await rebuildHere(place, '--pending', '--served')
  expect(again.report).toMatchObject({ exit: 0, reads: 0, pages: { ...COUNTS, unchanged: 8 } })
  expect(again.said).toMatch(/Nothing to do.*\n.*claimed +nothing: no change waits/)
  expect((await rebuildHere(place)).report).toMatchObject({ reads: 2, pages: { rendered: 1 } })
  expect(readPage('s5')).toContain('5,432')
})

it('reads from Firestore only the documents of the named sellers, and everything on request', async () => {
  const project = openProject()
  await project.write(createSellers(8))
  const place = placeOf('firestore', {
    FIREBASE_PROJECT_ID: project.id,
    FIRESTORE_EMULATOR_HOST: project.options.emulatorHost ?? '',
  })
  await rebuildHere(place, '--pending', '--served')
  await project.update({ collection: 'cataloge', id: 'p3' }, { price: 4321 })
  await coordinator.client.notify(['s3'])
  const { report } = await rebuildHere(place, '--pending', '--served')
  expect(report).toMatchObject({ exit: 0, reads: 2, pages: { ...COUNTS, rendered: 1, unchanged: 7 } })
  expect(readPage('s3')).toContain('4,321')
  await coordinator.client.notifyFull()
  const full = await rebuildHere(place, '--pending', '--served')
  expect(full.report).toMatchObject({ exit: 0, reads: 16, pages: { ...COUNTS, unchanged: 8 } })
  expect(coordinator.twin.status()).toMatchObject({ pending: 0, full: false, result: { full: true } })
})

it('reports wrong usage and claims nothing', async () => {
  const database = await createDatabase()
  for (const [source, options] of [
    [database, ['--dry-run']],
    [database, ['--served', '--deploy']],
    [database, ['--watch']],
    [database, ['--seller', 's1']],
    [path('source'), []],
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
  expect((await rebuildHere(place, '--pending', '--served')).report).toMatchObject({ exit: 5 })
})

it('has a name of its own in each run of a workflow, whose machines all have the same host name', async () => {
  const place = placeOf(await createDatabase())
  const build = async (run: string): Promise<number> => {
    const env = { ...place.env, GITHUB_RUN_ID: run }
    return (await rebuildHere({ ...place, env }, '--pending', '--served')).code
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
