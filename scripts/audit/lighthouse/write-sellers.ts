/** Writes sellers of each measured size, whose products are those of the bundled sample, repeated. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SEARCH_PATH } from '../../../src/domain/documents/page-table.ts'
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'

export interface MeasuredPage {
  readonly name: string
  readonly path: string
}

const SAMPLE = join(ROOT, 'src/builder/sources/sample')
const SIZES = [0, 30, 300]

export const PAGES: readonly MeasuredPage[] = [
  { name: 'home', path: '/' },
  ...SIZES.map((size) => ({ name: `${size} products`, path: formatCataloguePath(formatSeller(size)) })),
  { name: 'search', path: `${SEARCH_PATH}?q=eau` },
]

/** The path of the largest catalogue. */
export const LONGEST = formatCataloguePath(formatSeller(Math.max(...SIZES)))

/**
 * Returns the folder, which is then a source. `photos` is the origin that serves the photos of the sample's drawings.
 */
export function writeSellers(folder: string, photos: string): string {
  const sample = readFileSync(join(SAMPLE, 'cataloge.ndjson'), 'utf8').trim().split('\n')
  const documents: readonly Document[] = sample.map((line) => JSON.parse(line))
  const products = SIZES.flatMap((size) =>
    Array.from({ length: size }, (_, index) => ({
      id: `${formatSeller(size)}x${index}`,
      data: {
        ...placePhoto(documents[index % documents.length]?.data, photos),
        owner: { id: formatSeller(size) },
      },
    })),
  )
  const data = { fName: 'María', lName: 'Peña', whatsapp: '809-555-0100' }
  const users = SIZES.map((size) => ({ id: formatSeller(size), data }))
  writeFileSync(join(folder, 'cataloge.ndjson'), formatLines(products))
  writeFileSync(join(folder, 'users.ndjson'), formatLines(users))
  return folder
}

interface Document {
  readonly data: { readonly photo?: unknown }
}

function placePhoto(data: Document['data'] | undefined, photos: string): object {
  const drawing = /^\/muestra\/([\w-]+)\.svg$/.exec(String(data?.photo))?.[1]
  return drawing === undefined ? { ...data } : { ...data, photo: `${photos}/${drawing}.jpg` }
}

function formatSeller(size: number): string {
  return `seller${size}`
}

function formatLines(documents: readonly object[]): string {
  return documents.map((document) => `${JSON.stringify(document)}\n`).join('')
}
