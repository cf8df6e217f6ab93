/**
 * Runs everything between a SQL statement and the visitor on this machine: the embedded database, the real command
 * `rebuild --watch --deploy`, and the Worker with its bucket, queue and coordinator.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import { importFolder } from '../../../src/builder/sources/embedded/interchange.ts'
import { openBuiltObjects } from '../../local/built-objects.ts'
import type { LocalPlace } from '../../local/open-place.ts'
import { openPlace } from '../../local/open-place.ts'
import { runBuilder } from '../../local/run-builder.ts'
import type { EditedSite, StationRow } from '../follow-edit.ts'
import { PATIENCE } from '../follow-edit.ts'
import type { OpenSite } from '../measure-site.ts'
import { DEMO_PRODUCT, SAMPLE, DEMO_SELLER } from '../../emulator/shop.ts'

const STATIONS: readonly StationRow[] = [
  ['edited', 'edit', 'the statement has ended: the database has the new price'],
  ['noticed', 'tags', 'the builder has read the change, and requests the tag of the object'],
  ['pushed', 'push', 'the builder has the tag, has read the seller again, and pushes the data'],
  ['stored', 'push answered', 'the Worker has rendered the page and stored the object'],
  ['served', 'page', 'a visitor is served the new price'],
]
const EDIT = `
UPDATE documents SET data = json_set(data, '$.price', ?) WHERE collection = 'cataloge' AND id = '${DEMO_PRODUCT}'`

export const openSqlSite: OpenSite = (progress) => openPlace('edge', (place) => open(place, progress))

async function open(place: LocalPlace, progress: (text: string) => void): Promise<EditedSite> {
  const { folder, later } = place
  const database = join(folder, 'shop.sqlite')
  await importFolder(SAMPLE, database)
  const { edge, events, builder } = await openBuiltObjects(place, { CATALOGUE_SOURCE: database }, progress)
  progress('Filling the store')
  const filled = once(events, 'reported', { signal: AbortSignal.timeout(4 * PATIENCE) })
  const watching = runBuilder({
    ...builder,
    options: ['--watch', '--deploy'],
    onReport: ({ exit, delivery }) => {
      if (exit === 0 && delivery !== undefined) events.emit('reported')
    },
  })
  later(() => watching.stop())
  const failed = Promise.race([watching.ended, edge.ended]).then((): never => {
    throw new Error(`the builder or the local runtime ended too early: ${watching.readWords()}`)
  })
  failed.catch(() => {})
  await Promise.race([filled, failed])
  const connection = new DatabaseSync(database, { timeout: PATIENCE })
  later(() => connection.close())
  const statement = connection.prepare(EDIT)
  const address = `${edge.origin}${formatCataloguePath(DEMO_SELLER)}`
  const setPrice = (price: number): unknown => statement.run(price)
  return { stations: STATIONS, address, events, reports: true, setPrice, failed }
}
