/** Writes sellers whose catalogues differ in what their markup may depend on. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../src/builder/state/project-folder.ts'

interface Product {
  readonly name: string
  readonly photo?: string | null
}

const SAMPLE = join(ROOT, 'src/builder/sources/sample/cataloge.ndjson')

const HOSTILE = [
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '"><img src=x onerror=alert(1)>',
  `' & &lt; &amp; \u2028 \u202e \u0000`,
  '</template></style><h1>',
  'W'.repeat(300),
]
const PHOTOS = ['https://photos.example/a.jpg?a=1&b="\'<>', 'javascript:alert(1)', '/muestra/a b,c.svg 2x']

/** The seller of the home page's sample items has the thirty products. */
const SIZES: Readonly<Record<string, number>> = { 1: 30, many: 300, none: 0, one: 1 }

/** Returns the folder, which is then a source. */
export function writeEveryKind(folder: string): string {
  const lines = readFileSync(SAMPLE, 'utf8').trim().split('\n')
  const sample: readonly Product[] = lines.map((line) => JSON.parse(line).data)
  const sized = Object.entries(SIZES).flatMap(([seller, size]) =>
    createProducts(
      seller,
      Array.from({ length: size }, (_, index) => sample[index % sample.length] ?? { name: '' }),
    ),
  )
  const bare = createProducts(
    'no-photos',
    sample.slice(0, 30).map((product) => ({ ...product, photo: null })),
  )
  const hostile = createProducts(
    'ho"s\'t<i>l&e',
    HOSTILE.map((name, index) => ({ ...sample[index], name, photo: PHOTOS[index] ?? null })),
  )
  const sellers = [...Object.keys(SIZES), 'no-photos']
  const users = [
    ...sellers.map((id) => ({ id, data: { fName: 'María', lName: 'Peña', whatsapp: '809-555-0100' } })),
    { id: 'ho"s\'t<i>l&e', data: { fName: HOSTILE[0], lName: HOSTILE[2] } },
  ]
  write(folder, 'users', users)
  write(folder, 'cataloge', [...sized, ...bare, ...hostile])
  return folder
}

function createProducts(seller: string, products: readonly Product[]): readonly object[] {
  return products.map((product, index) => ({
    id: `${seller} ${index}`,
    data: { ...product, owner: { id: seller } },
  }))
}

function write(folder: string, collection: string, documents: readonly object[]): void {
  const text = documents.map((document) => `${JSON.stringify(document)}\n`).join('')
  writeFileSync(join(folder, `${collection}.ndjson`), text)
}
