/**
 * Runs everything between a write and the visitor on this machine: Firestore, the trigger's code, the Worker, the
 * builder.
 */
import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatCataloguePath } from '../../src/domain/pages/paths.ts'
import { startBuilder } from '../../src/builder/commands/follow/builder-service.ts'
import type { Edge } from '../../src/builder/commands/local/local-edge.ts'
import { findFreePort, startEdge } from '../../src/builder/commands/local/local-edge.ts'
import { startEmulator } from '../emulator/firestore-emulator.ts'
import type { BuildOptions } from '../../src/builder/commands/options.ts'
import { parseCommand } from '../../src/builder/commands/program.ts'
import { command as rebuildCommand } from '../../src/builder/commands/rebuild/run-rebuild.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'
import type { Stations } from './edit.ts'
import { followEdit, PATIENCE } from './edit.ts'
import { sendNotices } from './send-notices.ts'
import { openShop } from './shop.ts'

export interface LiveSite {
  edit(price: number): Promise<Stations>
  close(): Promise<void>
}

interface Place {
  readonly folder: string
  readonly secret: string
  /** The builder's port. */
  readonly port: number
  /** Registers a cleanup; the last one registered runs first. */
  readonly later: (close: () => unknown) => void
  readonly progress: (text: string) => void
}

const QUIET = 200
const SAMPLE = join(ROOT, 'src/builder/sources/sample')
/** A product of the sample, and its seller. */
const PRODUCT = '9YxJMS9pdOzfiqQ8iOr6'
const SELLER = '1'

/** If a step fails, stops what was started before it. */
export async function openLiveSite(progress: (text: string) => void): Promise<LiveSite> {
  const closing: (() => unknown)[] = []
  const close = async (): Promise<void> => {
    for (let one = closing.pop(); one !== undefined; one = closing.pop()) await one()
  }
  try {
    const folder = mkdtempSync(join(tmpdir(), 'vitrina-live-'))
    closing.push(() => rmSync(folder, { recursive: true, force: true }))
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    const later = (one: () => unknown): void => void closing.push(one)
    const edit = await open({ folder, secret, port: await findFreePort(), later, progress })
    return { edit, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function open(place: Place): Promise<LiveSite['edit']> {
  place.progress('Starting Firestore')
  const emulator = await startEmulator()
  place.later(() => emulator.stop())
  const shop = await openShop(emulator.host, SAMPLE)
  place.later(() => shop.close())
  place.progress('Starting the Worker')
  const edge = await openEdge(place)
  const events = new EventEmitter()
  // `once` rejects on errors; without this listener, an error that nobody awaits would end the process.
  events.on('error', () => {})
  place.progress('Building everything once')
  await openBuilder(place, createOptions(place, edge, { host: emulator.host, project: shop.project }), events)
  await sendNotices({ site: edge.origin, secret: place.secret }, { shop, events })
  return (price) =>
    followEdit(price, {
      address: `${edge.origin}${formatCataloguePath(SELLER)}`,
      events,
      setPrice: (next) => shop.setPrice(PRODUCT, next),
    })
}

async function openEdge({ folder, secret, port, later }: Place): Promise<Edge> {
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
  { folder, secret }: Place,
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
  if (options === null) throw new Error('the builder was given no options')
  return options
}

/** Settles when the first full build is reported. */
async function openBuilder(
  { port, later }: Place,
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
