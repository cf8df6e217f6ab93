import { expect, it } from 'vitest'
import { NOTHING_FOUND } from '../../../src/domain/search/search-answer.ts'
import { createSearchCache } from '../../../src/edge/search/search-cache.ts'
import { createCacheOptions, createMemoryCache, SEARCH_MAX_AGE } from '../../support/search/search-world.ts'

it('an answer is found by its words in any order, by the same code, until it is too old', async () => {
  const host = createMemoryCache()
  let time = 1_000
  const open = (code: string) => createSearchCache(host, createCacheOptions({ code, now: () => time }))
  const dated = { begun: 500, answer: NOTHING_FOUND }
  await open('one').keep(['eros', 'edp'], dated)
  expect(await open('one').read(['edp', 'eros'])).toEqual(dated)
  expect(await open('one').read(['eros'])).toBeNull()
  expect(await open('two').read(['edp', 'eros'])).toBeNull()
  time = 500 + SEARCH_MAX_AGE - 1
  expect(await open('one').read(['edp', 'eros'])).toEqual(dated)
  time += 1
  expect(await open('one').read(['edp', 'eros'])).toBeNull()
})

it('a cache that fails has nothing, and its error, which may hold words, is not logged', async () => {
  const lines: string[] = []
  const fail = async (): Promise<never> => {
    throw new Error('eros')
  }
  const options = createCacheOptions({ log: (line) => void lines.push(line) })
  const cache = createSearchCache({ match: fail, put: fail }, options)
  await cache.keep(['eros'], { begun: 0, answer: NOTHING_FOUND })
  expect(await cache.read(['eros'])).toBeNull()
  expect(lines).toEqual(['search: the cache failed', 'search: the cache failed'])
})
