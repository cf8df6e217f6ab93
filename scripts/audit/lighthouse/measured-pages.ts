/** The pages that Lighthouse measures, and their sellers. */
import { SEARCH_PATH } from '../../../src/domain/documents/page-table.ts'
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import type { WrittenData } from '../write-sellers.ts'
import { repeatSample, writeSellers } from '../write-sellers.ts'

export interface MeasuredPage {
  readonly name: string
  readonly path: string
}

const SIZES = [0, 30, 300]

export const PAGES: readonly MeasuredPage[] = [
  { name: 'home', path: '/' },
  ...SIZES.map((size) => ({ name: `${size} products`, path: formatCataloguePath(formatSeller(size)) })),
  { name: 'search', path: `${SEARCH_PATH}?q=eau` },
]

export const LONGEST = formatCataloguePath(formatSeller(Math.max(...SIZES)))

/**
 * Writes the sellers into `folder`. Returns `folder`, which can then be read as a source. `photos` is the origin of the
 * photos.
 */
export function writeMeasuredSellers(folder: string, photos: string): string {
  const place = (data: WrittenData): WrittenData => {
    const drawing = /^\/muestra\/([\w-]+)\.svg$/.exec(String(data['photo']))?.[1]
    return drawing === undefined ? data : { ...data, photo: `${photos}/${drawing}.jpg` }
  }
  return writeSellers(
    folder,
    SIZES.map((size) => ({ id: formatSeller(size), products: repeatSample(size).map(place) })),
  )
}

function formatSeller(size: number): string {
  return `seller${size}x`
}
