/** Every page that the site has: its file, and how its data is read. */
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import { HOME_STORES } from '../../domain/pages/home.ts'
import type { Page } from '../../domain/pages/page.ts'
import { createUnknownCataloguePage } from '../../domain/pages/page.ts'
import { formatCatalogueFile } from '../../domain/pages/paths.ts'
import { formatBucketFile, HOME_SITEMAP, SITEMAP_INDEX } from '../../domain/pages/sitemap.ts'
import { PHOTO_FOLDER } from '../../domain/photos/picture.ts'
import type { PictureFinder } from '../pictures/pictures.ts'
import type { Snapshot } from '../state/snapshot/snapshot.ts'
import { hashBytes } from '../state/manifest.ts'
import { dropLostPhotos } from '../../domain/photos/lost-photos.ts'

export interface PageSource {
  readonly path: string
  /** Of a catalogue page only. */
  readonly seller: string | null
  /** `null` when the page is not to be. */
  readonly read: () => Page | null
  readonly exists: () => boolean
}

/** Where the data of catalogue pages comes from. */
export interface CatalogueData {
  readonly snapshot: Snapshot
  readonly pictures: PictureFinder
  /** A photo of the site's own that these lack is shown as none. */
  readonly publicFiles: ReadonlySet<string>
}

export function createCatalogueSource(data: CatalogueData, seller: string): PageSource {
  return {
    path: formatCatalogueFile(seller),
    seller,
    read: () => {
      const catalogue = readCatalogue(data, seller)
      return catalogue === null
        ? null
        : { kind: 'catalogue', catalogue, pictures: data.pictures.find(catalogue) }
    },
    exists: () => data.snapshot.hasSeller(seller),
  }
}

/** As its page shows it; `null` when the seller does not exist. */
export function readCatalogue(
  { snapshot, publicFiles }: Omit<CatalogueData, 'pictures'>,
  seller: string,
): Catalogue | null {
  const catalogue = snapshot.readCatalogue(seller)
  return catalogue === null ? null : dropLostPhotos(catalogue, publicFiles)
}

/** The picture files that a page shows, each once. */
export function listPictureFiles(page: Page): readonly string[] {
  if (page.kind !== 'catalogue') return []
  const { photos, social } = page.pictures
  const paths = Object.values(photos).flatMap(({ sources }) => sources.map(({ path }) => path))
  // Others are made by the edge.
  const files = paths.filter((path) => path.startsWith(PHOTO_FOLDER))
  return [...new Set(social === null ? files : [...files, social])]
}

/** The pages that belong to no seller. They are few: each run looks at all of them. */
export function createFixedSources(snapshot: Snapshot): readonly PageSource[] {
  const stores = HOME_STORES.filter((store) => snapshot.hasSeller(store))
  return [
    createFixed('index.html', { kind: 'home', stores }),
    createFixed('404.html', { kind: 'not-found' }),
    createFixed('catalogo/404.html', createUnknownCataloguePage()),
    createFixed(HOME_SITEMAP, { kind: 'sitemap', part: 'home' }),
    createFixed(SITEMAP_INDEX, { kind: 'sitemap', part: 'index', buckets: snapshot.readBuckets() }),
  ]
}

/** The file of the sitemap that lists the sellers of one bucket; none where there are none. */
export function createBucketSource(snapshot: Snapshot, bucket: number): PageSource {
  const read = (): Page | null => {
    const sellers = snapshot.readBucket(bucket)
    return sellers.length === 0 ? null : { kind: 'sitemap', part: 'bucket', sellers }
  }
  return { path: formatBucketFile(bucket), seller: null, read, exists: () => read() !== null }
}

// The snapshot's values are canonical, and the rest is built in one order: the same data is the same text.
export function hashPage(page: Page): string {
  return hashBytes(JSON.stringify(page))
}

function createFixed(path: string, page: Page): PageSource {
  return { path, seller: null, read: () => page, exists: () => true }
}
