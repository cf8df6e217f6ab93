/**
 * The bill of one price, from its notice to the site, is the one in docs/operate.md: counted on the real runtime, with the
 * real builder, the coordinator and the index together.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeCloudflare, PUBLISHED } from '../../../scripts/fakes/fake-cloudflare.ts'
import { parseConfiguration } from '../../../src/builder/commands/configuration.ts'
import { readDataFacts } from '../../../src/builder/commands/deploy/open-state-pictures.ts'
import { findCompiled } from '../../../src/builder/commands/deploy/prepare-worker.ts'
import { readCodeHashes } from '../../../src/builder/commands/rebuild/code-hashes.ts'
import { generateWorker } from '../../../src/builder/publish/worker/prepare-worker.ts'
import type { Bill } from '../../support/edge/prices.ts'
import { writeSellersOfOne, Publisher } from '../../support/edge/publisher.ts'
import type { FirestoreProject } from '../../support/firestore/firestore.ts'
import { openProject, startTestEmulator } from '../../support/firestore/firestore.ts'
import { readDocumentationPage, readTable } from '../../support/run/documentation.ts'
import { useSharedFolder } from '../../support/run/temporary.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { rebuildHere } from '../../support/rebuild/run-here.ts'
import { setPrice } from '../../builder/sources/embedded-fixture.ts'
import {
  bill,
  COLUMNS,
  countChange,
  ENTRY,
  formatBillPrice,
  listCells,
  openBilledSite,
  readBill,
  ROWS_READ,
  subtract,
} from './billed-site.ts'
import type { CoordinatedSite } from './coordinated-site.ts'
import { SITE_SECRET, TargetServer } from './coordinated-site.ts'
import { putPictures, viewPictures } from './pictured-view.ts'

const SELLERS = ['ana', 'eva']
/** Longer than the quiet time. */
const QUIET = 3_000

const path = useSharedFolder()
const source = path('documents.sqlite')
const opened: (() => Promise<void>)[] = []

beforeAll(() => writeSellersOfOne(source, SELLERS))
afterAll(async () => {
  for (const close of opened.toReversed()) await close()
})

async function start(...site: Parameters<typeof openBilledSite>): Promise<CoordinatedSite> {
  const started = await openBilledSite(...site)
  opened.push(() => started.close())
  return started
}

/** Returns the bill of starting a builder, without its build. */
async function countStart(): Promise<Bill> {
  const target = new TargetServer()
  await target.start()
  opened.push(async () => target.stop())
  const countBuild = async (variables: Readonly<Record<string, string>>): Promise<Bill> => {
    const site = await start(variables)
    return countChange(site, async () => {
      await site.notify(['ana'])
      await site.pass(QUIET)
      const { lease, upTo } = await site.claim('machine', 0)
      await site.finish(lease, upTo)
    })
  }
  const started = await countBuild({ DISPATCH_URL: target.url })
  expect(target.received).toHaveLength(2)
  return subtract(started, await countBuild({}))
}

async function countFiles(): Promise<{ readonly change: Bill; readonly status: Bill }> {
  const cloudflare = new FakeCloudflare()
  await cloudflare.start()
  opened.push(() => cloudflare.stop())
  cloudflare.account.use(PUBLISHED)
  cloudflare.findSite('vitrina').early = 0
  const site = await start({})
  const machine = new Publisher({ folder: path('files'), source, cloudflare, coordinator: site })
  await machine.build()
  const { code, said } = await machine.deploy('--setup')
  if (code !== 0) throw new Error(said)
  const change = await countChange(site, async (price) => {
    setPrice(source, 'ana', price)
    await site.notify(['ana'])
    await machine.build('--deploy')
  })
  return { change, status: await bill(site, () => site.status()) }
}

const SITE = {
  HOSTING: 'objects',
  SITE_URL: 'http://localhost:4321',
  REBUILD_SECRET: SITE_SECRET,
  PHOTOS: 'off',
}

/** Returns the path of the configuration of a Worker of objects. */
async function prepareObjects(output: string): Promise<string> {
  const settings = parseConfiguration(SITE)
  const kept = await findCompiled()
  if (kept === null) throw new Error('the site was built from other code')
  const { configuration } = generateWorker({
    root: ROOT,
    folder: path('worker'),
    output,
    kept,
    site: settings.site,
    objects: { code: await readCodeHashes(), data: readDataFacts(settings), maxAge: 5 },
    entry: ENTRY,
  })
  return configuration
}

