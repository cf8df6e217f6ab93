/**
 * Runs everything between a SQL statement and the visitor on this machine: the embedded database, the real command
 * `rebuild --watch --deploy`, and the Worker with its bucket, queue and coordinator.
 */
import { EventEmitter, once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import { readCodeHashes } from '../../../src/builder/commands/rebuild/code-hashes.ts'
import { hashInputs } from '../../../src/builder/commands/rebuild/open-renderers.ts'
import { parseConfiguration } from '../../../src/builder/commands/configuration.ts'
import type { Edge } from '../../../src/builder/publish/local-edge.ts'
import { findFreePort, startEdge } from '../../../src/builder/publish/local-edge.ts'
import { prepareObjectsWorker } from '../../../src/builder/publish/prepare-objects-worker.ts'
import { findRenderer } from '../../../src/builder/renderer/compile.ts'
import { importFolder } from '../../../src/builder/sources/embedded/interchange.ts'
import { ROOT, STORE } from '../../../src/builder/state/project-folder.ts'
import type { EdgeStations } from './follow-sql-edit.ts'
import { followSqlEdit, PATIENCE } from './follow-sql-edit.ts'
import { runBuilder } from './run-builder.ts'
import { watchCalls } from './watch-calls.ts'

export interface EdgeSite {
  edit(price: number): Promise<EdgeStations>
  /** Rejects when the builder or the runtime ends. */
  readonly failed: Promise<never>
  close(): Promise<void>
}

interface Place {
  readonly folder: string
  /** Registers a cleanup; the last one registered runs first. */
  readonly later: (close: () => unknown) => void
  readonly progress: (text: string) => void
}

const SAMPLE = join(ROOT, 'src/builder/sources/sample')
/** A product of the sample, and its seller. */
const PRODUCT = '9YxJMS9pdOzfiqQ8iOr6'
const SELLER = '1'
const EDIT = `
UPDATE documents SET data = json_set(data, '$.price', ?) WHERE collection = 'cataloge' AND id = '${PRODUCT}'`

/** If a step fails, stops what was started before it. */
export async function openEdgeSite(progress: (text: string) => void): Promise<EdgeSite> {
  const closing: (() => unknown)[] = []
  const close = async (): Promise<void> => {
    for (let one = closing.pop(); one !== undefined; one = closing.pop()) await one()
  }
  try {
    const folder = mkdtempSync(join(tmpdir(), 'vitrina-edge-'))
    closing.push(() => rmSync(folder, { recursive: true, force: true }))
    const site = await open({ folder, later: (one) => void closing.push(one), progress })
    return { ...site, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function open(place: Place): Promise<Omit<EdgeSite, 'close'>> {
  const { folder, later, progress } = place
  const database = join(folder, 'shop.sqlite')
  await importFolder(SAMPLE, database)
  const settings = await createSettings(database)
  progress('Compiling')
  await runBuilder({ folder, settings, options: [] }).ended
  progress('Starting the Worker')
  const edge = await openEdge(place, settings)
  const events = new EventEmitter()
  // `once` rejects on errors; without this listener, an error that nobody awaits would end the process.
  events.on('error', () => {})
  const calls = await watchCalls(edge.origin, events)
  later(() => calls.close())
  progress('Filling the store')
  const filled = once(events, 'reported', { signal: AbortSignal.timeout(4 * PATIENCE) })
  const watching = runBuilder({
    folder,
    settings: { ...settings, COORDINATOR_URL: calls.url },
    options: ['--watch', '--deploy'],
    onReport: () => events.emit('reported'),
  })
  later(() => watching.stop())
  const failed = Promise.race([watching.ended, edge.ended]).then(() => {
    throw new Error(`the builder or the runtime ended: ${watching.readOutput()}`)
  })
  failed.catch(() => {})
  await Promise.race([filled, failed])
  const connection = new DatabaseSync(database, { timeout: PATIENCE })
  later(() => connection.close())
  const statement = connection.prepare(EDIT)
  const address = `${edge.origin}${formatCataloguePath(SELLER)}`
  const setPrice = (price: number): void => void statement.run(price)
  return { failed, edit: (price) => followSqlEdit(price, { address, events, setPrice }) }
}

type Settings = Readonly<Record<string, string>>

async function createSettings(database: string): Promise<Settings> {
  return {
    HOSTING: 'objects',
    CATALOGUE_SOURCE: database,
    SITE_URL: `http://localhost:${await findFreePort()}`,
    REBUILD_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  }
}

async function openEdge({ folder, later }: Place, settings: Settings): Promise<Edge> {
  const { site, hosting } = parseConfiguration(settings)
  const kept = findRenderer(STORE, hashInputs())
  if (kept === null) throw new Error('the code changed while it was compiled')
  const { configuration } = prepareObjectsWorker({
    root: ROOT,
    folder: join(folder, 'worker'),
    output: join(folder, 'dist'),
    kept,
    site,
    code: await readCodeHashes(),
    maxAge: hosting.maxAge,
  })
  const edge = await startEdge({
    port: Number(new URL(site.url).port),
    serve: { configuration },
    variables: { REBUILD_SECRET: settings['REBUILD_SECRET'] ?? '' },
    state: join(folder, 'runtime'),
  })
  later(() => edge.close())
  return edge
}
