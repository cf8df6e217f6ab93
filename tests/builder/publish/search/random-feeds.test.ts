/**
 * Random edits, moves and deletions, with feeds that are killed, late or doubled: the index ends as one built anew. As many
 * edits as EDITS says, 500 for the proof.
 */
import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Random } from '../../../../scripts/measure/random.ts'
import { createRandom } from '../../../../scripts/measure/random.ts'
import { feedIndex } from '../../../../src/builder/publish/search/feed-index.ts'
import { createReadEntry } from '../../../../src/builder/publish/search/read-entry.ts'
import { refreshIndex } from '../../../../src/builder/publish/search/refresh-index.ts'
import type { ReadEntry } from '../../../../src/builder/publish/search/send-updates.ts'
import { readObjectData } from '../../../../src/builder/rebuild/object-data.ts'
import { rebuild } from '../../../../src/builder/rebuild/rebuild.ts'
import { findSeller } from '../../../../src/builder/sources/find-seller.ts'
import type { Source } from '../../../../src/builder/sources/source.ts'
import type { World } from '../../../../src/builder/rebuild/world.ts'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import type { ObjectData } from '../../../../src/domain/objects/object-data.ts'
import { FORMAT } from '../../../../src/domain/objects/object-data.ts'
import type { IndexedObject } from '../../../../src/domain/search/search-index.ts'
import { createUpdate } from '../../../../src/domain/search/search-index.ts'
import { listTags } from '../../../../src/edge/pages/list-tags.ts'
import type { ObjectHost } from '../../../../src/edge/pages/object-host.ts'
import { pushObjects } from '../../../../src/edge/pages/push-objects.ts'
import { createFeeder } from '../../../../src/edge/search/feed-objects.ts'
import type { JoinedIndex } from '../../../../src/edge/search/join-shards.ts'
import { product, user } from '../../../support/documents.ts'
import { createMemorySource } from '../../../support/memory-source.ts'
import { createMemoryHost } from '../../../support/object-host.ts'
import { createMemoryIndex } from '../../../support/search-index.ts'
import type { SearchSite } from '../../../support/search-site.ts'
import { createSearchSite } from '../../../support/search-site.ts'
import { useTemporaryFolder } from '../../../support/temporary.ts'
import { createWorld } from '../../../support/world.ts'

const EDITS = Number(process.env['EDITS'] ?? 40)
const SELLERS = ['ana', 'bea', 'caro', 'dulce', 'eva', 'fe', 'gala', 'ida'] as const
const PRODUCTS = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8', 'p9'] as const
const NAMES = ['Ángel', 'Eros', 'Bleu 100 ml', 'Chanel EDP', 'Channel', 'Rosa'] as const
const QUERIES = ['angel', 'eros', 'bleu', '100ml', 'edp', 'chanel', 'chanl', 'ana', 'rosa eros', 'ang']
const PATIENCE = 600_000

const path = useTemporaryFolder()

/** What the source holds, and the sellers that were named as changed, like notices. */
class Documents extends Map<string, SourceDocument> {
  readonly named: string[] = []

  override set(place: string, document: SourceDocument): this {
    this.delete(place)
    this.named.push(findSeller(document) ?? '')
    return super.set(place, document)
  }

  override delete(place: string): boolean {
    const before = this.get(place)
    if (before !== undefined) this.named.push(findSeller(before) ?? '')
    return super.delete(place)
  }

  /** Each machine reads what was named since it read last, as it would claim that. */
  open(): Source {
    return {
      ...createMemorySource([...this.values()]),
      readChanges: (cursor) =>
        cursor === null
          ? { kind: 'whole', reason: 'the first read' }
          : { kind: 'sellers', sellers: [...new Set(this.named.slice(Number(cursor)))], documents: [] },
      readCursor: () => String(this.named.length),
    }
  }
}

