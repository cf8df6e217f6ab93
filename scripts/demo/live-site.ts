/**
 * Runs everything between a write and the visitor on this machine: Firestore, the trigger's code, the Worker, and the
 * builder.
 */
import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { formatCataloguePath } from '../../src/domain/pages/paths.ts'
import { startBuilder } from '../../src/builder/commands/follow/builder-service.ts'
import type { Edge } from '../../src/builder/commands/local/local-edge.ts'
import { findFreePort, startEdge } from '../../src/builder/commands/local/local-edge.ts'
import type { BuildOptions } from '../../src/builder/commands/options.ts'
import { parseCommand } from '../../src/builder/commands/program.ts'
import { command as rebuildCommand } from '../../src/builder/commands/rebuild/run-rebuild.ts'
import { startEmulator } from '../emulator/firestore-emulator.ts'
import type { LocalPlace } from '../local/open-place.ts'
import { openPlace } from '../local/open-place.ts'
import { createEvents } from '../local/watch-calls.ts'
import type { EditedSite, StationRow } from './follow-edit.ts'
import { PATIENCE } from './follow-edit.ts'
import type { OpenSite } from './measure-site.ts'
import { sendNotices } from './send-notices.ts'
import { openShop, DEMO_PRODUCT, SAMPLE, DEMO_SELLER } from '../emulator/shop.ts'

interface LivePlace extends LocalPlace {
  readonly secret: string
  /** The builder's port. */
  readonly port: number
}

const QUIET = 200
const STATIONS: readonly StationRow[] = [
  ['written', 'edit', 'Firestore has the new price'],
  ['noticed', 'noticed', 'the Worker has stored the notice'],
  ['dispatched', 'dispatched', 'the quiet period is over, and the builder has received the dispatch'],
  ['rendered', 'rendered', "the page's new file is in place"],
  ['served', 'page', 'a visitor is served the new price'],
  [
    'renewed',
    'page again',
    'a browser that has the old page receives the new one: the local runtime has listed its files again',
  ],
]

export const openLiveSite: OpenSite = (progress) =>
  openPlace('live', async (place) => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    return open({ ...place, secret, port: await findFreePort() }, progress)
  })

async function open(place: LivePlace, progress: (text: string) => void): Promise<EditedSite> {
  progress('Starting Firestore')
  const emulator = await startEmulator()
  place.later(() => emulator.stop())
  const shop = await openShop(emulator.host, SAMPLE)
  place.later(() => shop.close())
  progress('Starting the Worker')
  const edge = await openEdge(place)
  const events = createEvents()
  progress('Building everything once')
  await openBuilder(place, createOptions(place, edge, { host: emulator.host, project: shop.project }), events)
  await sendNotices({ site: edge.origin, secret: place.secret }, { shop, events })
  const address = `${edge.origin}${formatCataloguePath(DEMO_SELLER)}`
  const setPrice = (price: number): unknown => shop.setPrice(DEMO_PRODUCT, price)
  return { stations: STATIONS, address, events, reports: true, setPrice }
}

async function openEdge({ folder, secret, port, later }: LivePlace): Promise<Edge> {
  mkdirSync(join(folder, 'dist'))
  const edge = await startEdge({
    port: await findFreePort(),
    serve: { folder: join(folder, 'dist') },
    variables: {
      REBUILD_SECRET: secret,
      REBUILD_QUIET_MS: String(QUIET),
      SELLER_QUIET_MS: '0',
      DISPATCH_URL: `http://127.0.0.1:${port}`,
    },
    state: join(folder, 'worker'),
  })
  later(() => edge.close())
  return edge
}

function createOptions(
  { folder, secret }: LivePlace,
  { origin }: Edge,
  { host, project }: { readonly host: string; readonly project: string },
): BuildOptions {
  const folders = ['--out', join(folder, 'dist'), '--state', join(folder, 'state')]
  const options = parseCommand({ definition: rebuildCommand }, ['--pending', '--served', ...folders], {
    CATALOGUE_SOURCE: 'firestore',
    FIREBASE_PROJECT_ID: project,
    FIRESTORE_EMULATOR_HOST: host,
    SITE_URL: origin,
    REBUILD_SECRET: secret,
  })
  if (options === null) throw new Error("the builder's options could not be parsed")
  return options
}

/** Starts the builder. Resolves when it has reported its first full build. */
async function openBuilder(
  { port, later }: LivePlace,
  command: BuildOptions,
  events: EventEmitter,
): Promise<void> {
  const built = once(events, 'reported', { signal: AbortSignal.timeout(4 * PATIENCE) })
  const builder = await startBuilder({
    command,
    host: '127.0.0.1',
    port,
    tell: (event) => {
      if (event.kind === 'failed') events.emit('error', event.error)
      else events.emit(event.kind)
    },
  })
  later(() => builder.close())
  await built
}
