/** The render pool with workers that cannot start, end, or hang. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { PageData } from '../../../../src/builder/rebuild/plan/page-data.ts'
import type { PageReader } from '../../../../src/builder/rebuild/plan/page-sources.ts'
import type { RenderStep } from '../../../../src/builder/rebuild/plan/plan-site.ts'
import type { PageResult } from '../../../../src/builder/rebuild/render/render-page.ts'
import type { PoolOptions, RenderPool } from '../../../../src/builder/rebuild/render/render-pool.ts'
import { createPool } from '../../../../src/builder/rebuild/render/render-pool.ts'
import { LONGEST_TIME } from '../../../support/run/longest-time.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { createWorkerModule } from '../../../support/run/worker-module.ts'

const path = useTemporaryFolder()

/** The seller's name selects what its page does. */
const WORKER = createWorkerModule(`
import { writeFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
const hold = () => writeFileSync(workerData.partial + '.held', '')
const WAYS = {
  never: () => { hold(); return new Promise(() => {}) },
  busy: () => { hold(); for (;;); },
  memory: () => { const all = []; for (;;) all.push(new Array(1e5).fill(all.length)) },
  uncaught: () => { setImmediate(() => { throw new Error('broken on purpose') }); return new Promise(() => {}) },
}
const result = (seller) => ({ data: seller, digest: seller, shows: [], partial: null })
serveTasks((pages) => Promise.all(pages.map(async ({ page: { seller } }) => (await WAYS[seller]?.()) ?? result(seller))))
`)

let pool: RenderPool | undefined
beforeEach(() => writeFileSync(path('worker.mjs'), WORKER))
afterEach(() => pool?.close())

function open(worker: string, patience = LONGEST_TIME): RenderPool {
  const setup = { partial: path('partial') }
  const options = {
    worker: path(worker),
    setup,
    generation: 1,
    threads: 2,
    patience,
  }
  pool = createPool(options as unknown as PoolOptions)
  return pool
}

const READER: PageReader = { read: () => null, exists: () => true, countProducts: () => 0 }

const NEW = { reason: 'new', recorded: null } as const

const ask = (...sellers: readonly string[]): readonly RenderStep[] =>
  sellers.map((seller) => ({
    path: `${seller}.html`,
    kind: 'catalogue',
    seller,
    product: null,
    reader: READER,
    ...NEW,
  }))
const tell = (renderings: readonly PageResult[]): readonly string[] =>
  renderings.map((one) => ('reason' in one ? `${one.path}: ${one.reason}` : one.row.path))

/** The time of a task is over as soon as a page holds up its worker, however long a worker takes to start. */
function endWhenHeld(patience: number): void {
  const real = globalThis.setTimeout
  const waiting: (() => void)[] = []
  const file = path('partial.held')
  const timer = setInterval(() => {
    if (!existsSync(file)) return
    rmSync(file)
    waiting.at(-1)?.()
  }, 10)
  const timeout = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, time: number) => {
    if (time !== patience) return real(act, time)
    waiting.push(act)
    return undefined
  }) as typeof setTimeout)
  onTestFinished(() => {
    clearInterval(timer)
    timeout.mockRestore()
  })
}

it.each([
  ['memory', LONGEST_TIME, 'Worker terminated due to reaching memory limit: JS heap out of memory'],
  ['uncaught', LONGEST_TIME, 'broken on purpose'],
  ['never', 2_000, 'the worker did not finish in 2 s'],
  ['busy', 2_000, 'the worker did not finish in 2 s'],
])('fails just the page that ends or holds up its worker (%s)', async (seller, patience, reason) => {
  if (patience < LONGEST_TIME) endWhenHeld(patience)
  const renderings = await open('worker.mjs', patience).render(ask('ana', seller, 'eva'))
  expect(tell(renderings)).toEqual(['ana.html', `${seller}.html: ${reason}`, 'eva.html'])
})

it.each([
  ['malformed', 11],
  ['locked', 5],
])('ends the run when a worker meets a database that is %s', async (reason, errcode) => {
  writeFileSync(
    path(`${reason}.mjs`),
    createWorkerModule(
      `serveTasks((pages) => pages.map(() => ({ reason: '${reason}', errcode: ${errcode} })))`,
    ),
  )
  const rendering = open(`${reason}.mjs`).render(ask('ana'))
  await expect(rendering).rejects.toThrow(expect.objectContaining({ message: reason, errcode }))
})

it('renders pages of no seller with their data', async () => {
  writeFileSync(
    path('data.mjs'),
    createWorkerModule(
      `serveTasks((pages) => pages.map(({ page: { data } }) => ({ data: data.hash, digest: '', shows: [], partial: null })))`,
    ),
  )
  const data: PageData = { kind: 'screen', hash: 'home', page: { kind: 'not-found' } }
  const page: RenderStep = {
    path: '404.html',
    kind: 'not-found',
    seller: null,
    product: null,
    reader: { ...READER, read: () => data },
    ...NEW,
  }
  expect(await open('data.mjs').render([page])).toMatchObject([
    { row: { path: '404.html', seller: null, data: 'home' } },
  ])
})

it('fails as a whole when no worker starts, with the reason', async () => {
  writeFileSync(path('bad.mjs'), "throw new Error('cannot start')")
  const workers = open('bad.mjs')
  const batches = Array.from({ length: workers.width }, (_, index) =>
    expect(workers.render(ask(`s${index}`))).rejects.toThrow('cannot start'),
  )
  await Promise.all(batches)
})

it('renders nothing after it is closed', async () => {
  const workers = open('worker.mjs')
  const late = workers.render(ask('never')).catch((error: Error) => error.message)
  await workers.close()
  expect(await late).toContain('closed')
  await expect(workers.render(ask('ana'))).rejects.toThrow('closed')
})
