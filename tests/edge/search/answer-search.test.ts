import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SearchPage } from '../../../src/domain/pages/page.ts'
import { NOTHING_FOUND } from '../../../src/domain/search/search-answer.ts'
import { answerSearch } from '../../../src/edge/search/answer-search.ts'
import { putEntries } from '../../../scripts/prove/search/memory-index.ts'
import { createSampleIndex } from '../../support/search/sample-index.ts'
import { createEntry, createProduct } from '../../support/search/search-entries.ts'
import { createMemoryIndex } from '../../support/search/search-index.ts'
import type { MemorySearch } from '../../support/search/search-world.ts'
import { createSearchRequest, createSearchWorld } from '../../support/search/search-world.ts'
import { ANY_CHARACTER } from '../../support/run/any-character.ts'

const INDEX = await createSampleIndex()

async function readPage(response: Response): Promise<SearchPage> {
  return JSON.parse((await response.text()).replace(/^one /, ''))
}

async function ask(search: string, world: MemorySearch = createSearchWorld(INDEX)): Promise<SearchPage> {
  return readPage(await answerSearch(createSearchRequest(search), world))
}

const broken = async (): Promise<never> => {
  throw new Error('eros')
}

describe('an answer', () => {
  it('is a page with what was found, and the headers of every page', async () => {
    const response = await answerSearch(createSearchRequest('?q=Eros&x=1'), createSearchWorld(INDEX))
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': 'private, max-age=5',
      'content-security-policy': 'policy of one',
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
    const { query, answer, notice } = await readPage(response)
    expect([query, notice]).toEqual(['Eros', 'none'])
    expect(answer).toEqual(await INDEX.search('eros'))
    expect(answer?.products.length).toBeGreaterThan(0)
  })

  it('is a page without results when nothing was asked, and finds nothing without words', async () => {
    for (const search of ['', '?q=', '?q=+%00', '?p=eros'])
      expect(await ask(search)).toEqual({
        kind: 'search',
        query: '',
        decants: 'todos',
        answer: null,
        notice: 'none',
      })
    expect(await ask('?q=%22*%22')).toMatchObject({ query: '"*"', answer: NOTHING_FOUND })
  })

  it('has only products with the chosen decant, and no sellers', async () => {
    const all = (await ask('?q=maria')).answer
    expect(all?.sellers.length).toBeGreaterThan(0)
    for (const [decants, size] of [
      ['5ml', '_5ml'],
      ['10ml', '_10ml'],
    ] as const) {
      const { query, answer, ...page } = await ask(`?q=eau&decants=${decants}`)
      expect([query, page.decants]).toEqual(['eau', decants])
      expect(answer?.products.length).toBeGreaterThan(10)
      expect(answer?.products.every(({ product }) => product[size].available)).toBe(true)
      expect((await ask(`?q=maria&decants=${decants}`)).answer?.sellers).toEqual([])
    }
    expect(await ask('?q=eau&decants=9ml')).toEqual(await ask('?q=eau'))
  })

  it('finds a product with the chosen decant among many whose names alone have its words', async () => {
    const index = createMemoryIndex(1)
    const named = Array.from({ length: 40 }, (_, number) =>
      createEntry(`seller${number}`, 'Tienda', [
        createProduct(`p${number}`, 'Decant 5ml Sauvage', { price: 1 }),
      ]),
    )
    const offers = createProduct('offers', 'Sauvage', { _5ml: { price: 300, available: true } })
    const entries = [...named, createEntry('ana', 'Ana', [offers])]
    await putEntries(
      index,
      entries.map((entry) => [entry.seller.id, entry]),
    )
    const { answer } = await ask('?q=sauvage&decants=5ml', createSearchWorld(index))
    expect(answer?.products.map(({ product }) => product.id)).toEqual(['offers'])
  })

  it('to HEAD has no body, and other methods are refused', async () => {
    const world = createSearchWorld(INDEX)
    const head = await answerSearch(createSearchRequest('?q=eros', { method: 'HEAD' }), world)
    expect([head.status, await head.text()]).toEqual([200, ''])
    const post = await answerSearch(createSearchRequest('?q=eros', { method: 'POST' }), world)
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('is kept by the words of the query', async () => {
    const asked: string[] = []
    const world = createSearchWorld({
      search: (query) => {
        asked.push(query)
        return INDEX.search(query)
      },
    })
    const first = await ask('?q=Eros+edp', world)
    await world.settle()
    expect(await ask('?q=%20EDP,%20%C3%A9ros!', world)).toEqual({ ...first, query: 'EDP, éros!' })
    expect(asked).toEqual(['Eros edp'])
  })
})

it('the age of an answer begins with its search, and is that of cache and browser together', async () => {
  let time = 0
  let searches = 0
  const search = (query: string): ReturnType<typeof INDEX.search> => {
    searches += 1
    time += 1_500
    return INDEX.search(query)
  }
  const world = createSearchWorld({ search }, { now: () => time })
  const readAge = async (): Promise<readonly [searches: number, age: string | null]> => {
    const { headers } = await answerSearch(createSearchRequest('?q=eros'), world)
    await world.settle()
    return [searches, headers.get('cache-control')]
  }
  expect(await readAge()).toEqual([1, 'private, max-age=3'])
  time = 4_999
  expect(await readAge()).toEqual([1, 'private, max-age=0'])
  time = 5_000
  expect(await readAge()).toEqual([2, 'private, max-age=3'])
})

describe('without an answer', () => {
  it('an address that asks too often gets a page that says so', async () => {
    const addresses: string[] = []
    const world = createSearchWorld(INDEX, {
      isAllowed: async (address) => {
        addresses.push(address)
        return false
      },
    })
    const request = createSearchRequest('?q=eros', { headers: { 'cf-connecting-ip': '203.0.113.7' } })
    const response = await answerSearch(request, world)
    expect([response.status, response.headers.get('cache-control')]).toEqual([429, 'no-store'])
    expect(response.headers.get('retry-after')).toBe('60')
    expect(await readPage(response)).toMatchObject({ query: 'eros', answer: null, notice: 'busy' })
    expect(addresses).toEqual(['203.0.113.7'])
    expect(await ask('', world)).toMatchObject({ notice: 'none' })
  })

  it('a failing index, and one that never answers, give a page that says so', async () => {
    const silent = createSearchWorld({ search: () => new Promise(() => {}) }, { wait: async () => {} })
    for (const world of [createSearchWorld({ search: broken }), silent]) {
      const response = await answerSearch(createSearchRequest('?q=eros'), world)
      expect([response.status, response.headers.get('cache-control')]).toEqual([503, 'no-store'])
      expect(await readPage(response)).toMatchObject({ query: 'eros', answer: null, notice: 'failed' })
      expect(world.lines).toEqual(['search: the index does not answer'])
    }
  })

  it('a page that cannot be rendered is a plain text', async () => {
    const { renderer } = createSearchWorld(INDEX)
    const world = createSearchWorld(INDEX, { renderer: { ...renderer, render: broken } })
    const response = await answerSearch(createSearchRequest('?q=eros'), world)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      503,
      'text/plain; charset=utf-8',
    ])
    expect(world.lines).toEqual(['search: the page cannot be rendered'])
  })
})

