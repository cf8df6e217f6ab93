/**
 * `trace-page-code.ts <state> <server>`: prints the files of `src` whose code runs while the data of every page is read
 * from the state and rendered. Node counts the calls of each function.
 */
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPictures } from '../../../src/builder/pictures/open-pictures.ts'
import { createFixedSources, createSitemapSources } from '../../../src/builder/rebuild/plan/page-sources.ts'
import { createSellerReader, listSellerPages } from '../../../src/builder/rebuild/plan/seller-pages.ts'
import { loadRenderer } from '../../../src/builder/renderer/load-renderer.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { openSnapshot } from '../../../src/builder/state/snapshot/open-snapshot.ts'
import { createSite } from '../site.ts'

const [state = '', server = ''] = process.argv.slice(2)
const site = createSite()
const hosts = { names: ['photos.example'], origins: [] }

const snapshot = openSnapshot(join(state, 'snapshot.sqlite'))
const setup = { hosts, store: join(state, 'pictures.sqlite'), brand: site.name, makesPreviews: true }
const surroundings = { readPublicFile: () => null, now: Date.now, warn: console.error }
const stores = (['files', 'service', 'off'] as const).map((mode) =>
  openPictures({ ...setup, mode }, surroundings),
)
const renderer = await loadRenderer(server, site)

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
for (const pictures of stores) {
  const data = { snapshot, pictures, publicFiles: new Set<string>(), site }
  const reader = createSellerReader(data)
  const sources = [
    ...[...snapshot.readSellers()].flatMap((seller) =>
      listSellerPages({ ...data, reader }, { seller, recorded: [] }),
    ),
    ...createFixedSources(data),
    ...createSitemapSources(snapshot, snapshot.readBuckets(), site),
  ]
  for (const source of sources) {
    const page = source.reader.exists(source) ? source.reader.read(source) : null
    if (page?.kind === 'screen') await renderer.render(page.page)
  }
}
const { result } = await session.post('Profiler.takePreciseCoverage')
const called = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
const files = called
  .filter(({ url }) => url.startsWith('file:'))
  .map(({ url }) => fileURLToPath(url).slice(ROOT.length))
  .filter((file) => file.startsWith('src/'))
console.log(JSON.stringify([...new Set(files)].sort()))