/** Writes, moves or removes a document. */
function edit(documents: Documents, random: Random): void {
  const [id, seller] = [random.pick(PRODUCTS), random.pick(SELLERS)]
  const [place, owner] = [`product ${id}`, `user ${seller}`]
  const kind = random.below(5)
  if (kind === 0) documents.delete(random.pick([place, owner]))
  else if (kind === 1) documents.set(owner, user(seller, random.pick(NAMES)))
  else {
    const [price, available] = [random.below(5) * 100, random.chance(0.7)]
    documents.set(place, product(id, seller, { name: random.pick(NAMES), price, available }))
  }
}

function createDocuments(): Documents {
  const documents = new Documents()
  for (const seller of SELLERS) documents.set(`user ${seller}`, user(seller))
  return documents
}

/** Works in a state with these documents. */
async function withState<Result>(
  folder: string,
  documents: Documents,
  work: (world: World, read: ReadEntry) => Promise<Result>,
): Promise<Result> {
  const options = { isShrinkAllowed: true }
  const created = createWorld({ folder: path(folder), documents: [], options })
  const world = { ...created, openSource: async () => documents.open() }
  const { snapshot, pictures, record } = world.state
  try {
    await rebuild(world)
    const read = createReadEntry({ snapshot, pictures, publicFiles: new Set(), url: 'https://one.do' })
    return await work(world, read)
  } finally {
    for (const one of [snapshot, record]) one.close()
  }
}

/** The index that a single update of each seller makes. */
function buildAnew(documents: Documents): Promise<JoinedIndex> {
  rmSync(path('anew'), { recursive: true, force: true })
  return withState('anew', documents, async ({ state: { snapshot } }, read) => {
    const index = createMemoryIndex(1)
    const sellers = [...snapshot.readSellers()]
    await index.update(
      await Promise.all(sellers.map((seller) => createUpdate(seller, read(seller), { sequence: 1 }))),
    )
    return index
  })
}

async function describeIndex(index: JoinedIndex): Promise<unknown> {
  const digests = (await index.digestBuckets()).toSorted((a, b) => a.bucket - b.bucket)
  const { sellers, products } = await index.readState()
  return [digests, sellers, products, await Promise.all(QUERIES.map((query) => index.search(query)))]
}

/** Kills the feeder before or after one of the next calls. */
function killSometimes(site: SearchSite, random: Random): void {
  const when = random.pick<'before' | 'after'>(['before', 'after'])
  let left = random.chance(0.4) ? 1 + random.below(4) : Infinity
  site.before = () => {}
  site.after = () => {}
  site[when] = () => {
    left -= 1
    if (left === 0) throw new Error('killed')
  }
}

it('lane assets: a seller who came and went between two reads of a machine leaves the index with its feed', async () => {
  const [site, documents] = [createSearchSite(1), createDocuments()]
  let claimed = 1_000
  const publish = (machine: string): Promise<unknown> =>
    withState(machine, documents, async ({ state: { snapshot } }, read) => {
      snapshot.writeClaimed((claimed += 1))
      const world = { snapshot, read, client: site.client, site: 'https://one.do', progress: () => {} }
      return feedIndex({ ...world, isLive: async () => true }, false)
    })
  documents.set('product p1', product('p1', 'ana'))
  for (const machine of ['one', 'two']) await publish(machine)
  documents.set('product p2', product('p2', 'zoe', { name: 'Eros' }))
  await publish('one')
  documents.delete('product p2')
  await publish('two')
  expect(await describeIndex(site.index)).toEqual(await describeIndex(await buildAnew(documents)))
})

