/** Reads the data of objects from the state of a rebuild without pictures. */
import { join } from 'node:path'
import type { SellerData } from '../../../src/domain/objects/object-data.ts'
import { createStorelessPictures } from '../../../src/builder/pictures/pictures.ts'
import type { PageSource } from '../../../src/builder/rebuild/plan/page-sources.ts'
import { createFixedSources } from '../../../src/builder/rebuild/plan/page-sources.ts'
import { readObjectData } from '../../../src/builder/rebuild/plan/object-data.ts'
import { createSellerReader, listSellerPages } from '../../../src/builder/rebuild/plan/seller-pages.ts'
import { readManifest } from '../../../src/builder/state/manifest.ts'
import { openSnapshot } from '../../../src/builder/state/snapshot/open-snapshot.ts'
import type { ScreenPage } from '../../../src/domain/pages/page.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { createSite } from '../site.ts'

export interface ReadSite {
  readonly objects: ReadonlyMap<string, SellerData>
  /** The data of every page that a builder makes, by the page's file. */
  readonly pages: ReadonlyMap<string, ScreenPage>
}

export function readObjectSite(state: string): ReadSite {
  const snapshot = openSnapshot(join(state, 'snapshot.sqlite'))
  const data = {
    snapshot,
    pictures: createStorelessPictures({}),
    publicFiles: new Set(Object.keys(readManifest(join(ROOT, 'public'), '.'))),
    site: createSite(),
  }
  const objects = new Map<string, SellerData>()
  const pages = new Map<string, ScreenPage>()
  const reader = createSellerReader(data)
  const note = (source: PageSource): void => {
    const page = source.reader.read(source)
    if (page?.kind === 'screen') pages.set(source.path, page.page)
  }
  createFixedSources(data).forEach(note)
  for (const name of snapshot.readSellers()) {
    const found = readObjectData(data, name)
    if (found !== null) objects.set(name, found)
    listSellerPages({ ...data, reader }, { seller: name, recorded: [], lane: 'assets' }).forEach(note)
  }
  snapshot.close()
  return { objects, pages }
}
