/** Pushed data is put under the tag that was read before it. An object that cannot be put does not stop the others. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { SellerData } from '../../../src/domain/objects/object-data.ts'
import { findBucket, formatObjectKey } from '../../../src/domain/objects/object-key.ts'
import type { ScreenPage } from '../../../src/domain/pages/page.ts'
import type { PushedObject, PushResult } from '../../../src/domain/wire/object-calls.ts'
import { listTags } from '../../../src/edge/objects/list-tags.ts'
import { parsePageObject } from '../../../src/edge/objects/page-object.ts'
import { acceptObjects } from '../../../src/edge/objects/push-objects.ts'
import { LARGEST_OBJECT } from '../../../src/edge/objects/put-objects.ts'
import { createEdgeRenderer } from '../../support/edge/edge-renderer.ts'
import type { MemoryHost } from '../../support/edge/object-host.ts'
import { createMemoryHost, createHostProduct, createHostSeller } from '../../support/edge/object-host.ts'

let host: MemoryHost
let now: number
beforeEach(() => {
  now = 1
  host = createMemoryHost(
    createEdgeRenderer('one', (page) => {
      const seller = page.kind === 'catalogue' ? page.catalogue.seller : ''
      if (seller === 'throws') throw new Error('no such brand')
      return seller === 'large' ? ' '.repeat(LARGEST_OBJECT) : JSON.stringify(page)
    }),
  )
})

async function push(
  objects: readonly PushedObject[],
  isShrinkAllowed = false,
): Promise<readonly PushResult[]> {
  const batch = { format: 1, intake: 'reader', objects, isShrinkAllowed }
  return (await acceptObjects(batch, host, () => now)).results
}

async function readTag(name: string): Promise<string | null> {
  const { objects } = await listTags({ names: [name] }, host)
  return objects[0]?.tag ?? null
}

/** Reads the tag, then pushes. */
async function deliver(name: string, data: SellerData | null): Promise<PushResult | undefined> {
  return (await push([{ name, tag: await readTag(name), data }]))[0]
}

async function readObject(name: string): Promise<ReturnType<typeof parsePageObject>> {
  const stored = host.objects.get(await formatObjectKey(name))
  return parsePageObject(stored?.bytes ?? new Uint8Array())
}

const stored = (name: string, version: number): object => ({
  name,
  outcome: 'stored',
  tag: expect.any(String),
  version,
})

describe('a push', () => {
  it('puts data and page, and reports them with the intake of the batch and the code of the Worker', async () => {
    expect(await deliver('ana', createHostSeller('ana'))).toEqual(stored('ana', 1))
    expect(await readObject('ana')).toMatchObject({ kind: 'page', version: 1, intake: 'reader', code: 'one' })
    expect(host.forgotten).toEqual(['ana'])
    expect(await host.ledger.readSiteState()).toMatchObject({ sellers: 1 })
  })

  it('of equal data is put all the same, as the next version', async () => {
    await deliver('ana', createHostSeller('ana'))
    expect(await deliver('ana', createHostSeller('ana'))).toEqual(stored('ana', 2))
  })

  it('is beaten by any put since its tag was returned, also by the first, and by equal data', async () => {
    const none = await readTag('ana')
    await deliver('ana', createHostSeller('ana'))
    const first = await readTag('ana')
    const late: PushedObject = { name: 'ana', tag: none, data: createHostSeller('ana', []) }
    expect(await push([late])).toEqual([{ name: 'ana', outcome: 'beaten' }])
    await deliver('ana', createHostSeller('ana'))
    expect(await push([{ ...late, tag: first }])).toEqual([{ name: 'ana', outcome: 'beaten' }])
    expect(await readObject('ana')).toMatchObject({ version: 2 })
    expect(host.forgotten).toEqual(['ana', 'ana'])
  })

  it('is beaten by a put between the look at its tag and its own put', async () => {
    const tag = await readTag('ana')
    const render = async (page: ScreenPage): Promise<string> => {
      await deliver('ana', createHostSeller('ana', []))
      return host.renderer.render(page)
    }
    const batch = { format: 1, intake: 'reader', isShrinkAllowed: false }
    const objects = [{ name: 'ana', tag, data: createHostSeller('ana') }]
    const { results } = await acceptObjects(
      { ...batch, objects },
      { ...host, renderer: { ...host.renderer, render } },
    )
    expect(results).toEqual([{ name: 'ana', outcome: 'beaten' }])
    expect(host.coordinator.standing.totals.products).toBe(0)
  })

  it('of a seller that is gone puts a tombstone, which counts its versions on', async () => {
    await deliver('ana', createHostSeller('ana'))
    await deliver('eva', createHostSeller('eva'))
    expect(await deliver('ana', null)).toEqual(stored('ana', 2))
    expect(await readObject('ana')).toEqual({ kind: 'gone', version: 2 })
    expect(await deliver('ana', createHostSeller('ana'))).toEqual(stored('ana', 3))
  })

  it('fails alone if its page throws, or if it is too large', async () => {
    const objects = ['throws', 'large', 'ana'].map((name) => ({
      name,
      tag: null,
      data: createHostSeller(name),
    }))
    expect(await push(objects)).toEqual([
      { name: 'throws', outcome: 'failed', reason: 'no such brand' },
      { name: 'large', outcome: 'failed', reason: expect.stringMatching(/^the object has \d+ bytes/) },
      stored('ana', 1),
    ])
    expect(host.objects.size).toBe(1)
  })

  it('rejects if the store or the coordinator fails, and the next look at the tag makes up for a lost report', async () => {
    const failing = { ...host.ledger, settle: async () => Promise.reject(new Error('it is down')) }
    const batch = { format: 1, intake: 'reader', isShrinkAllowed: false }
    const objects = [{ name: 'ana', tag: null, data: createHostSeller('ana') }]
    const lost = acceptObjects({ ...batch, objects }, { ...host, ledger: failing }, () => now)
    await expect(lost).rejects.toThrow('it is down')
    expect(await host.ledger.readSiteState()).toMatchObject({ sellers: 0 })
    expect(await deliver('ana', createHostSeller('ana'))).toEqual(stored('ana', 2))
    expect(await host.ledger.readSiteState()).toMatchObject({ sellers: 1 })
  })
})