it(
  'lane assets: after a feed that ends the index has what is live, however others were killed, late or doubled',
  { timeout: PATIENCE },
  async () => {
    const random = createRandom(17)
    const [site, documents] = [createSearchSite(2), createDocuments()]
    let [claimed, last] = [1_000, '']
    const publish = (machine: string, isWhole: boolean): Promise<boolean> =>
      withState(machine, documents, async ({ state: { snapshot } }, read) => {
        // The coordinator lets a machine publish again without a claim, if no other one has published since.
        if (machine !== last || random.chance(0.5)) snapshot.writeClaimed((claimed += 1))
        last = machine
        // Killed between the switch and the feed.
        if (random.chance(0.15)) return false
        killSometimes(site, random)
        const world = { snapshot, read, client: site.client, site: 'https://one.do', progress: () => {} }
        return isResolved(feedIndex({ ...world, isLive: async () => true }, isWhole))
      })
    let [isSound, compared, from] = [true, 0, 0]
    for (let count = 0; count < EDITS; count += 1) {
      edit(documents, random)
      if (random.chance(0.3)) continue
      const isLost = random.chance(0.05)
      // What comes later than a loss, from before it, would be repaired by the next comparison.
      if (isLost) [site.index, from] = [createMemoryIndex(1 + random.below(3)), site.calls.length]
      isSound &&= !isLost
      const isWhole = random.chance(0.2)
      const isEnded = await publish(random.pick(['one', 'two']), isWhole)
      const late = site.calls.slice(from).filter((call) => call.path === '/search/update')
      const [first, ...others] = late
      if (first !== undefined && random.chance(0.5)) await site.repeat(random.pick([first, ...others]))
      isSound ||= isEnded && isWhole
      if (!isEnded || !isSound) continue
      compared += 1
      expect(await describeIndex(site.index)).toEqual(await describeIndex(await buildAnew(documents)))
    }
    while (!(await publish('one', true))) continue
    expect(compared).toBeGreaterThan(EDITS / 30)
    expect(await describeIndex(site.index)).toEqual(await describeIndex(await buildAnew(documents)))
  },
)

it(
  'lane objects: the nightly comparison repairs what was not fed, and what comes late changes nothing',
  { timeout: PATIENCE },
  async () => {
    const random = createRandom(23)
    const host = createMemoryHost()
    const [site, documents] = [createSearchSite(2, host.store), createDocuments()]
    const feeds: (readonly IndexedObject[])[] = []
    const feedIndexOf = async (objects: readonly IndexedObject[]): Promise<void> => {
      feeds.push(objects)
      // The Worker ends between the put and the feed.
      if (random.chance(0.2)) return
      await createFeeder(site.index, host.log)(objects)
    }
    const push = ({ state }: World): Promise<unknown> => {
      const data = { ...state, publicFiles: new Set<string>(), url: 'https://one.do' }
      const readObject = (name: string): ObjectData | null => readObjectData(data, name)
      return deliver(random.chance(0.3) ? [...SELLERS] : [random.pick(SELLERS)], readObject, {
        ...host,
        feedIndex: feedIndexOf,
      })
    }
    const refresh = ({ state: { snapshot } }: World, read: ReadEntry): Promise<unknown> => {
      const world = { snapshot, read, client: site.client, site: 'https://one.do', progress: () => {} }
      return refreshIndex(world, { isWhole: true, isPublished: false })
    }
    let compared = 0
    for (let count = 0; count < EDITS; count += 1) {
      edit(documents, random)
      if (random.chance(0.3)) continue
      await withState('one', documents, push)
      const [first, ...others] = feeds
      if (first !== undefined && random.chance(0.5))
        await createFeeder(site.index, host.log)(random.pick([first, ...others]))
      if (random.chance(0.05)) site.index = createMemoryIndex(1 + random.below(3))
      if (!random.chance(0.3)) continue
      killSometimes(site, random)
      const isEnded = await withState('one', documents, async (world, read) => {
        await push(world)
        const { state } = world
        await deliver(
          SELLERS,
          (name) => readObjectData({ ...state, publicFiles: new Set(), url: 'https://one.do' }, name),
          host,
        )
        return isResolved(refresh(world, read))
      })
      if (!isEnded) continue
      compared += 1
      expect(await describeIndex(site.index)).toEqual(await describeIndex(await buildAnew(documents)))
    }
    expect(compared).toBeGreaterThan(EDITS / 30)
  },
)

async function deliver(
  names: readonly string[],
  read: (name: string) => ObjectData | null,
  host: ObjectHost,
): Promise<void> {
  const { objects: tags } = await listTags({ names }, host)
  const objects = tags.map(({ name, tag }) => ({ name, tag, data: read(name) }))
  await pushObjects({ format: FORMAT, intake: '', objects, isShrinkAllowed: true }, host)
}

function isResolved(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
