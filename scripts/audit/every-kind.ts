/** Writes sellers whose catalogues have every kind of markup: different sizes, no photos, hostile texts. */
import { repeatSample, writeSellers } from './write-sellers.ts'

const HOSTILE = [
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '"><img src=x onerror=alert(1)>',
  `' & &lt; &amp; \u2028 \u202e \u0000`,
  '</template></style><h1>',
  'W'.repeat(300),
]
const PHOTOS = ['https://photos.example/a.jpg?a=1&b="\'<>', 'javascript:alert(1)', '/muestra/a b,c.svg 2x']
/**
 * Numbers of products by seller id. Seller `1` must exist, because the sample items of the home page link to this
 * seller.
 */
const SIZES: Readonly<Record<string, number>> = { 1: 30, many: 300, none: 0, one: 1 }

/** Writes the sellers into `folder`. Returns `folder`, which can then be read as a source. */
export function writeEveryKind(folder: string): string {
  const sized = Object.entries(SIZES).map(([id, size]) => ({ id, products: repeatSample(size) }))
  const bare = { id: 'no photos', products: repeatSample(30).map((one) => ({ ...one, photo: null })) }
  const hostile = {
    id: 'ho"s\'t<i>l&e',
    profile: { fName: HOSTILE[0], lName: HOSTILE[2] },
    products: repeatSample(HOSTILE.length).map((one, index) => {
      return { ...one, name: HOSTILE[index], photo: PHOTOS[index] ?? null }
    }),
  }
  return writeSellers(folder, [...sized, bare, hostile])
}
