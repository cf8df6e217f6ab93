import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatFound,
  formatSearchHeading,
  SEARCH_BUSY_HEADING,
  SEARCH_FAILED_HEADING,
} from '../../../src/domain/messages.ts'
import { answerSearch } from '../../../src/edge/search/answer-search.ts'
import { ANY_CHARACTER } from '../../support/run/values.ts'
import type { MemorySearch } from '../../support/search/search-assets.ts'
import { createAssets, createSearchRequest, createSearchWorld } from '../../support/search/search-assets.ts'
import { createEntry, createProduct } from '../../support/search/search-oracle.ts'
import { createSearchLimit } from '../../../src/edge/search/search-limit.ts'

const ask = async (search: string, world: MemorySearch = createSearchWorld()): Promise<string> =>
  (await answerSearch(createSearchRequest(search), world)).text()

const broken = async (): Promise<never> => {
  throw new Error('eros')
}

describe('an answer', () => {
  it('is the built page with what was found, and the headers of that page', async () => {
    const assets = createAssets()
    assets.headers.set('content-security-policy', 'policy of the site')
    const response = await answerSearch(createSearchRequest('?q=Eros&x=1'), createSearchWorld(assets))
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': 'private, max-age=5',
      'content-security-policy': 'policy of the site',
      'content-type': 'text/html; charset=utf-8',
    })
    const html = await response.text()
    expect(html).toContain('<title>Buscar «Eros» | Vitrina</title>')
    expect(html).toContain('<input type="search" value="Eros" name="q">')
    expect(html).toContain(formatSearchHeading('Eros'))
    expect(html).toMatch(/<bdi>Versace Eros[^<]*<\/bdi>/)
  })

  it('is the page as it was built when nothing was asked, and finds nothing without words', async () => {
    const assets = createAssets()
    for (const search of ['', '?q=', '?q=+%00', '?p=eros'])
      expect(await ask(search, createSearchWorld(assets))).toBe(assets.files.get('/buscar'))
    const nothing = { sellers: 0, products: 0, isMore: false, isNear: true, decants: 'todos' } as const
    expect(await ask('?q=%22*%22')).toContain(formatFound(nothing))
  })

  it('has only products with the chosen decant, and no sellers', async () => {
    expect(await ask('?q=maria')).toContain('class="sellers"')
    for (const decants of ['5ml', '10ml'] as const) {
      const html = await ask(`?q=eau&decants=${decants}`)
      const offers = html.match(new RegExp(`<p>Decants: [^<]*${decants.toUpperCase()}`, 'g'))
      expect(html.match(/class="found"/g)?.length).toBeGreaterThan(10)
      expect(offers?.length).toBe(html.match(/class="found"/g)?.length)
      expect(html).toContain(`<input type="hidden" name="decants" value="${decants}">`)
      expect(await ask(`?q=maria&decants=${decants}`)).not.toContain('class="sellers"')
    }
    expect(await ask('?q=eau&decants=9ml')).toBe(await ask('?q=eau'))
  })

  it('to HEAD has no body, and other methods are refused', async () => {
    const head = await answerSearch(createSearchRequest('?q=eros', { method: 'HEAD' }), createSearchWorld())
    expect([head.status, await head.text()]).toEqual([200, ''])
    const post = await answerSearch(createSearchRequest('?q=eros', { method: 'POST' }), createSearchWorld())
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('has no text of a visitor or a document as markup', async () => {
    const text = `<b>"&' eros`
    const assets = createAssets([createEntry('a', text, [createProduct('p', text, { photo: '/"<b>.jpg' })])])
    const html = await ask(`?q=${encodeURIComponent(text)}`, createSearchWorld(assets))
    expect(html).toContain('class="found"')
    expect(html).not.toContain('<b>')
    expect(html).not.toContain(`"&'`)
  })

  it('in a site without a search is the page of unknown addresses', async () => {
    const assets = createAssets()
    assets.files.delete('/buscar')
    const response = await answerSearch(createSearchRequest('?q=eros'), createSearchWorld(assets))
    expect([response.status, await response.text()]).toEqual([404, 'No existe'])
  })
})

describe('without an answer', () => {
  it('an address that asks too often gets a page that says so', async () => {
    const addresses: string[] = []
    const world = createSearchWorld(createAssets(), {
      isAllowed: async (address) => {
        addresses.push(address)
        return false
      },
    })
    const request = createSearchRequest('?q=eros', { headers: { 'cf-connecting-ip': '203.0.113.7' } })
    const response = await answerSearch(request, world)
    expect([response.status, response.headers.get('cache-control')]).toEqual([429, 'no-store'])
    expect(response.headers.get('retry-after')).toBe('60')
    expect(await response.text()).toContain(SEARCH_BUSY_HEADING)
    expect(addresses).toEqual(['203.0.113.7'])
  })

  it('files that cannot be read, and files that never come, give a page that says so', async () => {
    const silent = createSearchWorld(createAssets(), {
      loadSearch: () => new Promise(() => {}),
      wait: async () => {},
    })
    for (const world of [createSearchWorld(createAssets(), { loadSearch: broken }), silent]) {
      const response = await answerSearch(createSearchRequest('?q=eros'), world)
      expect([response.status, response.headers.get('cache-control')]).toEqual([503, 'no-store'])
      expect(await response.text()).toContain(SEARCH_FAILED_HEADING)
      expect(world.lines).toHaveLength(1)
    }
  })
})

it('a limit of searches that fails refuses no visitor', async () => {
  const world = createSearchWorld(createAssets(), { isAllowed: broken })
  expect(await ask('?q=eros', world)).toContain('class="found"')
  expect(world.lines).toEqual(['search: the rate limit for searches failed, so this search is allowed'])
})

const ODD = fc.oneof(
  fc.string({ unit: ANY_CHARACTER, maxLength: 300 }),
  fc.stringMatching(/^[%"*():^{}\-+0-9a-fA-F]{0,60}$/),
  fc
    .array(fc.constantFrom('"', '*', '\\u0', '~', '\t', '-', ':', 'eros', 'chnel', '\0', '\u{1F600}', 'ñ'))
    .map((parts) => parts.join('')),
)

it('every query gets an answer, and nothing of it is logged', async () => {
  const world = createSearchWorld()
  await fc.assert(
    fc.asyncProperty(ODD, fc.boolean(), async (text, isEncoded) => {
      // Encoded as a browser sends it, or raw.
      const search = isEncoded ? encodeURIComponent(text.toWellFormed()) : text.replace(/[#&]/g, '')
      const response = await answerSearch(createSearchRequest(`?q=${search}`), world)
      const html = await response.text()
      expect([response.status, html.isWellFormed()]).toEqual([200, true])
      // oxlint-disable-next-line no-control-regex
      expect(html).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
    }),
    { numRuns: 300, seed: 1 },
  )
  expect(world.lines).toEqual([])
})

const NETWORKS: readonly (readonly [string, string])[] = [
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8::6', '2001:db8:0:0'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['2001::2:3:4:5:6:7', '2001:0:2:3'],
  ['', ''],
]

it('the limit of searches counts an address, or the network of an IPv6 address', async () => {
  const keys: string[] = []
  const isAllowed = createSearchLimit({
    limit: async ({ key }) => ({ success: keys.push(key) > 1 }),
  })
  const allowed: boolean[] = []
  for (const [address] of NETWORKS) allowed.push(await isAllowed(address))
  expect(keys).toEqual(NETWORKS.map(([, network]) => network))
  expect(allowed).toEqual(NETWORKS.map((_, index) => index > 0))
})
