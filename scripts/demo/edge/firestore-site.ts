/**
 * Runs everything between a written document and the visitor on this machine, without a builder: Firestore, the
 * trigger's code, and the Worker with its bucket, queue and coordinator.
 */
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import { startEmulator } from '../../emulator/firestore-emulator.ts'
import { createSiteSettings, startObjectsWorker } from '../../local/objects-worker.ts'
import type { LocalPlace } from '../../local/open-place.ts'
import { openPlace } from '../../local/open-place.ts'
import { createEvents, watchCalls } from '../../local/watch-calls.ts'
import type { EditedSite, StationRow } from '../follow-edit.ts'
import { waitForPage } from '../follow-edit.ts'
import type { OpenSite } from '../measure-site.ts'
import { notify, sendNotices } from '../send-notices.ts'
import { openShop, DEMO_PRODUCT, SAMPLE, DEMO_SELLER } from '../../emulator/shop.ts'

const STATIONS: readonly StationRow[] = [
  ['written', 'edit', 'Firestore has the new price'],
  ['noticed', 'noticed', "the coordinator has stored the trigger's notice"],
  ['asked', 'documents:runQuery', 'the quiet period is over, and the Worker begins to read the seller'],
  ['read', 'documents:batchGet answered', "the Worker has the seller's documents"],
  ['served', 'page', 'the page is rendered and stored, and a visitor is served the new price'],
]

/** Quiet period after a change before the seller is read and rendered, in milliseconds. */
export const QUIET = 200

export const openFirestoreSite: OpenSite = (progress) => openPlace('edge', (place) => open(place, progress))

async function open({ folder, later }: LocalPlace, progress: (text: string) => void): Promise<EditedSite> {
  progress('Starting Firestore')
  const emulator = await startEmulator()
  later(() => emulator.stop())
  const shop = await openShop(emulator.host, SAMPLE)
  later(() => shop.close())
  const events = createEvents()
  const calls = await watchCalls(`http://${emulator.host}`, events)
  later(() => calls.close())
  progress('Compiling, and starting the Worker')
  const settings = await createSiteSettings({ PHOTOS: 'off' })
  const variables = {
    REBUILD_QUIET_MS: String(QUIET),
    SELLER_QUIET_MS: '0',
    DISPATCH: 'queue',
    FIREBASE_PROJECT_ID: shop.project,
    FIRESTORE_EMULATOR_HOST: calls.host,
  }
  const edge = await startObjectsWorker({ folder, settings, variables })
  later(() => edge.close())
  const receiver = { site: edge.origin, secret: settings['REBUILD_SECRET'] ?? '' }
  const address = `${edge.origin}${formatCataloguePath(DEMO_SELLER)}`
  progress('Rendering the first page')
  await notify(receiver, [DEMO_SELLER])
  await waitForPage(address, DEMO_PRODUCT)
  await sendNotices(receiver, { shop, events })
  const setPrice = (price: number): Promise<void> => shop.setPrice(DEMO_PRODUCT, price)
  const failed = edge.ended.then((): never => {
    throw new Error('the local runtime ended too early')
  })
  failed.catch(() => {})
  return { stations: STATIONS, address, events, reports: false, setPrice, failed }
}
