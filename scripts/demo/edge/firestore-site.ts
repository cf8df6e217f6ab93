/**
 * Runs everything between a written document and the visitor on this machine, without a builder: Firestore, the trigger's
 * code, and the Worker with its bucket, queue and coordinator.
 */
import { EventEmitter } from 'node:events'
import { randomBytes } from 'node:crypto'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import { hashInputs } from '../../../src/builder/commands/rebuild/open-renderers.ts'
import { findFreePort } from '../../../src/builder/commands/local/local-edge.ts'
import { compileRenderer } from '../../../src/builder/renderer/compile.ts'
import { ROOT, STORE } from '../../../src/builder/state/project-folder.ts'
import { startEmulator } from '../../emulator/firestore-emulator.ts'
import type { EditedSite } from '../measure-edits.ts'
import { notify, sendNotices } from '../send-notices.ts'
import { openShop } from '../shop.ts'
import type { Place } from './edge-place.ts'
import { openPlace, PRODUCT, SAMPLE, SELLER, startWorker } from './edge-place.ts'
import type { DocumentStations } from './follow-document.ts'
import { followDocument } from './follow-document.ts'
import { waitForPage } from './follow-sql-edit.ts'
import { watchCalls } from './watch-calls.ts'

export interface FirestoreSite extends EditedSite<DocumentStations> {
  close(): Promise<void>
}

/** In milliseconds. */
export const QUIET = 200

export function openFirestoreSite(progress: (text: string) => void): Promise<FirestoreSite> {
  return openPlace(progress, open)
}

async function open(place: Place): Promise<EditedSite<DocumentStations>> {
  const { folder, later, progress } = place
  progress('Starting Firestore')
  const emulator = await startEmulator()
  later(() => emulator.stop())
  const shop = await openShop(emulator.host, SAMPLE)
  later(() => shop.close())
  const events = new EventEmitter()
  // `once` rejects on errors; without this listener, an error that nobody awaits would end the process.
  events.on('error', () => {})
  const calls = await watchCalls(`http://${emulator.host}`, events)
  later(() => calls.close())
  progress('Compiling')
  const kept = await compileRenderer({ root: ROOT, store: STORE, code: hashInputs() }, hashInputs)
  cpSync(kept.client, join(folder, 'dist'), { recursive: true })
  progress('Starting the Worker')
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const edge = await startWorker(place, {
    kept,
    settings: {
      HOSTING: 'objects',
      PHOTOS: 'off',
      SITE_URL: `http://localhost:${await findFreePort()}`,
      REBUILD_SECRET: secret,
    },
    variables: {
      REBUILD_QUIET_MS: String(QUIET),
      SELLER_QUIET_MS: '0',
      DISPATCH: 'queue',
      FIREBASE_PROJECT_ID: shop.project,
      FIRESTORE_EMULATOR_HOST: new URL(calls.url).host,
    },
  })
  const receiver = { site: edge.origin, secret }
  const address = `${edge.origin}${formatCataloguePath(SELLER)}`
  progress('Rendering the first page')
  await notify(receiver, [SELLER])
  await waitForPage(address, PRODUCT)
  await sendNotices(receiver, { shop, events })
  const setPrice = (price: number): Promise<void> => shop.setPrice(PRODUCT, price)
  const failed = edge.ended.then(() => {
    throw new Error('the runtime ended')
  })
  failed.catch(() => {})
  return { failed, edit: (price) => followDocument(price, { address, events, setPrice }) }
}
