/** One hostile seller among others: their changes go live, and she is reported by name. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createRandom } from '../../../scripts/measure/random.ts'
import { verifySite } from '../../../src/builder/publish/verify-site.ts'
import { createOutput } from '../../../src/builder/state/output.ts'
import { openState } from '../../../src/builder/state/site-state.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import type { SiteMarker } from '../../../src/domain/wire/site-marker.ts'
import { product, user, writeFolder } from '../../support/rebuild/documents.ts'
import { rebuildHere } from '../../support/rebuild/run-here.ts'
import { createSite } from '../../support/site.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

const createHonest = (count: number, price: number): readonly SourceDocument[] =>
  Array.from({ length: count }, (_, index) => [
    user(`s${index}`),
    product(`p-s${index}`, `s${index}`, { price }),
  ]).flat()

interface Attack {
  readonly documents: readonly SourceDocument[]
  /** Her documents afterwards, if they change. */
  readonly after?: readonly SourceDocument[]
  readonly env?: Readonly<Record<string, string>>
  /** Exit code of the rebuilds. */
  readonly exit?: number
}

const MANY = Array.from({ length: 300 }, (_, index) => product(`b${index}`, 'bad'))

const RANDOM = createRandom(1)

const ATTACKS: Readonly<Record<string, Attack>> = {
  'addresses of photos that grow when they are parsed': {
    documents: Array.from({ length: 1_500 }, (_, index) =>
      product(`b${index}`, 'bad', { photo: `https://a.example/${'香'.repeat(1_950)}` }),
    ),
    // Only the page with all of them is large.
    env: { PRODUCT_PAGES: 'off' },
  },
  'a catalogue that is larger than the edge takes': {
    // Each ampersand takes five bytes of the page, three times.
    documents: Array.from({ length: 910 }, (_, index) =>
      // An id that is too long for a file has no page: only few need one, which refers to the catalogue that is missing.
      product(`b${index}${index < 5 ? '' : 'x'.repeat(300)}`, 'bad', {
        photo: `https://firebasestorage.googleapis.com/?${'&'.repeat(1_945)}`,
      }),
    ),
    env: { PHOTOS: 'service' },
    exit: 6,
  },
  'an address of a photo that ends with a comma': {
    documents: [product('b1', 'bad', { photo: 'https://firebasestorage.googleapis.com/v0/,a,' })],
    env: { PHOTOS: 'service' },
  },
  'names of random words': {
    documents: Array.from({ length: 50 }, (_, index) =>
      product(`b${index}`, 'bad', { name: Array.from({ length: 30 }, () => RANDOM.id(12)).join(' ') }),
    ),
    env: { PRODUCT_PAGES: 'off' },
  },
  'many products that are deleted': {
    documents: MANY,
    after: MANY.slice(0, 3),
    env: { PRODUCT_PAGES: 'off' },
  },
}

const ENVIRONMENT = { SITE_URL: 'https://vitrina.example', PRODUCT_PAGES: 'on' }

it.each(Object.entries(ATTACKS))('with %s stops no other seller', async (_, attack) => {
  const { documents, after = documents, env, exit = 0 } = attack
  const settings = { ...ENVIRONMENT, ...env }
  const place = { source: path('source'), output: path('dist'), state: path('state'), env: settings }
  writeFolder(path('source'), [...documents, ...createHonest(8, 1_300)])
  expect((await rebuildHere(place)).code).toBe(exit)
  writeFolder(path('source'), [...after, ...createHonest(8, 1_400)])
  const { code, report } = await rebuildHere(place, '--verify')
  expect([code, report.error]).toEqual([exit, null])
  expect(readFileSync(path('dist/catalogo/s7.html'), 'utf8')).toContain('RD$1,400')
  expect(verify().sellers).toBe(9)
})

/** Returns the marker of the site if it may be published. */
function verify(): SiteMarker {
  const state = openState(path('state/state.sqlite'))
  const folder = path('dist')
  const site = createSite({ url: ENVIRONMENT.SITE_URL })
  try {
    const output = createOutput(folder)
    return verifySite({ site, state, output, folder, isLimited: true, isWhole: true, warn: () => {} })
  } finally {
    state.close()
  }
}
