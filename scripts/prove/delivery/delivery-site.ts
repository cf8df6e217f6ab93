/** A site of objects on this machine: an embedded database, the real rebuild command, and its Worker on the runtime. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { hashInputs } from '../../../src/builder/commands/rebuild/open-renderers.ts'
import { findRenderer } from '../../../src/builder/renderer/compile.ts'
import { ROOT, STORE } from '../../../src/builder/state/project-folder.ts'
import { createSiteSettings, startObjectsWorker } from '../../local/objects-worker.ts'
import { openPlace } from '../../local/open-place.ts'
import type { BuilderEnd, BuilderRun } from '../../local/run-builder.ts'
import { requireBuilt, runBuilder } from '../../local/run-builder.ts'
import type { StoreCounts } from './delivery-worker.ts'
import type { EditedShop } from './shop.ts'
import { openEditedShop } from './shop.ts'

export interface DeliverySite {
  readonly origin: string
  readonly shop: EditedShop
  /** The folder of the builder's state. */
  readonly state: string
  /** Delivers what waits. */
  deliver(killing?: Killing): Promise<BuilderEnd>
  /** The folder of a clean build of the same data, as files. */
  build(): Promise<string>
  /** Returns the operations of the store since the last call. */
  setStore(isDown: boolean): Promise<StoreCounts>
  close(): Promise<void>
}

/** Resolves when to kill the command; `signal` aborts at its end. */
export type Killing = (signal: AbortSignal) => Promise<void>

/** In seconds. */
const MAX_AGE = 1
/** Requests of a proof at a time. */
export const LANES = 16

export function openDeliverySite(sellers: number, progress: (text: string) => void): Promise<DeliverySite> {
  return openPlace('delivery', async ({ folder, later }) => {
    const database = join(folder, 'shop.sqlite')
    const shop = await openEditedShop(database, sellers)
    later(() => shop.close())
    const [place, clean] = [join(folder, 'site'), join(folder, 'clean')]
    const settings = await createSiteSettings({
      PHOTOS: 'off',
      PRODUCT_PAGES: 'off',
      EDGE_MAX_AGE: String(MAX_AGE),
      CATALOGUE_SOURCE: database,
    })
    progress('Compiling')
    await requireBuilt({ folder: place, settings, options: [] })
    progress('Starting the Worker')
    const kept = findRenderer(STORE, hashInputs())
    if (kept === null) throw new Error('the code changed while it was compiled')
    const entry = join(ROOT, 'scripts/prove/delivery/delivery-worker.ts')
    const output = join(place, 'dist')
    const edge = await startObjectsWorker({ folder, output, kept, settings, entry })
    later(() => edge.close())
    const { origin } = edge
    return {
      origin,
      shop,
      state: join(place, 'state'),
      deliver: (killing) => run({ folder: place, settings, options: ['--deploy'] }, killing),
      build: async () => {
        rmSync(clean, { recursive: true, force: true })
        await requireBuilt({ folder: clean, settings: { ...settings, HOSTING: 'assets' }, options: [] })
        return join(clean, 'dist')
      },
      setStore: async (isDown) => {
        const call = { method: 'POST', body: JSON.stringify({ isDown }) }
        return (await fetch(`${origin}/api/rebuild/proof`, call)).json() as Promise<StoreCounts>
      },
    }
  })
}

async function run(builder: BuilderRun, killing?: Killing): Promise<BuilderEnd> {
  const running = runBuilder(builder)
  const end = new AbortController()
  const killed = killing?.(end.signal).then(() => running.stop('SIGKILL'))
  const ended = await running.ended
  end.abort()
  await killed
  return ended
}
