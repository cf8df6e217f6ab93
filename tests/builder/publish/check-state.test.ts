/** Which sites may be published, with real states and output folders. */
import { rmSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { checkState, readSampleProducts } from '../../../src/builder/publish/check-state.ts'
import { createOutput } from '../../../src/builder/state/output.ts'
import { openState } from '../../../src/builder/state/site-state.ts'
import { formatMarker, MARKER } from '../../../src/domain/wire/site-marker.ts'
import type { SiteMarker } from '../../../src/domain/wire/site-marker.ts'
import { product } from '../../support/rebuild/documents.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { createWorld, runInWorld } from '../../support/rebuild/world.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()
const ANA = [product('one', 'ana'), product('two', 'ana')]
const SAMPLE = readSampleProducts()

function createSetup(setup: Partial<WorldSetup> = {}): WorldSetup {
  return { folder: path('.'), documents: ANA, siteUrl: 'https://vitrina.do', ...setup }
}

async function build(setup?: Partial<WorldSetup>): Promise<void> {
  await runInWorld(createSetup({ options: { isShrinkAllowed: true }, ...setup }))
}

/** Checks the site under the settings of this setup. */
function check(setup?: Partial<WorldSetup>): SiteMarker {
  const state = openState(path('state/state.sqlite'))
  const world = createWorld(createSetup(setup))
  const { site, basis } = world.readInputs()
  world.state.close()
  try {
    return checkState({
      site,
      settings: basis.settings,
      state,
      output: createOutput(path('dist')),
      sample: SAMPLE,
    })
  } finally {
    state.close()
  }
}

function failFor(sellers: ReadonlySet<string>): NonNullable<WorldSetup['render']> {
  return (page) => {
    if (page.kind === 'catalogue' && sellers.has(page.catalogue.seller)) throw new Error('bad page')
    return 'page'
  }
}

it('publishes the site of a run that ended, also with a seller who failed and has an earlier version', async () => {
  await build()
  const { run } = check()
  await build({ documents: [product('one', 'ana', { price: 5 })], render: failFor(new Set(['ana'])) })
  expect(check().run).not.toBe(run)
})

it('does not publish a folder without a site, or a site that is not of this state', async () => {
  await build()
  const marker = check()
  // The second is a copy of the folder that was made while this run worked.
  for (const other of [{ run: 'another' }, { state: 'open' }] as const) {
    writeFileSync(path('dist', MARKER), formatMarker({ ...marker, ...other }))
    expect(() => check()).toThrow('not of the same run')
  }
  rmSync(path('dist'), { recursive: true })
  expect(() => check()).toThrow('There is no site in the output folder')
})

it('does not publish the site of a run that did not end until a rebuild has repaired it', async () => {
  await build()
  const cut: WorldSetup['wrap'] = (world) => ({
    ...world,
    output: {
      ...world.output,
      write: (file, content) => {
        if (file === 'catalogo/eva.html') throw new Error('the power is gone')
        return world.output.write(file, content)
      },
    },
  })
  const documents = [...ANA, product('three', 'eva')]
  await expect(build({ documents, wrap: cut })).rejects.toThrow('the power is gone')
  expect(() => check()).toThrow('did not end')
  await build({ documents })
  expect(check().state).toBe('closed')
})

it.each(['http://localhost:8787', 'https://localhost', 'http://shop.localhost'])(
  'does not publish a site with the local address %s',
  async (siteUrl) => {
    await build({ siteUrl })
    expect(() => check({ siteUrl })).toThrow('SITE_URL')
  },
)

it.each<Partial<WorldSetup>>([
  { siteUrl: 'https://other.do' },
  { siteName: 'Other' },
  { switches: { feeds: true } },
])('does not publish pages that were rendered with other settings than %j', async (setup) => {
  await build()
  expect(() => check(setup)).toThrow('other settings')
})

it('does not publish a site that lacks the catalogues of a large share of its sellers', async () => {
  const sellers = Array.from({ length: 30 }, (_, index) => `seller-${index}`)
  const buildFailing = async (failing: number): Promise<void> => {
    for (const folder of ['dist', 'state']) rmSync(path(folder), { recursive: true, force: true })
    const documents = sellers.map((seller) => product(seller, seller))
    await build({ documents, render: failFor(new Set(sellers.slice(0, failing))) })
  }
  await buildFailing(10)
  expect(check().sellers).toBe(30)
  await buildFailing(11)
  expect(() => check()).toThrow('The catalogues of 11 of 30 sellers failed')
})

it('does not publish the bundled sample, edited or not', async () => {
  const sample = [...SAMPLE].flatMap(([seller, ids]) =>
    [...ids].map((id) => product(id, seller, { price: 7 })),
  )
  const own = Array.from({ length: 60 }, (_, index) => product(`own ${index}`, 'ana'))
  await build({ documents: [...sample.slice(0, 100), ...own] })
  expect(() => check()).toThrow('bundled sample')
  await build({ documents: [...sample.slice(0, 50), ...own] })
  expect(check().products).toBe(110)
})
