/** One build of the pending sellers: claim, rebuild, publish, report. No failure in between loses a change. */
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { PendingBuild, PendingStep } from '../../../../src/builder/publish/pending/build-pending.ts'
import { buildPending } from '../../../../src/builder/publish/pending/build-pending.ts'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import type { Page } from '../../../../src/domain/pages/page.ts'
import type { RebuildOutcome } from '../../../../src/builder/rebuild/rebuild.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import type { LocalCoordinator } from '../../../support/edge/local-coordinator.ts'
import { startCoordinator } from '../../../support/edge/local-coordinator.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import type { WorldSetup } from '../../../support/rebuild/world.ts'
import { createWorld, renderPlain } from '../../../support/rebuild/world.ts'

const path = useTemporaryFolder()
const SELLERS = Array.from({ length: 12 }, (_, index) => `s${index}`)

let coordinator: LocalCoordinator
let documents: Map<string, SourceDocument>
beforeEach(async () => {
  coordinator = await startCoordinator()
  documents = new Map()
  for (const seller of SELLERS) setPrice(seller, 100)
})
afterEach(() => coordinator.close())

function setPrice(seller: string, price: number): void {
  documents.set(`user ${seller}`, user(seller))
  documents.set(`product ${seller}`, product(`p-${seller}`, seller, { price }))
}

async function change(...sellers: readonly string[]): Promise<void> {
  for (const seller of sellers) setPrice(seller, 200)
  await coordinator.client.notify(sellers)
}

type Setup = Partial<
  Pick<PendingBuild, 'publish' | 'tell' | 'builder'> & Pick<WorldSetup, 'render' | 'wrap' | 'folder'>
>

async function build({
  publish = async () => [],
  tell = () => {},
  builder = 'one',
  ...setup
}: Setup = {}): Promise<RebuildOutcome> {
  const created = createWorld({ folder: path('site'), documents: [...documents.values()], ...setup })
  const world = setup.wrap?.(created) ?? created
  try {
    const { client } = coordinator
    return await buildPending({ world, client, builder, publish, tell })
  } finally {
    world.state.close()
  }
}

const readPage = (seller: string): string => readFileSync(path(`site/dist/catalogo/${seller}.html`), 'utf8')
/** Returns the sellers whose catalogues were written. */
const listWritten = ({ written }: RebuildOutcome): readonly string[] =>
  written.examples.flatMap((file) => /^catalogo\/(\w+)\.html$/.exec(file)?.[1] ?? []).sort()
const findReport = (): unknown =>
  JSON.parse(coordinator.calls.findLast(([at]) => at.endsWith('/done'))?.[1] ?? '{}')

it('reads everything for a state without a build, and only changed sellers afterwards', async () => {
  expect((await build()).read.reads).toBe(24)
  await change('s3', 's7')
  const outcome = await build()
  expect([outcome.read.reads, listWritten(outcome)]).toEqual([4, ['s3', 's7']])
  expect(coordinator.twin.status()).toMatchObject({ pending: 0, running: null, result: { error: null } })
})

it('reads nothing if no seller is pending, and reports that', async () => {
  await build()
  const steps: PendingStep[] = []
  const outcome = await build({ tell: (step) => steps.push(step) })
  expect([outcome.read.reads, outcome.isIdle]).toEqual([0, true])
  expect(steps[0]).toEqual({ kind: 'claimed', named: [] })
  expect(steps.at(-1)).toEqual({ kind: 'reported', pending: 0 })
})

it('reports which of the sellers that are new to the coordinator exist', async () => {
  await build()
  await coordinator.client.notify(['invented'])
  await change('s1')
  await build()
  expect(findReport()).toMatchObject({ failed: [], strangers: { known: [2], absent: [1] } })
  await coordinator.client.notifyFull()
  await build()
  expect(findReport()).not.toHaveProperty('strangers')
  expect(coordinator.twin.listChanged(0)).toEqual(['s1'])
})

it('publishes after the rebuild, then reports to the coordinator', async () => {
  await change('s1')
  const steps: string[] = []
  await build({
    tell: ({ kind }) => steps.push(kind),
    publish: async () => {
      steps.push(`publishing ${coordinator.twin.status().pending}`)
      return []
    },
  })
  expect(steps).toEqual(['claimed', 'rendered', 'publishing 1', 'published', 'reported'])
})

it('reports nothing as done without a publish, and the next build publishes it', async () => {
  await build()
  await change('s1')
  const steps: string[] = []
  await build({ publish: null, tell: ({ kind }) => steps.push(kind) })
  expect(steps).toEqual(['claimed', 'rendered', 'unpublished'])
  const { pending, running, result } = coordinator.twin.status()
  expect([pending, running, result?.error]).toEqual([1, null, expect.stringContaining('not published')])
  let published = ''
  await build({ publish: async () => [(published = readPage('s1'))] })
  expect(published).toContain('200')
  expect(coordinator.twin.status().pending).toBe(0)
})

