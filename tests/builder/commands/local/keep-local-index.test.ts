/** `npm start` fills the index of the local edge from the state, and follows the next rebuilds. */
import { afterEach, expect, it } from 'vitest'
import { keepLocalIndex } from '../../../../src/builder/commands/local/keep-local-index.ts'
import { createLocalSecret } from '../../../../src/builder/commands/local/local-search.ts'
import { isSecret } from '../../../../src/domain/wire/secrets.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { createSearchSite } from '../../../support/search/search-site.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { runInWorld } from '../../../support/rebuild/world.ts'
import { createSite } from '../../../support/site.ts'

const path = useTemporaryFolder()
const lines: string[] = []
let end = new AbortController()
let kept: Promise<void> | null = null
afterEach(async () => {
  end.abort()
  await kept
  end = new AbortController()
  lines.length = 0
})

const site = createSearchSite()

function keep(begun: () => void = () => {}): void {
  const configuration = {
    site: createSite(),
    photos: { mode: 'off', hosts: { names: [], origins: [] } },
    maxProducts: 10,
  } as const
  const warn = (line: string): void => void lines.push(line)
  kept = keepLocalIndex(
    { configuration, state: path('state'), client: site.client, warn, begun, pause: 20 },
    end.signal,
  )
}

const build = (name: string): Promise<unknown> =>
  runInWorld({ folder: path(), documents: [user('ana'), product('p', 'ana', { name })] })

const find = async (query: string): Promise<number> => (await site.index.search(query)).products.length

it('has what the last rebuild found, also after the next, and again after the next start', async () => {
  await build('Eros')
  // `npm start` prints its address then.
  await new Promise<void>((resolve) => keep(resolve))
  expect(await find('eros')).toBe(1)
  await build('Angel')
  await expect.poll(() => find('angel'), { interval: 20 }).toBe(1)
  expect(await find('eros')).toBe(0)
  end.abort()
  await kept
  end = new AbortController()
  const before = site.calls.length
  keep()
  await expect
    .poll(() => site.calls.slice(before).map((call) => call.path))
    .toEqual(['/search/begin', '/search/compared'])
  expect(lines).toEqual([])
})

it('warns once while the edge does not take it, tries again', async () => {
  let left = 3
  site.before = () => {
    left -= 1
    if (left >= 0) throw new Error('no answer')
  }
  await build('Bleu')
  keep()
  await expect.poll(() => find('bleu')).toBe(1)
  expect(lines).toEqual(['The local search is not up to date: no answer.'])
  site.before = () => {}
})

it('opens the index with a secret of the environment, or else with one of its own', () => {
  const own = createLocalSecret({})
  expect(isSecret(String(own.added['BUILDER_SECRET']))).toBe(true)
  expect(own.all).toEqual([own.added['BUILDER_SECRET']])
  const [secret] = createLocalSecret({}).all
  expect(createLocalSecret({ REBUILD_SECRET: secret })).toEqual({ added: {}, all: [secret] })
})
