/** The checks of a state before it is published. */
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { readSampleProducts } from '../../../src/builder/publish/check-state.ts'
import type { Page } from '../../../src/domain/pages/page.ts'
import type { Site } from '../../../src/domain/pages/site.ts'
import { checkState } from '../../../src/builder/publish/check-state.ts'
import { createOutput } from '../../../src/builder/state/output/output.ts'
import { openRecord } from '../../../src/builder/state/record/open-record.ts'
import type { World } from '../../../src/builder/rebuild/world.ts'
import { openSnapshot } from '../../../src/builder/state/snapshot/open-snapshot.ts'
import { product } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { runInWorld } from '../../support/rebuild/world.ts'
import { createSite } from '../../support/site.ts'

const path = useTemporaryFolder()
const SITE: Site = createSite({ url: 'https://vitrina.do' })
const SAMPLE = readSampleProducts()

async function build(
  documents = [product('one', 'ana'), product('two', 'ana')],
  wrap = (world: World) => world,
) {
  await runInWorld({
    folder: path('.'),
    documents,
    options: { isShrinkAllowed: true },
    wrap: (world) => wrap({ ...world, inputs: { ...world.inputs, settings: SITE } }),
  })
}

function check(site = SITE, boot = 'boot 1'): void {
  const snapshot = openSnapshot(path('state/snapshot.sqlite'))
  const record = openRecord(path('state/record.sqlite'))
  try {
    checkState({ site, snapshot, record, output: createOutput(path('dist')), boot, sample: SAMPLE })
  } finally {
    snapshot.close()
    record.close()
  }
}

beforeEach(() => build())

describe('a state to be published', () => {
  it('is accepted after a run that ended well', () => {
    expect(() => check()).not.toThrow()
  })

  it('is published after another boot only if its files are on the disk', async () => {
    expect(() => check(SITE, 'boot 2')).not.toThrow()
    const more = Array.from({ length: 20 }, (_, index) => product(`p${index}`, `seller-${index}`))
    await build([product('one', 'ana'), product('two', 'ana'), ...more])
    expect(() => check(SITE, 'boot 2')).not.toThrow()
    writeFileSync(path('dist/catalogo/seller-3.html'), '')
    expect(() => check(SITE, 'boot 1')).not.toThrow()
    expect(() => check(SITE, 'boot 2')).toThrow('run npm run rebuild')
  })

  it('is accepted although a page fails whose file was damaged', async () => {
    const documents = [product('one', 'ana'), product('two', 'eva')]
    await build(documents)
    writeFileSync(path('dist/catalogo/ana.html'), '')
    const render = async (page: Page): Promise<readonly string[]> => {
      if (page.kind === 'catalogue' && page.catalogue.seller === 'ana') throw new Error('bad page')
      return ['page']
    }
    await build(documents, (world) => ({
      ...world,
      options: { ...world.options, isVerify: true },
      renderers: { ...world.renderers, load: async () => ({ render }) },
    }))
    expect(() => check()).not.toThrow()
  })

  it('is refused if the catalogues of many sellers fail and have no earlier version', async () => {
    const sellers = Array.from({ length: 30 }, (_, index) => `seller-${index}`)
    const buildFailing = async (failing: number): Promise<void> => {
      const names = new Set(sellers.slice(0, failing))
      const render = async (page: Page): Promise<readonly string[]> => {
        if (page.kind === 'catalogue' && names.has(page.catalogue.seller)) throw new Error('bad page')
        return ['page']
      }
      for (const folder of ['dist', 'state']) rmSync(path(folder), { recursive: true })
      await build(
        sellers.map((seller) => product(seller, seller)),
        (world) => ({ ...world, renderers: { ...world.renderers, load: async () => ({ render }) } }),
      )
    }
    await buildFailing(10)
    expect(() => check()).not.toThrow()
    await buildFailing(11)
    expect(() => check()).toThrow('The catalogues of 11 of 30 sellers failed')
    sellers.splice(3)
    await buildFailing(2)
    expect(() => check()).not.toThrow()
    await buildFailing(3)
    expect(() => check()).toThrow('The catalogues of 3 of 3 sellers failed')
  })

  it.each(['http://localhost:8787', 'https://localhost', 'http://shop.localhost'])(
    'is refused if it was made for %s',
    (url) => {
      expect(() => check({ ...SITE, url })).toThrow('SITE_URL')
    },
  )

  it.each([{ url: 'https://other.do' }, { name: 'Other' }, { accessUrl: 'https://vitrina.do/login' }])(
    'is refused if it was rendered with other settings: %j',
    (settings) => {
      expect(() => check({ ...SITE, ...settings })).toThrow('other settings')
    },
  )

  it('is refused after an interrupted run until a rebuild repairs it', async () => {
    const cut = build([product('one', 'ana'), product('two', 'eva')], (world) => ({
      ...world,
      state: {
        ...world.state,
        output: {
          ...world.state.output,
          write: (file, bytes) => {
            if (file === 'catalogo/eva.html') throw new Error('the power is gone')
            world.state.output.write(file, bytes)
          },
        },
      },
    }))
    await expect(cut).rejects.toThrow('the power is gone')
    expect(() => check()).toThrow('was interrupted')
    await build()
    expect(() => check()).not.toThrow()
  })

  it('is refused with the output folder of another state, or one without a marker', () => {
    writeFileSync(path('dist/.vitrina'), `${'7'.repeat(64)}\n`)
    expect(() => check()).toThrow('does not belong to this state folder')
    rmSync(path('dist/.vitrina'))
    expect(() => check()).toThrow('does not belong to this state folder')
  })

  it('is refused with a snapshot that was restored from an older copy', async () => {
    copyFileSync(path('state/snapshot.sqlite'), path('before.sqlite'))
    await build([product('one', 'ana', { price: 5 })])
    copyFileSync(path('before.sqlite'), path('state/snapshot.sqlite'))
    expect(() => check()).toThrow('was interrupted')
  })

  it('is refused if it shows the bundled sample, edited or not', async () => {
    const documents = [...SAMPLE].flatMap(([seller, ids]) =>
      [...ids].map((id) => product(id, seller, { price: 7 })),
    )
    await build(documents.slice(0, 100))
    expect(() => check()).toThrow('bundled sample')
    const own = Array.from({ length: 60 }, (_, index) => product(`own ${index}`, 'ana'))
    await build([...documents.slice(0, 100), ...own])
    expect(() => check()).toThrow('bundled sample')
    await build([...documents.slice(0, 90), ...own, ...own.map(({ id }) => product(`more ${id}`, 'eva'))])
    expect(() => check()).not.toThrow()
  })
})
