/** A site of objects on the real runtime, made from the documents of a folder, beside the output of lane "assets". */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readCodeHashes } from '../../src/builder/commands/rebuild/code-hashes.ts'
import { findFreePort, startEdge } from '../../src/builder/publish/local-edge.ts'
import { createCoordinatorClient } from '../../src/builder/publish/coordinator-client.ts'
import { createObjectClient } from '../../src/builder/publish/objects/object-client.ts'
import { prepareObjectsWorker } from '../../src/builder/publish/prepare-objects-worker.ts'
import { findRenderer } from '../../src/builder/renderer/compile.ts'
import { readInputManifest } from '../../src/builder/renderer/fingerprint.ts'
import { hashManifest } from '../../src/builder/state/manifest.ts'
import { STORE } from '../../src/builder/state/project-folder.ts'
import type { ObjectStore, StoredObject } from '../../src/edge/pages/object-store.ts'
import type { ReadSite } from './read-objects.ts'
import { readSite } from './read-objects.ts'
import { ROOT, runRebuild } from './rebuild.ts'
import type { TestCall } from './objects-entry.ts'

export interface ObjectsSite extends ReadSite {
  readonly origin: string
  /** The output of lane "assets". */
  readonly output: string
  /** The real store. */
  readonly store: ObjectStore
  close(): Promise<void>
}

const SECRET = `whsec_${Buffer.from('a secret of this test alone').toString('base64')}`

const SITE = { name: 'Vitrina', url: 'http://localhost:8787', accessUrl: null, productPages: true }

/** `write` writes the documents into a folder. */
export async function startObjectsSite(write: (folder: string) => void): Promise<ObjectsSite> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-objects-'))
  const [source, output, state, files] = ['source', 'dist', 'state', 'static'].map((name) =>
    join(folder, name),
  )
  if (source === undefined || output === undefined || state === undefined || files === undefined)
    throw new Error('unreachable')
  write(source)
  const { report, stderr } = await runRebuild({ source, output, state, env: { PRODUCT_PAGES: 'on' } })
  if (report.exit !== 0) throw new Error(`the site could not be built: ${stderr}`)
  copyStaticFiles(output, files)
  const kept = findRenderer(STORE, hashManifest(readInputManifest(ROOT)))
  if (kept === null) throw new Error('the site was built from other code')
  const { configuration } = prepareObjectsWorker({
    root: ROOT,
    folder: join(folder, 'worker'),
    output: files,
    kept,
    site: SITE,
    code: await readCodeHashes(),
    maxAge: 5,
    entry: join(ROOT, 'tests/support/objects-entry.ts'),
  })
  const port = await findFreePort()
  const edge = await startEdge({
    port,
    serve: { configuration },
    variables: { EDGE_MAX_AGE: '1', REBUILD_SECRET: SECRET },
    state: join(folder, 'runtime'),
  })
  const site = readSite(state)
  await fill(site, edge.origin)
  // The runtime was asked for the home page before there was one, and that answer is kept for a while.
  while ((await fetch(edge.origin)).status !== 200) await wait(100)
  return {
    ...site,
    origin: edge.origin,
    output,
    store: createRemoteStore(createCall(edge.origin)),
    close: async () => {
      await edge.close()
      rmSync(folder, { recursive: true })
    },
  }
}

async function fill({ objects }: ReadSite, origin: string): Promise<void> {
  const client = createObjectClient(createCoordinatorClient({ url: origin, secrets: [SECRET] }))
  const { worker, objects: tags } = await client.readTags({ names: [...objects.keys()] })
  const pushed = tags.map(({ name, tag }) => ({ name, tag, data: objects.get(name) ?? null }))
  const { format, intake } = worker
  const { results } = await client.push({ format, intake, objects: pushed, isShrinkAllowed: false })
  const unstored = results.filter(({ outcome }) => outcome !== 'stored')
  if (unstored.length > 0) throw new Error(`not stored: ${JSON.stringify(unstored)}`)
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
    get: async (key) => {
      const found = await call<(Omit<StoredObject, 'bytes'> & { bytes: string }) | null>('get', { key })
      return found === null ? null : { ...found, bytes: new Uint8Array(Buffer.from(found.bytes, 'base64')) }
    },
    put: (key, bytes, { seen, notes }) =>
      call('put', { key, seen, notes: { ...notes }, bytes: Buffer.from(bytes).toString('base64') }),
    list: (key, after) => call('list', { key, after }),
  }
}
