/** Which sites may be published, with real states and output folders. */
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readSampleProducts, verifySite } from '../../../src/builder/publish/verify-site.ts'
import type { SiteMarker } from '../../../src/domain/wire/site-marker.ts'
import { formatMarker, MARKER } from '../../../src/domain/wire/site-marker.ts'
import { product } from '../../support/rebuild/documents.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { createWorld, runInWorld } from '../../support/rebuild/world.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()
const ANA = [product('one', 'ana'), product('two', 'ana')]

function createSetup(setup: Partial<WorldSetup> = {}): WorldSetup {
  return { folder: path('.'), documents: ANA, siteUrl: 'https://vitrina.do', ...setup }
}

async function build(setup?: Partial<WorldSetup>): Promise<void> {
  await runInWorld(createSetup({ options: { isShrinkAllowed: true }, ...setup }))
}

function verify(
  setup?: Partial<WorldSetup>,
  options: Partial<Parameters<typeof verifySite>[0]> = {},
): SiteMarker {
  const world = createWorld(createSetup(setup))
  const { site } = world.readInputs()
  try {
    return verifySite({
      ...world,
      site,
      folder: path('dist'),
      isLimited: true,
      isWhole: true,
      warn: () => {},
      ...options,
    })
  } finally {
    world.state.close()
  }
}

function failFor(sellers: ReadonlySet<string>): NonNullable<WorldSetup['render']> {
  return (page) => {
    if (page.kind === 'catalogue' && sellers.has(page.catalogue.seller)) throw new Error('bad page')
    return 'page'
  }
}

it('the site of a run that ended may be published, also with a seller who failed and has an earlier version', async () => {
  await build()
  const { run } = verify()
  await build({ documents: [product('one', 'ana', { price: 5 })], render: failFor(new Set(['ana'])) })
  expect(verify().run).not.toBe(run)
})

it('a folder without a site, and a site that is not of this state, are not published', async () => {
  await build()
  const marker = verify()
  // The second is a copy of the folder that was made while this run worked.
  for (const other of [{ run: 'another' }, { state: 'open' }] as const) {
    writeFileSync(path('dist', MARKER), formatMarker({ ...marker, ...other }))
    expect(() => verify()).toThrow('not of the same run')
  }
  rmSync(path('dist'), { recursive: true })
  expect(() => verify()).toThrow('did not end')
})

it.each(['http://localhost:8787', 'https://localhost', 'http://shop.localhost'])(
  'does not publish a site with the local address %s',
  async (siteUrl) => {
    await build({ siteUrl })
    expect(() => verify({ siteUrl })).toThrow('SITE_URL')
  },
)

it('a site that lacks the catalogues of a large share of its sellers is not published', async () => {
  const sellers = Array.from({ length: 30 }, (_, index) => `seller-${index}`)
  const buildFailing = async (failing: number): Promise<void> => {
    for (const folder of ['dist', 'state']) rmSync(path(folder), { recursive: true, force: true })
    const documents = sellers.map((seller) => product(seller, seller))
    await build({ documents, render: failFor(new Set(sellers.slice(0, failing))) })
  }
  await buildFailing(10)
  expect(verify().sellers).toBe(30)
  await buildFailing(11)
  expect(() => verify()).toThrow('The catalogues of 11 of 30 sellers failed')
})

it('the bundled sample is not published, edited or not', async () => {
  const sample = [...readSampleProducts()].flatMap(([seller, ids]) =>
    [...ids].map((id) => product(id, seller, { price: 7 })),
  )
  const own = Array.from({ length: 60 }, (_, index) => product(`own ${index}`, 'ana'))
  await build({ documents: [...sample.slice(0, 100), ...own] })
  expect(() => verify()).toThrow('bundled sample')
  await build({ documents: [...sample.slice(0, 50), ...own] })
  expect(verify().products).toBe(110)
})

it('a site with a file that is larger than Cloudflare allows is not published', async () => {
  await build()
  mkdirSync(path('dist/a'), { recursive: true })
  writeFileSync(path('dist/a/film.webm'), '')
  truncateSync(path('dist/a/film.webm'), 25 * 1024 * 1024 + 1)
  expect(() => verify()).toThrow('a/film.webm is larger than Cloudflare allows')
})

it('a site of more files than Cloudflare takes is not published as assets, and one of nearly as many warns', async () => {
  await build()
  const verifyWith = (count: number, isLimited = true): readonly string[] => {
    const warnings: string[] = []
    const { output } = createWorld(createSetup())
    const list = () => Array.from({ length: count }, () => ({ path: MARKER, isFolder: false }))
    const warn = (text: string): void => void warnings.push(text)
    verify({}, { output: { ...output, list }, isLimited, warn })
    return warnings
  }
  expect(verifyWith(15_999)).toEqual([])
  expect(verifyWith(16_000)).toEqual([expect.stringContaining('20,000')])
  expect(verifyWith(100_000)).toEqual([expect.stringContaining('100,000')])
  expect(() => verifyWith(100_001)).toThrow('HOSTING=bucket has no limit')
  expect(verifyWith(100_001, false)).toEqual([])
})
