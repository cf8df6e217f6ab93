/** Finds files that are not part of the site, at the end of a run over everything. */
import { formatPageFile } from '../../domain/documents/page-address.ts'
import { formatCatalogueFile } from '../../domain/pages/paths.ts'
import { PHOTO_FOLDER, SOCIAL_FOLDER } from '../../domain/photos/picture.ts'
import { MARKER } from '../../domain/wire/site-marker.ts'
import type { Output } from '../state/output.ts'
import { listFilesBelow, PARTIAL } from '../state/output.ts'
import { HASHED } from './static/static-files.ts'

export interface SiteContent {
  /** Files of the site, except those in the places of sellers, which their writer has swept. */
  readonly files: ReadonlySet<string>
  /** All sellers of the site. */
  readonly sellers: Iterable<string>
  /** True if some pages are old, so that hashed files and pictures which they may show are kept. */
  readonly hasOldPages: boolean
}

const CATALOGUES = formatPageFile({ kind: 'catalogue', seller: '', product: null }).split('/')[0] ?? ''

export function findStrays(output: Output, { files, sellers, hasOldPages }: SiteContent): readonly string[] {
  const places = new Set([...sellers].map((seller) => removeExtension(formatCatalogueFile(seller))))
  const isOfPages = (path: string): boolean => OF_PAGES.some((folder) => path.startsWith(folder))
  const isPart = (path: string): boolean =>
    path === MARKER || files.has(path) || (hasOldPages && isOfPages(path))
  const catalogues = output
    .list(CATALOGUES)
    .filter(({ path, isFolder }) => !places.has(isFolder ? path : removeExtension(path)))
    .map(({ path }) => path)
  const others = output
    .list('')
    .filter(({ path }) => path !== PARTIAL && path !== CATALOGUES)
    .flatMap(({ path, isFolder }) => (isFolder ? listFilesBelow(output, path) : [path]))
  const strays = [...catalogues, ...others].filter((path) => !isPart(path))
  // Pages go before the hashed files and pictures that they show.
  return [...strays.filter((path) => !isOfPages(path)), ...strays.filter(isOfPages)]
}

const OF_PAGES = [HASHED, PHOTO_FOLDER, SOCIAL_FOLDER]

function removeExtension(path: string): string {
  return path.replace(/\.html$/, '')
}