it('keeps the sellers pending if publishing fails, and publishes them in the next build', async () => {
  await build()
  await change('s1')
  await expect(build({ publish: () => Promise.reject(new Error('the edge is down')) })).rejects.toThrow(
    'edge is down',
  )
  expect(coordinator.twin.status()).toMatchObject({ pending: 1, result: { error: 'the edge is down' } })
  let published = ''
  await build({ publish: async () => [(published = readPage('s1'))] })
  expect(published).toContain('200')
  expect(coordinator.twin.status().pending).toBe(0)
})

it('keeps the sellers pending if the source fails, and reads them again', async () => {
  await build()
  await change('s1')
  const fail: WorldSetup['wrap'] = (world) => ({
    ...world,
    openSource: () => Promise.reject(new Error('unavailable')),
  })
  await expect(build({ wrap: fail })).rejects.toThrow('unavailable')
  expect(coordinator.twin.status()).toMatchObject({ pending: 1, running: null, setbacks: 1 })
  expect(listWritten(await build())).toEqual(['s1'])
})

it('reports the page that failed with its reason, keeps its old version, and publishes the others', async () => {
  await build()
  await change('s1', 's2')
  const outcome = await build({ render: createThrowing('s1') })
  expect(outcome.failures.map(({ seller }) => seller)).toEqual(['s1'])
  expect(findReport()).toMatchObject({
    failed: [{ seller: 's1', reason: expect.stringContaining('too sweet') as string }],
  })
  expect([readPage('s1').includes('200'), readPage('s2').includes('200')]).toEqual([false, true])
  expect(coordinator.twin.status()).toMatchObject({ pending: 1, failures: [{ seller: 's1', attempts: 1 }] })
})

it('looks at everything when the coordinator asks for that', async () => {
  await build()
  setPrice('s4', 200)
  await coordinator.client.notifyFull()
  const outcome = await build()
  expect([outcome.everything, outcome.read.reads]).toEqual([expect.any(String), 24])
  expect(readPage('s4')).toContain('200')
})

it('applies all missed changes to a state that is some builds old', async () => {
  const missed = SELLERS.slice(0, 4)
  await build()
  cpSync(path('site'), path('kept'), { recursive: true })
  for (const seller of missed) {
    await change(seller)
    await build()
  }
  rmSync(path('site'), { recursive: true })
  cpSync(path('kept'), path('site'), { recursive: true })
  const outcome = await build()
  expect(listWritten(outcome)).toEqual(missed)
  for (const seller of missed) expect(readPage(seller)).toContain('200')
})

it('continues its lease after it was killed, while another builder is refused', async () => {
  await build()
  await change('s1')
  const { lease } = (await coordinator.client.claim('one', coordinator.twin.standing.published)) ?? {}
  await expect(build({ builder: 'two' })).rejects.toThrow('Another builder is at work')
  await build()
  expect(findReport()).toMatchObject({ lease, failed: [] })
})

it('renews its lease during a build that takes longer than the lease', async () => {
  coordinator.close()
  coordinator = await startCoordinator({ REBUILD_LEASE_MS: '30000' })
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const readUntil = (): number => coordinator.twin.standing.lease?.until ?? 0
  const publish = async (): Promise<readonly string[]> => {
    for (let third = 1; third <= 6; third += 1) {
      const until = readUntil()
      vi.advanceTimersByTime(10_000)
      await expect.poll(readUntil).toBeGreaterThan(until)
    }
    return []
  }
  await build({ publish })
  expect(coordinator.twin.status()).toMatchObject({ result: { error: null }, setbacks: 0 })
})

it('does not publish after its lease is lost', async () => {
  let isPublished = false
  const lose: WorldSetup['wrap'] = (world) => ({
    ...world,
    openSource: async () => {
      const { lease } = coordinator.twin.standing
      coordinator.twin.report({ lease: lease?.id ?? '', error: 'taken away' })
      coordinator.twin.claim(null, 'two')
      return world.openSource()
    },
  })
  const publish = async (): Promise<readonly string[]> => ((isPublished = true), [])
  await expect(build({ wrap: lose, publish })).rejects.toThrow('The lease was lost')
  expect(isPublished).toBe(false)
  expect(coordinator.twin.standing.lease?.builder).toBe('two')
})

it('reports a published build after the coordinator answers again', async () => {
  await change('s1')
  await build({
    publish: async () => {
      coordinator.refuse('/api/rebuild/done', 3)
      return []
    },
  })
  expect(coordinator.twin.status()).toMatchObject({ pending: 0, setbacks: 0 })
})

it('says that the build is live if its report fails, and the sellers are handed out again', async () => {
  await build()
  await change('s1')
  coordinator.refuse('/api/rebuild/done', Infinity)
  await expect(build()).rejects.toThrow(/^The build is live, but .*answered with status 500/)
  expect(coordinator.twin.status()).toMatchObject({ pending: 1, setbacks: 0 })
})

function createThrowing(seller: string): (page: Page) => string {
  return (page) => {
    if (page.kind === 'catalogue' && page.catalogue.seller === seller) throw new Error('too sweet')
    return renderPlain(page)
  }
}