it('a limit that fails refuses no visitor', async () => {
  const world = createSearchWorld(INDEX, { isAllowed: broken })
  expect(await ask('?q=eros', world)).toMatchObject({ notice: 'none' })
  expect(world.lines).toEqual(['search: the rate limit for searches failed, so this search is allowed'])
})

const ODD = fc.oneof(
  fc.string({ unit: ANY_CHARACTER, maxLength: 300 }),
  fc.stringMatching(/^[%"*():^{}\-+0-9a-fA-F]{0,60}$/),
  fc
    .array(
      fc.constantFrom('NEAR(', '"', '*', ' AND ', ' NOT ', '-', ':', 'eros', 'chnel', '\0', '\u{1F600}', 'ñ'),
    )
    .map((parts) => parts.join('')),
)

it('every query gets an answer, and nothing of it is logged', async () => {
  const world = createSearchWorld(INDEX)
  await fc.assert(
    fc.asyncProperty(ODD, fc.boolean(), async (text, isEncoded) => {
      // Encoded as a browser sends it, or raw.
      const search = isEncoded ? encodeURIComponent(text.toWellFormed()) : text.replace(/[#&]/g, '')
      const response = await answerSearch(createSearchRequest(`?q=${search}`), world)
      const { query, notice } = await readPage(response)
      expect([response.status, notice]).toEqual([200, 'none'])
      expect(query.length).toBeLessThanOrEqual(100)
      expect(query.isWellFormed()).toBe(true)
      // oxlint-disable-next-line no-control-regex
      expect(query).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
    }),
    { numRuns: 300, seed: 1 },
  )
  expect((await ask(`?q=${'eros '.repeat(2_000)}`, world)).query).toHaveLength(99)
  expect(world.lines).toEqual([])
})
