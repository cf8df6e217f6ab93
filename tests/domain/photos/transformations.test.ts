/** The addresses of the edge's image transformation, as browsers read them from a `srcset`. */
import { expect, it, test } from 'vitest'
import { findReferences } from '../../../scripts/audit/pages/find-references.ts'
import {
  formatLargeTransformations,
  formatTransformations,
} from '../../../src/domain/photos/transformations.ts'
import { formatSources, findLarge } from '../../../src/site/markup/photo-sources.ts'

const ADDRESSES = [
  'https://a.example/v0/a.jpg',
  'https://a.example/v0/a,',
  'https://a.example/,a,,b,',
  '/muestra/a,b.jpg,',
  '/,a.jpg',
]

const PICTURES = ADDRESSES.flatMap((address) => [
  { address, picture: formatTransformations(address) },
  { address, picture: formatLargeTransformations(address) },
])

it.each(PICTURES)(
  'of $address are whole in a srcset, also with a comma at both ends',
  async ({ address, picture }) => {
    const srcset = formatSources(picture)
    // A browser ends an address at white space, and drops commas from its end.
    const found = srcset.split(/ \d+w(?:, |$)/).filter((one) => one !== '')
    expect(found).toEqual(picture.sources.map(({ path }) => `/${path}`))
    for (const one of found) expect(one).not.toMatch(/,$/)
    expect(found.map((one) => decodeURIComponent(one.slice(one.indexOf('onerror=redirect/') + 17)))).toEqual(
      found.map(() => address.replace(/^\//, '')),
    )
    // The paths of transformations are no files of the site.
    expect(await findReferences('a.html', `<source srcset="${srcset}">`)).toEqual([])
  },
)

const ADDRESS = 'https://photos.example/a.jpg'

test('the large photo is a file of the site, and never what another host may change', () => {
  const whole = { path: 'fotos/a.jpg', width: 1080, height: 1440 }
  expect(findLarge({ photo: ADDRESS }, whole)).toBe('/fotos/a.jpg')
  expect(findLarge({ photo: '/muestra/a.svg' }, null)).toBe('/muestra/a.svg')
  for (const photo of [ADDRESS, null]) expect(findLarge({ photo }, null)).toBeNull()
})
