/** The order of a deploy and what it renders, with a real state and output folder, a lease and a place in memory. */
import { expect, it } from 'vitest'
import type { DeployedSite } from '../../../src/builder/publish/deploy-site.ts'
import { deploySite } from '../../../src/builder/publish/deploy-site.ts'
import type { Lease } from '../../../src/builder/publish/lease.ts'
import { readMarker } from '../../../src/builder/rebuild/rebuild.ts'
import type { SiteMarker } from '../../../src/domain/wire/site-marker.ts'
import { product } from '../../support/rebuild/documents.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { createWorld } from '../../support/rebuild/world.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()
const ANA = product('one', 'ana')
const EVA = product('two', 'eva')
const CHANGED = [product('one', 'ana', { price: 5 }), EVA]

class Site {
  live: SiteMarker | null = null
  isAtomic = true
  /** Who is named by the next claim. */
  named: Lease['named'] = 'all'
  upTo = 0
  /** What was called, in order. */
  readonly said: string[] = []
  /** Fails the next publish. */
  failure: string | null = null

  async deploy(setup: Partial<WorldSetup> = {}): Promise<DeployedSite> {
    const world = createWorld({ folder: path('.'), documents: [ANA, EVA], ...setup })
    const say = (text: string): void => void this.said.push(text)
    this.said.length = 0
    try {
      return await deploySite({
        world: {
          ...world,
          openSource: async () => {
            say('read')
            return world.openSource()
          },
        },
        isNamed: true,
        place: {
          isAtomic: this.isAtomic,
          readLive: async () => this.live,
          publish: async ({ marker }) => {
            say('published')
            if (this.failure !== null) throw new Error(this.failure)
            this.live = marker
            return ''
          },
        },
        openLease: async () => {
          say(`claimed with ${world.state.read('claimed')}`)
          return this.#createLease(say)
        },
        verify: () => {
          const marker = readMarker(world)
          if (marker === null) throw new Error('no site')
          return marker
        },
        look: async () => {
          say('looked')
          return null
        },
        tell: () => {},
      })
    } finally {
      world.state.close()
    }
  }

  #createLease(say: (text: string) => void): Lease {
    return {
      token: 'token',
      upTo: (this.upTo += 1),
      live: this.live,
      named: this.named,
      permit: async () => {},
      done: async (run, failed) => {
        say(
          `done ${run === this.live?.run ? 'with the live run' : run} ${failed.map(({ seller }) => seller)}`,
        )
        return 0
      },
      fail: async (reason) => say(`failed: ${reason}`),
      stop: () => {},
    }
  }
}

/** A site that was deployed once. */
async function openSite(): Promise<Site> {
  const site = new Site()
  await site.deploy()
  site.named = []
  return site
}

const claimed = (): number | null => {
  const { state } = createWorld({ folder: path('.'), documents: [] })
  const have = state.read('claimed')
  state.close()
  return have
}

it('a deploy claims, reads, publishes, looks at the live site, and reports', async () => {
  const site = new Site()
  expect(await site.deploy()).toMatchObject({ isPublished: true, waiting: 0 })
  expect(site.said).toEqual(['claimed with null', 'read', 'published', 'looked', 'done with the live run '])
  expect(claimed()).toBe(1)
})

it('a deploy renders only who is named, and reports all sellers who failed', async () => {
  const site = await openSite()
  site.named = ['ana']
  const { outcome } = await site.deploy({
    documents: CHANGED,
    render: (page) => {
      if (page.kind === 'catalogue' && page.catalogue.seller === 'ana') throw new Error('bad page')
      return 'page'
    },
  })
  expect(outcome).toMatchObject({ everything: null, lookedAt: { sellers: ['ana'] } })
  expect(site.said.at(-1)).toBe('done with the live run ana')
})

it('a deploy publishes nothing if its own site is live and nothing is due', async () => {
  const site = await openSite()
  expect(await site.deploy()).toMatchObject({ isPublished: false, outcome: { isIdle: true } })
  expect(site.said).toEqual(['claimed with 1', 'read', 'done with the live run '])
})

it('a deploy publishes its site again, all of it, if another one is live', async () => {
  const site = await openSite()
  const [own] = [site.live]
  site.live = own && { ...own, run: 'another' }
  const { outcome, isPublished } = await site.deploy()
  expect([isPublished, outcome.everything]).toEqual([true, 'another site is live'])
})

it('a deploy publishes its site again, all of it, if the publish of it did not end', async () => {
  const site = await openSite()
  site.live = site.live && { ...site.live, state: 'open' }
  const { outcome, isPublished } = await site.deploy()
  expect([isPublished, outcome.everything]).toEqual([true, 'the last publish did not end'])
})

it('after a publish that failed, a deploy renders everything in a bucket, and else only who is named', async () => {
  for (const isAtomic of [true, false]) {
    const site = await openSite()
    site.isAtomic = isAtomic
    Object.assign(site, { named: ['ana'], failure: 'wrangler failed' })
    await expect(site.deploy({ documents: CHANGED })).rejects.toThrow('wrangler failed')
    expect(site.said.at(-1)).toBe('failed: wrangler failed')
    Object.assign(site, { named: [], failure: null })
    const { outcome, isPublished } = await site.deploy({ documents: CHANGED })
    expect([isPublished, outcome.everything]).toEqual([true, isAtomic ? null : 'another site is live'])
  }
})

it('a deploy whose read is refused keeps the position of the claim before', async () => {
  const site = await openSite()
  const before = claimed()
  site.named = 'all'
  await expect(site.deploy({ documents: [] })).rejects.toThrow('The source has no sellers')
  expect(claimed()).toBe(before)
})

it('a deploy whose state was lost is refused if the live site has many more sellers', async () => {
  const site = new Site()
  site.live = {
    run: 'live',
    state: 'closed',
    time: '',
    renderer: '',
    sellers: 100,
    products: 100,
    largest: 1,
  }
  await expect(site.deploy()).rejects.toThrow('--allow-shrink')
})
