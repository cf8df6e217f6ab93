/** A site of objects on the real runtime, made from the documents of a folder, beside the output of lane "assets". */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCodeHashes } from '../../../src/builder/commands/rebuild/code-hashes.ts'
import type { CoordinatorClient } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import { createCoordinatorClient } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import type { ObjectClient } from '../../../src/builder/publish/objects/object-client.ts'
import { createObjectClient } from '../../../src/builder/publish/objects/object-client.ts'
import { generateWorker } from '../../../src/builder/publish/worker/prepare-worker.ts'
import { findRenderer } from '../../../src/builder/renderer/compile.ts'
import { readInputManifest } from '../../../src/builder/renderer/fingerprint.ts'
import { hashManifest, readManifest } from '../../../src/builder/state/manifest.ts'
import { ROOT, STORE } from '../../../src/builder/state/project-folder.ts'
import { DEFAULT_MAX_PRODUCTS } from '../../../src/domain/catalogue/product-limit.ts'
import type { DataFacts } from '../../../src/domain/objects/data-facts.ts'
import type { ObjectStore, StoredObject } from '../../../src/edge/objects/object-store.ts'
import type { ReadSite } from './read-objects.ts'
import { readObjectSite } from './read-objects.ts'
import { runRebuild } from '../rebuild/rebuild.ts'
import type { TestCall } from './workers/objects-entry.ts'
import type { WorkerRuntime } from './worker-runtime.ts'
import { startRuntime } from './worker-runtime.ts'
import { createSite } from '../site.ts'

export interface ObjectsSite extends ReadSite {
  readonly origin: string
  /** The output of lane "assets". */
  readonly output: string
  /** The real store. */
  readonly store: ObjectStore
  readonly client: ObjectClient
  readonly coordinator: CoordinatorClient
  /** Returns what the runtime and the Worker have printed. */
  readOutput(): string
  close(): Promise<void>
}

const SECRET = `whsec_${Buffer.from('a secret of this test alone').toString('base64')}`

const SITE = createSite()

/** As `readSite` reads: without pictures. */
const DATA: DataFacts = {
  maxProducts: DEFAULT_MAX_PRODUCTS,
  publicFiles: Object.keys(readManifest(join(ROOT, 'public'), '.')),
  pictures: { mode: 'off', hosts: { names: [], origins: [] }, makesPreviews: true },
}

/** `write` writes the documents into a folder. */
export async function startObjectsSite(write: (folder: string) => void): Promise<ObjectsSite> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-objects-'))
  let runtime: WorkerRuntime | null = null
  const close = async (): Promise<void> => {
    await runtime?.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const { configuration, earlier } = await buildSite(folder, write)
    runtime = await startRuntime({
      configuration,
      variables: { REBUILD_SECRET: SECRET, REBUILD_QUIET_MS: '50' },
    })
    const { origin, readOutput } = runtime
    const site = readObjectSite(join(folder, 'state'))
    const coordinator = createCoordinatorClient({ url: origin, secrets: [SECRET] })
    const client = createObjectClient(coordinator)
    await fill(site, client, earlier)
    const store = createRemoteStore(createCall(origin))
    return {
      ...site,
      origin,
      output: join(folder, 'dist'),
      store,
      client,
      coordinator,
      readOutput,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function buildSite(
  folder: string,
  write: (folder: string) => void,
): Promise<{ configuration: string; earlier: Files }> {
  const [source, output, files] = [join(folder, 'source'), join(folder, 'dist'), join(folder, 'static')]
  write(source)
  const place = { source, output, state: join(folder, 'state'), env: { PRODUCT_PAGES: 'on' } }
  const { report, stderr } = await runRebuild(place)
  if (report.exit !== 0) throw new Error(`the site could not be built: ${stderr}`)
  copyStaticFiles(output, files)
  const earlier = moveAssets(files)
  const kept = findRenderer(STORE, hashManifest(readInputManifest(ROOT)))
  if (kept === null) throw new Error('the site was built from other code')
  const { configuration } = generateWorker({
    root: ROOT,
    folder: join(folder, 'worker'),
    output: files,
    kept,
    site: SITE,
    objects: { code: await readCodeHashes(), data: DATA, maxAge: 1 },
    entry: join(ROOT, 'tests/support/edge/workers/objects-entry.ts'),
  })
  return { configuration, earlier }
}

/** Files by path. */
type Files = ReadonlyMap<string, Buffer>

async function fill({ objects }: ReadSite, client: ObjectClient, files: Files): Promise<void> {
  const sent = [...files].map(([path, content]) => ({ path, content: content.toString('base64') }))
  await client.storeFiles({ files: sent })
  const { worker, objects: tags } = await client.readTags({ names: [...objects.keys()] })
  const { format, intake } = worker
  // One at a time: on a slow machine a call with all of them would be sent again before it is answered.
  for (const { name, tag } of tags) {
    const pushed = [{ name, tag, data: objects.get(name) ?? null }]
    const { results } = await client.push({ format, intake, objects: pushed, isShrinkAllowed: false })
    if (results[0]?.outcome !== 'stored') throw new Error(`not stored: ${JSON.stringify(results)}`)
  }
}

/** Takes half of the hashed files away, as if they were of an earlier deployment. */
function moveAssets(files: string): Files {
  const names = readdirSync(join(files, '_astro')).filter((_, index) => index % 2 === 0)
  return new Map(
    names.map((name) => {
      const file = join(files, '_astro', name)
      const content = readFileSync(file)
      rmSync(file)
      return [`_astro/${name}`, content]
    }),
  )
}

/** The files that lane "objects" deploys. */
function copyStaticFiles(output: string, files: string): void {
  const gone = ['index.html', 'sitemap.xml', 'sitemaps', 'fotos', 'social']
  cpSync(output, files, {
    recursive: true,
    filter: (path) => !gone.some((name) => path === join(output, name)),
  })
  for (const name of readdirSync(join(files, 'catalogo')))
    if (name !== '404.html') rmSync(join(files, 'catalogo', name), { recursive: true })
}

type Call = (operation: string, body: unknown) => Promise<unknown>

function createCall(origin: string): Call {
  return async (operation, body) => {
    const url = `${origin}/api/rebuild/test/${operation}`
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${operation}: ${await response.text()}`)
    return response.json()
  }
}

function createRemoteStore(send: Call): ObjectStore {
  const call = <Result>(operation: string, body: TestCall): Promise<Result> =>
    send(operation, body) as Promise<Result>
  return {
    head: (key) => call('head', { key }),
    get: async (key, count) => {
      const read = (more: object): Promise<(Omit<StoredObject, 'bytes'> & { bytes: string }) | null> =>
        call('get', { key, ...more })
      const whole = await read({})
      if (whole === null) return null
      const { bytes, ...seen } = whole
      const size = Buffer.byteLength(bytes, 'base64')
      const found = count === undefined ? whole : await read({ count: count(seen, size) })
      return found === null ? null : { ...found, bytes: new Uint8Array(Buffer.from(found.bytes, 'base64')) }
    },
    put: (key, bytes, { seen, notes }) =>
      call('put', { key, seen, notes: { ...notes }, bytes: Buffer.from(bytes).toString('base64') }),
    list: (key, after) => call('list', { key, after }),
  }
}
