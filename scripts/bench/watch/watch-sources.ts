/** Creates the sources that the watch bench edits, filled with generated sellers. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { formatPrice } from '../../../src/domain/documents/price.ts'
import { importFolder } from '../../../src/builder/sources/embedded/interchange.ts'
import type { Emulator } from '../../emulator/firestore-emulator.ts'
import { openShop } from '../../emulator/shop.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { makeSeller } from '../made-sellers.ts'
import type { PriceEdit } from '../edit-seller.ts'
import { editSeller, pickSeller } from '../edit-seller.ts'
import { ensureData } from '../write-data.ts'

export interface WatchedSource {
  readonly name: string
  /** Settings of the rebuild that watches this source. */
  readonly settings: Readonly<Record<string, string>>
  /** Resolves when the edit is stored. */
  edit(turn: number): Promise<PriceEdit>
  close(): Promise<void>
}

const FROM = 100_000

export async function createDatabase(folder: string, sellers: number): Promise<WatchedSource> {
  const file = join(folder, 'source.sqlite')
  await importFolder(await ensureData(folder, { sellers, largest: null }, () => {}), file, {})
  return {
    name: 'the embedded database',
    settings: { CATALOGUE_SOURCE: file },
    edit: async (turn) => editSeller(file, pickSeller(sellers, turn), turn),
    close: async () => {},
  }
}

// Max sellers in the emulator. The emulator scans every document after each change, so with more sellers the bench
// would measure the emulator.
const MOST_EMULATED = 10

export async function createFirestore(folder: string, wanted: number): Promise<WatchedSource> {
  const sellers = Math.min(wanted, MOST_EMULATED)
  const emulator = await forkEmulator()
  const shop = await openShop(emulator.host, await ensureData(folder, { sellers, largest: null }, () => {}))
  return {
    name: 'Firestore',
    settings: {
      CATALOGUE_SOURCE: 'firestore',
      FIREBASE_PROJECT_ID: shop.project,
      FIRESTORE_EMULATOR_HOST: emulator.host,
    },
    edit: async (turn) => {
      const { id: seller, products } = makeSeller(turn % sellers)
      const price = FROM + turn
      await shop.setPrice(products[0]?.id ?? '', price)
      return { seller, shown: formatPrice(price) }
    },
    close: async () => {
      await shop.close()
      await emulator.stop()
    },
  }
}

// Runs the emulator in a separate process, because this process polls the page's file, which would delay the emulator.
async function forkEmulator(): Promise<Emulator> {
  const child = fork(join(ROOT, 'scripts/bench/watch/run-emulator.ts'))
  const [host] = await once(child, 'message')
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
  return { host: String(host), stop }
}