describe('the guard', () => {
  const names = Array.from({ length: 60 }, (_, index) => `seller-${index}`)

  beforeEach(async () => {
    await push(names.map((name) => ({ name, tag: null, data: createHostSeller(name) })))
  })

  it('refuses the removals of an emptied source, in the whole and one by one', async () => {
    const { objects } = await listTags({ names }, host)
    const results = await push(objects.map(({ name, tag }) => ({ name, tag, data: null })))
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['refused']))
    const each = []
    for (const name of names) each.push(await deliver(name, null))
    expect(new Set(each.map((result) => result?.outcome))).toEqual(new Set(['refused']))
    expect(await host.ledger.readSiteState()).toMatchObject({ sellers: 60, isHeld: true })
  })

  it('stops them one by one after a fifth, and lets the rest of a batch pass', async () => {
    const outcomes = []
    for (const name of names) outcomes.push((await deliver(name, null))?.outcome)
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(12)
    const { objects } = await listTags({ names: ['seller-50', 'seller-51'] }, host)
    const mixed = objects.map(({ name, tag }, index) => ({
      name,
      tag,
      data: index === 0 ? null : createHostSeller(name),
    }))
    expect((await push(mixed)).map(({ outcome }) => outcome)).toEqual(['refused', 'stored'])
    expect(
      (await push([{ name: 'seller-50', tag: await readTag('seller-50'), data: null }], true))[0],
    ).toEqual(stored('seller-50', 2))
  })

  it('counts in a coordinator that lost its storage, from the tags', async () => {
    const lost = createMemoryHost()
    const empty = { ...host, ledger: lost.ledger }
    for (let bucket = 0; bucket < 256; bucket += 1) await listTags({ bucket, after: null }, empty)
    expect(await lost.ledger.readSiteState()).toMatchObject({ sellers: 60 })
    expect(lost.coordinator.standing.totals).toEqual(host.coordinator.standing.totals)
  })
})

describe('an object that was deleted by hand', () => {
  const listBucket = async (): Promise<unknown> =>
    listTags({ bucket: await findBucket('ana'), after: null }, host)
  const readTotals = (): unknown => host.coordinator.standing.totals

  beforeEach(async () => {
    for (let count = 0; count < 3; count += 1) await deliver('ana', createHostSeller('ana'))
    host.objects.clear()
    now = 2_000
  })

  it('is put again with a later version than any before, so that the coordinator believes it', async () => {
    await deliver('ana', createHostSeller('ana', [createHostProduct('p'), createHostProduct('q')]))
    expect(await readObject('ana')).toMatchObject({ version: 2_000 })
    expect(readTotals()).toEqual({ sellers: 1, profiles: 1, products: 2 })
  })

  it('is missed by a look at its bucket, and no late report brings it back', async () => {
    await listBucket()
    expect(readTotals()).toEqual({ sellers: 0, profiles: 0, products: 0 })
    expect(await host.ledger.readBuckets()).toEqual([])
    const late = { name: 'ana', version: 3, isGone: false, hasProfile: true, products: 1, updated: '' }
    await host.ledger.settle([late], 'put')
    expect(readTotals()).toEqual({ sellers: 0, profiles: 0, products: 0 })
    await deliver('ana', createHostSeller('ana'))
    expect(readTotals()).toEqual({ sellers: 1, profiles: 1, products: 1 })
  })

  it('is not missed if it is put during that look, in whatever order that is reported', async () => {
    const { readKnown, settle } = host.ledger
    const putFirst = {
      ...host.ledger,
      readKnown: async (bucket: number) => {
        const known = await readKnown(bucket)
        await deliver('ana', createHostSeller('ana'))
        return known
      },
    }
    await listTags({ bucket: await findBucket('ana'), after: null }, { ...host, ledger: putFirst })
    expect(readTotals()).toEqual({ sellers: 1, profiles: 1, products: 1 })
    const missing = { name: 'ana', version: 3, isGone: true, hasProfile: false, products: 0, updated: '' }
    await settle([missing], 'missing')
    expect(readTotals()).toEqual({ sellers: 1, profiles: 1, products: 1 })
  })

  it('of another part of a long bucket is not looked for', async () => {
    const { list } = host.store
    const cut = async (prefix: string, after: string | null) => ({
      ...(await list(prefix, after)),
      next: prefix,
    })
    await listTags(
      { bucket: await findBucket('ana'), after: null },
      { ...host, store: { ...host.store, list: cut } },
    )
    expect(readTotals()).toMatchObject({ sellers: 1 })
  })
})

describe('the tags', () => {
  it('of names have version and digest, also of objects that do not exist', async () => {
    await deliver('ana', createHostSeller('ana'))
    const { worker, objects, next } = await listTags({ names: ['ana', 'nobody'] }, host)
    expect(worker).toEqual({ code: 'one', intake: 'intake', format: 1 })
    expect(objects).toEqual([
      { name: 'ana', tag: expect.any(String), version: 1, digest: expect.any(String), intake: 'reader' },
      { name: 'nobody', tag: null, version: 0, digest: null, intake: null },
    ])
    expect(next).toBeNull()
  })
})
