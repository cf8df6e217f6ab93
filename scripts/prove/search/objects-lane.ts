/** Lane `objects` of a story: whoever puts an object feeds it, builders and the Worker's consumer, and nights repair. */
import { DEFAULT_MAX_PRODUCTS } from '../../../src/domain/catalogue/product-limit.ts'
import { join } from 'node:path'
import { refreshIndex } from '../../../src/builder/publish/search/refresh-index.ts'
import type { SellerData, ObjectName } from '../../../src/domain/objects/object-data.ts'
import { FORMAT } from '../../../src/domain/objects/object-data.ts'
import type { IndexedObject } from '../../../src/domain/search/search-index.ts'
import { consumeChanges } from '../../../src/edge/intake/consume-changes.ts'
import type { ChangeHost } from '../../../src/edge/intake/change-host.ts'
import { listTags } from '../../../src/edge/objects/list-tags.ts'
import type { StoredObject } from '../../../src/edge/objects/object-store.ts'
import { pushObjects } from '../../../src/edge/objects/push-objects.ts'
import { readObjects } from '../../../src/edge/objects/read-objects.ts'
import { createMemoryLedger } from '../edge/memory/memory-ledger.ts'
import { createMemoryStore } from '../edge/memory/memory-store.ts'
import { createStoryRenderer } from '../edge/stories/story-renderer.ts'
import { putState, SEARCH_SITE, withReadState } from './builder.ts'
import type { SearchHappening, Night, SearchPut, SearchWork } from './happenings.ts'
import { MACHINES, SEARCH_SELLERS } from './happenings.ts'
import { StoryDocuments } from './story-documents.ts'
import type { Lane, LaneSetup } from './story-lane.ts'
import { Killed, StorySite } from './story-site.ts'

type Between = (number: number) => Promise<void>
type ReadObject = (name: ObjectName) => SellerData | null

const START = Date.parse('2026-03-01T12:00:00Z')

export class ObjectsLane implements Lane {
  readonly documents = new StoryDocuments()
  readonly #folder: string
  readonly #objects = new Map<string, StoredObject>()
  readonly #store = createMemoryStore(this.#objects)
  readonly #host = createHost(this.#store, this.documents)
  readonly site = new StorySite(this.#store)
  #kept: readonly (readonly [string, StoredObject])[] = []
  /** Feeds that did not come, and other losses, so far; and those before the last night that ended. */
  #losses = { all: 1, repaired: 0 }
  /** True if the index may hold higher versions than the objects: until the next night it may then ignore a put. */
  #isAhead = false

  constructor({ folder }: LaneSetup) {
    this.#folder = folder
    for (const machine of MACHINES) putState(this.#file(machine), null)
    putState(this.#file('kept'), null)
  }

  async run(work: SearchWork, between: Between = async () => {}): Promise<void> {
    if (work.kind === 'night') await this.#compare(work, between)
    else if (work.kind === 'push') await this.#push(work)
    else if (work.kind === 'consume') await this.#consume(work)
  }

  async happen(one: SearchHappening): Promise<void> {
    if (one.kind === 'kept') {
      putState(this.#file('kept'), this.#file('one'))
      this.#kept = [...this.#objects]
    } else if (one.kind === 'state') putState(this.#file(one.machine), one.isKept ? this.#file('kept') : null)
    else if (one.kind === 'other shards') this.#lose()
    else if (one.kind === 'bucket restored') {
      this.#objects.clear()
      for (const [key, object] of this.#kept) this.#objects.set(key, object)
      this.#isAhead = true
      this.#lose()
    }
  }

  noteLoss(): void {
    this.#isAhead = false
    this.#lose()
  }

  #lose(): void {
    this.#losses = { ...this.#losses, all: this.#losses.all + 1 }
  }

  async findExpected(): Promise<readonly IndexedObject[] | null> {
    return this.#losses.repaired === this.#losses.all ? readObjects(SEARCH_SELLERS, this.#store) : null
  }

  async comeToRest(): Promise<void> {
    for (const machine of MACHINES) await this.run({ kind: 'night', machine, end: null })
  }

  #open(isFed: boolean): ChangeHost {
    const feedIndex = async (objects: readonly IndexedObject[]): Promise<void> => {
      if ((this.#isAhead || !isFed) && objects.length > 0) this.#lose()
      await this.site.feed(objects, isFed)
    }
    return { ...this.#host, feedIndex }
  }

  #push({ sellers, isFed }: SearchPut): Promise<void> {
    const file = this.#file('pushing')
    putState(file, null)
    return withReadState(file, { documents: this.documents, isWhole: true }, ({ readObject }) =>
      push(sellers, readObject, this.#open(isFed)),
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
    await withReadState(this.#file(machine), { documents: this.documents, isWhole: true }, async (state) => {
      await push(SEARCH_SELLERS, state.readObject, this.#open(true))
      const losses = this.#losses.all
      const client = this.site.openClient(end, between)
      const world = { ...state, client, site: SEARCH_SITE, progress: () => {} }
      try {
        await refreshIndex(world, { isWhole: true, isPublished: false })
        this.#losses = { ...this.#losses, repaired: losses }
      } catch (error) {
        if (!(error instanceof Killed)) throw error
        // It may have cleared the index.
        this.#lose()
      }
    })
  }

  #file(name: string): string {
    return join(this.#folder, `${name}.sqlite`)
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
      ...createMemoryLedger(START),
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