async function rebuildObjects(origin: string, ...options: readonly string[]): Promise<void> {
  const env = { ...SITE, COORDINATOR_URL: origin }
  const { code, said } = await rebuildHere(
    { source, output: path('static'), state: path('state'), env },
    ...options,
  )
  if (code !== 0) throw new Error(said)
}

async function countObjects(worker: string): Promise<ObjectBills> {
  const site = await start({}, worker)
  await rebuildObjects(site.origin, '--deploy')
  const change = await countChange(site, async (price) => {
    setPrice(source, 'ana', price)
    await site.notify(['ana'])
    await rebuildObjects(site.origin, '--pending', '--deploy')
  })
  await putPictures(site.origin)
  return { change, view: await bill(site, () => viewPictures(site.origin)) }
}

async function countQueue(worker: string): Promise<Bill> {
  const emulator = await startTestEmulator()
  const project: FirestoreProject = openProject(emulator.host)
  opened.push(async () => {
    await project.close()
    await emulator.stop()
  })
  const site = await start(
    {
      REBUILD_QUIET_MS: '20',
      DISPATCH: 'queue',
      FIREBASE_PROJECT_ID: project.id,
      FIREBASE_SERVICE_ACCOUNT: '{"private_key":"a key of this test alone"}',
      FIRESTORE_EMULATOR_HOST: emulator.host,
    },
    worker,
  )
  await project.write([user('ana'), product('ana', 'ana')])
  const countTaken = async (): Promise<number> => (await readBill(site)).queue
  return countChange(site, async (price) => {
    await project.update({ collection: 'cataloge', id: 'ana' }, { price })
    const before = await countTaken()
    await site.notify(['ana'])
    await expect.poll(countTaken, { interval: 20 }).toBe(before + 3)
  })
}

interface ObjectBills {
  readonly change: Bill
  readonly view: Bill
}

let configuration = ''
let ofFiles: ReturnType<typeof countFiles> | undefined
let ofObjects: Promise<ObjectBills> | undefined

const countFilesOnce = (): ReturnType<typeof countFiles> => (ofFiles ??= countFiles())
const countObjectsOnce = (): Promise<ObjectBills> => (ofObjects ??= countObjects(configuration))

/** Each operation by its name in the table. */
const OPERATIONS: Readonly<Record<string, () => Promise<Bill>>> = {
  'one price of a site of files': async () => (await countFilesOnce()).change,
  'one price of an object, by a builder': async () => (await countObjectsOnce()).change,
  'the start of this builder, if nobody else starts it': countStart,
  'one price of an object, without a builder': () => countQueue(configuration),
  'a status': async () => (await countFilesOnce()).status,
  'first view of a catalogue with ten pictures, as an object': async () => (await countObjectsOnce()).view,
}

const table = readTable(readDocumentationPage('docs/operate.md'), 'operation', ...COLUMNS, 'a million cost')

describe('costs what is documented:', () => {
  beforeAll(async () => {
    await rebuildObjects('http://localhost:4321')
    configuration = await prepareObjects(path('static'))
  })

  // Publishes with the real tools, several times the work of another test.
  it.each(Object.entries(OPERATIONS))('%s', { timeout: 900_000 }, async (name, count) => {
    const [, ...cells] = table.find(([operation]) => operation === name) ?? []
    const { read, ...other } = await count()
    const most = Number(cells[COLUMNS.indexOf(ROWS_READ)])
    // An object that was woken meanwhile has read some more. A figure that is far too large is wrong, too.
    expect(read).toBeLessThanOrEqual(most)
    expect(read).toBeGreaterThanOrEqual(most / 3)
    const documented = { ...other, read: most }
    expect(cells).toEqual([...listCells(documented), formatBillPrice(documented)])
    expect(other.written).toBeLessThanOrEqual(12)
  })
})

it('the table has no other operation', () => {
  expect(table.map(([name]) => name)).toEqual(Object.keys(OPERATIONS))
})
