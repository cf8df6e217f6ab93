/**
 * Opens the site of the delivery proof: its documents change, its deliveries may be killed, and a clean build can be
 * made for comparison.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openBuiltObjects } from '../../local/built-objects.ts'
import { openPlace } from '../../local/open-place.ts'
import type { BuilderEnd } from '../../local/run-builder.ts'
import { requireBuilt, runBuilder } from '../../local/run-builder.ts'
import type { Random } from '../../measure/random.ts'
import { createScenarioDocuments } from '../faults/scenarios.ts'
import type { Documents } from '../site/documents.ts'
import { createSource, updateSource } from '../site/write-source.ts'

export interface DeliverySite {
  readonly origin: string
  /** The folder of the builder's state. */
  readonly state: string
  /** Ids of all sellers, including removed ones. */
  readonly sellers: readonly string[]
  /** Removes a few sellers and changes about half of the others. A removed seller that is changed comes back. */
  edit(random: Random): void
  editFirst(count: number): void
  /** Delivers all pending changes, unless `kill` ends the command before that. */
  deliver(kill?: Kill): Promise<DeliveryEnd>
  /** Makes a clean build of the current data in lane `assets`. Returns the output folder. */
  build(): Promise<string>
  close(): Promise<void>
}

/** Kills the command `ms` milliseconds after its start or after the beginning of its first push of objects. */
interface Kill {
  readonly after: 'start' | 'push'
  readonly ms: number
}

export interface DeliveryEnd extends BuilderEnd {
  /** Number of pushes of objects that were begun. */
  readonly pushes: number
}

/** `EDGE_MAX_AGE`, in seconds. */
export const MAX_AGE = 1
const PRODUCTS = [1, 2, 3]
const FIRST_PRICE = 1_000
/** Probability that an edit removes a seller, and that it changes a seller that it does not remove. */
const EDITED = { removed: 0.02, changed: 0.5 }

export function openDeliverySite(count: number, progress: (text: string) => void): Promise<DeliverySite> {
  return openPlace('delivery', async (place) => {
    const [database, clean] = [join(place.folder, 'shop.sqlite'), join(place.folder, 'clean')]
    const names = Array.from({ length: count }, (_, index) => `seller-${index}`)
    const prices = new Map(names.map((name) => [name, FIRST_PRICE]))
    let written = createDocuments(prices)
    await createSource(database, 'embedded', written)
    let price = FIRST_PRICE
    const edit = (change: (name: string) => void): void => {
      price += 1
      names.forEach(change)
      const before = written
      written = createDocuments(prices)
      updateSource(database, 'embedded', { before, after: written, style: 'replace', isDurable: false })
    }
    const settings = {
      PHOTOS: 'off',
      PRODUCT_PAGES: 'off',
      EDGE_MAX_AGE: String(MAX_AGE),
      CATALOGUE_SOURCE: database,
    }
    const { edge, events, builder } = await openBuiltObjects(place, settings, progress)
    return {
      origin: edge.origin,
      state: join(place.folder, 'state'),
      // `createScenarioDocuments` adds the seller `stays`, who has no products.
      sellers: [...names, 'stays'],
      edit: (random) =>
        edit((name) => {
          if (random.chance(EDITED.removed)) prices.delete(name)
          else if (random.chance(EDITED.changed)) prices.set(name, price)
        }),
      editFirst: (first) => edit((name) => names.indexOf(name) < first && prices.set(name, price)),
      deliver: async (kill) => {
        const running = runBuilder({ ...builder, options: ['--deploy'] })
        const strike = (): void => void wait(kill?.ms).then(() => running.stop('SIGKILL'))
        let pushes = 0
        const onPush = (): void => {
          pushes += 1
          if (kill?.after === 'push' && pushes === 1) strike()
        }
        events.on('push', onPush)
        if (kill?.after === 'start') strike()
        const ended = await running.ended
        events.off('push', onPush)
        return { ...ended, pushes }
      },
      build: async () => {
        rmSync(clean, { recursive: true, force: true })
        const files = { ...builder.settings, HOSTING: 'assets' }
        await requireBuilt({ folder: clean, settings: files, options: [] })
        return join(clean, 'dist')
      },
    }
  })
}

/** Creates a product for each seller and each number in `PRODUCTS`. Its price is the seller's price plus the number. */
function createDocuments(prices: ReadonlyMap<string, number>): Documents {
  return createScenarioDocuments(
    [...prices].flatMap(([name, price]) =>
      PRODUCTS.map((number): [string, string, number] => [`${name}-${number}`, name, price + number]),
    ),
  )
}
