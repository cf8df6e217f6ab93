/** A site of objects on this machine: an embedded database, the real rebuild command, and its Worker on the runtime. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { readCodeHashes } from '../../../src/builder/commands/rebuild/code-hashes.ts'
import { readDataFacts } from '../../../src/builder/commands/deploy/prepare-worker.ts'
import { hashInputs } from '../../../src/builder/commands/rebuild/open-renderers.ts'
import type { RebuildReport } from '../../../src/builder/commands/rebuild/rebuild-report.ts'
import { parseConfiguration } from '../../../src/builder/commands/configuration.ts'
import { VITRINA } from '../../../src/builder/commands/run-node.ts'
import { findFreePort, startEdge } from '../../../src/builder/commands/local/local-edge.ts'
import { prepareObjectsWorker } from '../../../src/builder/publish/worker/prepare-objects-worker.ts'
import { findRenderer } from '../../../src/builder/renderer/compile.ts'
import { ROOT, STORE } from '../../../src/builder/state/project-folder.ts'
import type { Counts } from './delivery-worker.ts'
import type { Shop } from './shop.ts'
import { openShop } from './shop.ts'

export interface DeliverySite {
  readonly origin: string
  readonly shop: Shop
  /** The folder of the builder's state. */
  readonly state: string
  /** Delivers what waits. */
  deliver(killing?: Killing): Promise<Delivered>
  /** The folder of a clean build of the same data, as files. */
  build(): Promise<string>
  /** Returns the operations of the store since the last call. */
  setStore(isDown: boolean): Promise<Counts>
  close(): Promise<void>
}

/** Resolves when to kill the command; `signal` aborts at its end. */
export type Killing = (signal: AbortSignal) => Promise<void>

export interface Delivered {
  /** `null` if it was killed. */
  readonly exit: number | null
  readonly report: RebuildReport | null
  readonly words: string
  readonly ms: number
}

type Settings = Readonly<Record<string, string>>

/** In seconds. */
const MAX_AGE = 1
/** Requests of a proof at a time. */
export const LANES = 16

export async function openDeliverySite(
  sellers: number,
  progress: (text: string) => void,
): Promise<DeliverySite> {
  const closing: (() => unknown)[] = []
  const close = async (): Promise<void> => {
    for (let one = closing.pop(); one !== undefined; one = closing.pop()) await one()
  }
  try {
    const folder = mkdtempSync(join(tmpdir(), 'vitrina-delivery-'))
    closing.push(() => rmSync(folder, { recursive: true, force: true }))
    const shop = await openShop(join(folder, 'shop.sqlite'), sellers)
    closing.push(() => shop.close())
    const settings = await createSettings(join(folder, 'shop.sqlite'))
    const place = createPlace(folder, 'site')
    const edge = await startWorker(folder, { settings, place, progress })
    closing.push(() => edge.close())
    const { origin } = edge
    return {
      origin,
      shop,
      state: place.state,
      deliver: (killing) => run(place, settings, ['--deploy'], killing),
      build: async () => {
        const clean = createPlace(folder, 'clean')
        for (const part of [clean.output, clean.state]) rmSync(part, { recursive: true, force: true })
        await demandDone(run(clean, { ...settings, HOSTING: 'assets' }, []))
        return clean.output
      },
      setStore: async (isDown) => {
        const body = JSON.stringify({ isDown })
        return (
          await fetch(`${origin}/api/rebuild/proof`, { method: 'POST', body })
        ).json() as Promise<Counts>
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

interface Place {
  readonly output: string
  readonly state: string
}

function createPlace(folder: string, name: string): Place {
  return { output: join(folder, name, 'dist'), state: join(folder, name, 'state') }
}

async function createSettings(database: string): Promise<Settings> {
  return {
    HOSTING: 'objects',
    PHOTOS: 'off',
    PRODUCT_PAGES: 'off',
    EDGE_MAX_AGE: String(MAX_AGE),
    CATALOGUE_SOURCE: database,
    SITE_URL: `http://localhost:${await findFreePort()}`,
    REBUILD_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  }
}

interface Start {
  readonly settings: Settings
  readonly place: Place
  readonly progress: (text: string) => void
}

async function startWorker(
  folder: string,
  { settings, place, progress }: Start,
): ReturnType<typeof startEdge> {
  progress('Compiling')
  await demandDone(run(place, settings, []))
  progress('Starting the Worker')
  const configured = parseConfiguration(settings)
  const { site, hosting } = configured
  const kept = findRenderer(STORE, hashInputs())
  if (kept === null) throw new Error('the code changed while it was compiled')
  const { configuration } = prepareObjectsWorker({
    root: ROOT,
    folder: join(folder, 'worker'),
    output: place.output,
    kept,
    site,
    code: await readCodeHashes(),
    data: readDataFacts(configured),
    maxAge: hosting.maxAge,
    entry: join(ROOT, 'scripts/prove/delivery/delivery-worker.ts'),
  })
  return startEdge({
    port: Number(new URL(site.url).port),
    serve: { configuration },
    variables: { REBUILD_SECRET: settings['REBUILD_SECRET'] ?? '' },
    state: join(folder, 'runtime'),
  })
}

async function run(
  { output, state }: Place,
  settings: Settings,
  options: readonly string[],
  killing?: Killing,
): Promise<Delivered> {
  const folders = ['--out', output, '--state', state]
  const start = performance.now()
  const child = spawn(process.execPath, [VITRINA, 'rebuild', '--json', ...folders, ...options], {
    cwd: ROOT,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = new AbortController()
  const killed = killing?.(end.signal).then(() => child.kill('SIGKILL'))
  const [[exit], said, words] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ])
  end.abort()
  await killed
  const last = said.trim().split('\n').at(-1) ?? ''
  const report = exit === null ? null : (JSON.parse(last) as RebuildReport)
  return { exit, report, words, ms: performance.now() - start }
}

async function demandDone(running: Promise<Delivered>): Promise<void> {
  const { exit, words } = await running
  if (exit !== 0) throw new Error(`the rebuild ended with ${exit}:\n${words.slice(-2_000)}`)
}
