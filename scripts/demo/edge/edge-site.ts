/**
 * Runs everything between a SQL statement and the visitor on this machine: the embedded database, the real command
 * `rebuild --watch --deploy`, and the Worker with its bucket, queue and coordinator.
 */
import { EventEmitter, once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import { hashInputs } from '../../../src/builder/commands/rebuild/open-renderers.ts'
import { findFreePort } from '../../../src/builder/commands/local/local-edge.ts'
import { findRenderer } from '../../../src/builder/renderer/compile.ts'
import { importFolder } from '../../../src/builder/sources/embedded/interchange.ts'
import { STORE } from '../../../src/builder/state/project-folder.ts'
import type { Place, Settings } from './edge-place.ts'
import { openPlace, PRODUCT, SAMPLE, SELLER, startWorker } from './edge-place.ts'
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

const EDIT = `
UPDATE documents SET data = json_set(data, '$.price', ?) WHERE collection = 'cataloge' AND id = '${PRODUCT}'`

export function openEdgeSite(progress: (text: string) => void): Promise<EdgeSite> {
  return openPlace(progress, open)
}

async function open(place: Place): Promise<Omit<EdgeSite, 'close'>> {
  const { folder, later, progress } = place
  const database = join(folder, 'shop.sqlite')
  await importFolder(SAMPLE, database)
  const settings = await createSettings(database)
  progress('Compiling')
  await runBuilder({ folder, settings, options: [] }).ended
  progress('Starting the Worker')
  const kept = findRenderer(STORE, hashInputs())
  if (kept === null) throw new Error('the code changed while it was compiled')
  const edge = await startWorker(place, { kept, settings })
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

async function createSettings(database: string): Promise<Settings> {
  return {
    HOSTING: 'objects',
    CATALOGUE_SOURCE: database,
    SITE_URL: `http://localhost:${await findFreePort()}`,
    REBUILD_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  }
}
