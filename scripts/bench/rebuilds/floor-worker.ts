/** Renders one share of the catalogues, after a message from `floor-render.ts`. */
import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { loadRenderer } from '../../../src/builder/renderer/load-renderer.ts'
import { openSnapshot } from '../../../src/builder/state/snapshot/open-snapshot.ts'
import { SITE } from './site-data.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'

interface Share {
  readonly server: string
  readonly snapshot: string
  readonly index: number
  readonly count: number
}

const { server, snapshot: file, index, count } = workerData as Share
if (parentPort === null) throw new Error('floor-worker.ts must be started as a worker by floor-render.ts')
const snapshot = openSnapshot(file)
const renderer = await loadRenderer(server, SITE)
const own = [...snapshot.readSellers()].filter((_, position) => position % count === index)
const start = once(parentPort, 'message')
parentPort.postMessage('ready', [])
await start
for (const seller of own) await renderOne(seller)
parentPort.postMessage('done', [])
snapshot.close()

async function renderOne(seller: string): Promise<void> {
  const catalogue = snapshot.readCatalogue(seller)
  if (catalogue !== null) await renderer.render({ kind: 'catalogue', catalogue, pictures: NO_PICTURES })
}
