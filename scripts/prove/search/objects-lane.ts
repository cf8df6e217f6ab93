/**
 * Lane `objects` of a story: each writer of an object feeds it, builders and the Worker's consumer, and nightly runs
 * repair it.
 */
import { DEFAULT_MAX_PRODUCTS } from '../../../src/domain/catalogue/product-limit.ts'
import { refreshIndex } from '../../../src/builder/publish/search/refresh-index.ts'
import type { ObjectName, SellerData } from '../../../src/domain/objects/object-data.ts'
import { FORMAT } from '../../../src/domain/objects/object-data.ts'
import type { ChangeHost } from '../../../src/edge/intake/change-host.ts'
import { consumeChanges } from '../../../src/edge/intake/consume-changes.ts'
import { listTags } from '../../../src/edge/objects/list-tags.ts'
import type { StoredObject } from '../../../src/edge/objects/object-store.ts'
import { pushObjects } from '../../../src/edge/objects/push-objects.ts'
import { readObject } from '../../../src/edge/objects/read-object.ts'
import { CoordinatorTwin, START } from '../coordinator/coordinator-twin.ts'
import { createMemoryStore } from '../edge/memory/memory-store.ts'
import { createStoryRenderer } from '../edge/stories/story-renderer.ts'
import { putState, SEARCH_SITE, withReadState } from './builder.ts'
import type { Night, SearchHappening, SearchPut, SearchWork } from './happenings.ts'
import { MACHINES, SEARCH_SELLERS } from './happenings.ts'
import type { StoryDocuments } from './story-documents.ts'
import type { LaneSetup, ShownSellers } from './story-lane.ts'
import { Lane } from './story-lane.ts'
import type { Between } from './story-site.ts'

type ReadObject = (name: ObjectName) => SellerData | null

export class ObjectsLane extends Lane {
  readonly #objects: Map<string, StoredObject>
  readonly #store: ReturnType<typeof createMemoryStore>
  readonly #host: ChangeHost
  #kept: readonly (readonly [string, StoredObject])[] = []
  /** Feeds that did not come, and other losses, so far; and those before the last night that ended. */
  #losses = { all: 1, repaired: 0 }

  constructor(setup: LaneSetup) {
    const objects = new Map<string, StoredObject>()
    const store = createMemoryStore(objects)
    super(setup, store)
    this.#objects = objects
    this.#store = store
    this.#host = createHost(store, this.documents)
  }

  async run(work: SearchWork, between: Between = async () => {}): Promise<void> {
    if (work.kind === 'night') await this.#compare(work, between)
    else if (work.kind === 'push') await this.#push(work)
    else if (work.kind === 'consume') await this.#consume(work)
  }

  override happen(one: SearchHappening): void {
    super.happen(one)
    if (one.kind === 'kept') this.#kept = [...this.#objects]
    else if (one.kind === 'bucket restored') {
      this.#objects.clear()
      for (const [key, object] of this.#kept) this.#objects.set(key, object)
      this.noteLoss()
    }
  }

  noteLoss(): void {
    this.#losses = { ...this.#losses, all: this.#losses.all + 1 }
  }

  async findExpected(): Promise<ShownSellers | null> {
    if (this.#losses.repaired !== this.#losses.all) return null
    const shown = SEARCH_SELLERS.map(async (name) => [name, await readObject(name, this.#store)] as const)
    return new Map(await Promise.all(shown))
  }

  async comeToRest(): Promise<void> {
    for (const machine of MACHINES) await this.run({ kind: 'night', machine, end: null })
  }

  #open(isFed: boolean): ChangeHost {
    const feedIndex = async (names: readonly ObjectName[]): Promise<void> => {
      if (!isFed) this.noteLoss()
      await this.site.feed(names, isFed)
    }
    return { ...this.#host, feedIndex }
  }

  async #push({ sellers, isFed }: SearchPut): Promise<void> {
    const file = this.file('pushing')
    putState(file, null)
    await withReadState(file, { documents: this.documents, isWhole: true }, ({ readObject: read }) =>
      push(sellers, read, this.#open(isFed)),
    )
  }

  async #consume({ sellers, isFed }: SearchPut): Promise<void> {
    const messages = sellers.map((name) => ({
      id: name,
      timestamp: new Date(START),
      body: { name, upTo: 1, sentAt: START },
      attempts: 1,
      ack: () => {},
      retry: () => {},
    }))
    await consumeChanges({ messages }, this.#open(isFed))
  }

  /** As a build that reads everything: delivers, then compares the index. */
  async #compare({ machine, end }: Night, between: Between): Promise<void> {
    await this.process({ machine, end, between, isWhole: true }, async (state, client) => {
      await push(SEARCH_SELLERS, state.readObject, this.#open(true))
      const losses = this.#losses.all
      const world = { ...state, client, site: SEARCH_SITE, progress: () => {} }
      await refreshIndex(world, { isWhole: true, isPublished: false })
      this.#losses = { ...this.#losses, repaired: losses }
    })
  }
}

async function push(names: readonly string[], read: ReadObject, host: ChangeHost): Promise<void> {
  const { objects: tags } = await listTags({ names }, host)
  const objects = tags.map(({ name, tag }) => ({ name, tag, data: read(name) }))
  await pushObjects({ format: FORMAT, intake: '', objects, isShrinkAllowed: true }, host)
}

function createHost(store: ReturnType<typeof createMemoryStore>, documents: StoryDocuments): ChangeHost {
  const renderer = createStoryRenderer('a')
  return {
    store,
    renderer,
    ledger: {
      ...new CoordinatorTwin().calls,
      permit: async () => ({ refused: [], reason: null }),
      takeChanges: async (messages) => messages,
      settleChanges: async () => {},
      noticeChanges: async () => {},
    },
    source: { readSeller: (seller, known) => documents.readSeller(seller, known) },
    intake: {
      intake: renderer.intake,
      maxProducts: DEFAULT_MAX_PRODUCTS,
      publicFiles: [],
      pictures: { mode: 'off', hosts: { names: [], origins: [] }, makesPreviews: true },
    },
    forgetPages: async () => {},
    log: () => {},
  }
}
