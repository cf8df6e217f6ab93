/**
 * Simulates everything around the index in a story: machines that read the source, and publish or compare; and in lane
 * `objects` the Worker, which puts objects and feeds the index. Finds the expected content of the index.
 */
import { join } from 'node:path'
import { feedIndex } from '../../../src/builder/publish/search/feed-index.ts'
import { refreshIndex } from '../../../src/builder/publish/search/refresh-index.ts'
import type { SearchClient } from '../../../src/builder/publish/search/search-client.ts'
import type { SellerData } from '../../../src/domain/objects/object-data.ts'
import { FORMAT } from '../../../src/domain/objects/object-data.ts'
import type { ChangeHost } from '../../../src/edge/intake/change-host.ts'
import { consumeChanges } from '../../../src/edge/intake/consume-changes.ts'
import { listTags } from '../../../src/edge/objects/list-tags.ts'
import type { StoredObject } from '../../../src/edge/objects/object-store.ts'
import { acceptObjects } from '../../../src/edge/objects/push-objects.ts'
import { readObject } from '../../../src/edge/objects/read-object.ts'
import { CoordinatorTwin, START } from '../coordinator/coordinator-twin.ts'
import { createMemoryStore } from '../edge/memory/memory-store.ts'
import { createStoryHost } from '../edge/story-worker.ts'
import type { ReadState } from './builder.ts'
import { putState, SEARCH_SITE, withReadState } from './builder.ts'
import type { SearchHappening, SearchPut, SearchWork, StoryLane } from './happenings.ts'
import { MACHINES, SEARCH_SELLERS } from './happenings.ts'
import { StoryDocuments } from './story-documents.ts'
import type { Between } from './story-site.ts'
import { Killed, StorySite } from './story-site.ts'

/** Data of each seller; `null` for a removed seller. */
export type ShownSellers = ReadonlyMap<string, SellerData | null>

type Machine = Exclude<SearchWork, SearchPut>

export class SearchWorld {
  readonly documents = new StoryDocuments()
  readonly site: StorySite
  readonly #lane: StoryLane
  readonly #folder: string
  readonly #objects = new Map<string, StoredObject>()
  readonly #store = createMemoryStore(this.#objects)
  readonly #host: ChangeHost
  #kept: readonly (readonly [string, StoredObject])[] = []
  /** Number of publishes so far. It is also the id of the live publish. */
  #live = 0
  /** Sellers as shown by the newest publish that was still live when its feed completed. */
  #published: ShownSellers = new Map()
  /**
   * `all`: number of events so far after which the index may lack data. `repaired`: how many of these events had
   * occurred when the last completed feed or comparison began.
   */
  #losses = { all: 1, repaired: 0 }

  /** `folder` holds the state files of all machines. */
  constructor({ lane, folder }: { readonly lane: StoryLane; readonly folder: string }) {
    this.#lane = lane
    this.#folder = folder
    this.site = new StorySite(lane === 'assets' ? null : this.#store)
    this.#host = createStoryHost({
      store: this.#store,
      code: 'a',
      source: { readSeller: async (seller, known) => this.documents.catalogue.readSeller(seller, known) },
      ledger: {
        ...new CoordinatorTwin().calls,
        permit: async () => ({ refused: [], reason: null }),
        takeChanges: async (messages) => messages,
        settleChanges: async () => {},
        noticeChanges: async () => {},
      },
      forgetPages: async () => {},
    })
    for (const name of [...MACHINES, 'kept']) putState(this.#file(name), null)
  }

  /**
   * Runs a process. Resolves once the process has finished or was killed. If the process runs on a machine, `between`
   * runs before each of its calls to the index.
   */
  async run(work: SearchWork, between: Between = async () => {}): Promise<void> {
    if ('machine' in work) await this.#process(work, between)
    else if (work.kind === 'push') await this.#push(work)
    else await this.#consume(work)
  }

  happen(one: SearchHappening): void {
    if (one.kind === 'kept') {
      putState(this.#file('kept'), this.#file('one'))
      this.#kept = [...this.#objects]
    } else if (one.kind === 'state') {
      putState(this.#file(one.machine), one.isKept ? this.#file('kept') : null)
    } else if (one.kind === 'bucket restored') {
      this.#objects.clear()
      for (const [key, object] of this.#kept) this.#objects.set(key, object)
      this.noteLoss()
    }
  }

  /** Records that from now on the index may lack data. Returns the number of such events so far. */
  noteLoss(): number {
    const all = this.#losses.all + 1
    this.#losses = { ...this.#losses, all }
    return all
  }

  /**
   * Returns the sellers that the index must have now; `null` if the index may be outdated until the next feed or
   * comparison completes.
   */
  async findExpected(): Promise<ShownSellers | null> {
    if (this.#losses.repaired !== this.#losses.all) return null
    if (this.#lane === 'assets') return this.#published
    const shown = SEARCH_SELLERS.map(async (name) => [name, await readObject(name, this.#store)] as const)
    return new Map(await Promise.all(shown))
  }

  /** Runs one process of each machine without faults. Afterwards, the index must be complete. */
  async comeToRest(): Promise<void> {
    for (const machine of MACHINES)
      await this.run(
        this.#lane === 'assets'
          ? { kind: 'publish', machine, isWhole: true, end: null }
          : { kind: 'night', machine, end: null },
      )
  }

  /** Runs a process of a machine, which reads the source, then publishes or compares. The process may be killed. */
  async #process(work: Machine, between: Between): Promise<void> {
    const { documents } = this
    const isWhole = work.kind === 'night' || work.isWhole
    await withReadState(this.#file(work.machine), { documents, isWhole }, async (state) => {
      const client = this.site.openClient(work.end, between)
      try {
        if (work.kind === 'night') await this.#compare(state, client)
        else await this.#publish(state, client, isWhole)
      } catch (error) {
        if (!(error instanceof Killed)) throw error
      }
    })
  }

  async #publish(
    { snapshot, read, readObject: show }: ReadState,
    client: SearchClient,
    isWhole: boolean,
  ): Promise<void> {
    const id = String((this.#live += 1))
    const loss = this.noteLoss()
    snapshot.writePublished({ id, run: snapshot.waits.readRun() })
    const isLive = async (asked: string): Promise<boolean> => this.#live === Number(asked)
    const world = { snapshot, read, client, site: SEARCH_SITE, isLive, progress: () => {} }
    await feedIndex(world, isWhole)
    if (!(await isLive(id))) return
    this.#published = new Map(SEARCH_SELLERS.map((name) => [name, show(name)]))
    this.#losses = { ...this.#losses, repaired: loss }
  }

  /** Delivers all objects, then compares the index, as a build that reads everything does. */
  async #compare(state: ReadState, client: SearchClient): Promise<void> {
    await this.#deliver(SEARCH_SELLERS, state, true)
    const repaired = this.#losses.all
    const world = { ...state, client, site: SEARCH_SITE, progress: () => {} }
    await refreshIndex(world, { isWhole: true, isPublished: false })
    this.#losses = { ...this.#losses, repaired }
  }

  async #push({ sellers, isFed }: SearchPut): Promise<void> {
    const file = this.#file('pushing')
    putState(file, null)
    const { documents } = this
    await withReadState(file, { documents, isWhole: true }, (state) => this.#deliver(sellers, state, isFed))
  }

  async #deliver(names: readonly string[], { readObject: read }: ReadState, isFed: boolean): Promise<void> {
    const host = this.#openHost(isFed)
    const { objects: tags } = await listTags({ names }, host)
    const objects = tags.map(({ name, tag }) => ({ name, tag, data: read(name) }))
    await acceptObjects({ format: FORMAT, intake: '', objects, isShrinkAllowed: true }, host)
  }

  async #consume({ sellers, isFed }: SearchPut): Promise<void> {
    const message = { attempts: 1, ack: () => {}, retry: () => {} }
    const messages = sellers.map((name) => ({ ...message, body: { name, upTo: 1, sentAt: START } }))
    await consumeChanges({ messages }, this.#openHost(isFed))
  }

  #openHost(isFed: boolean): ChangeHost {
    const feed = async (names: readonly string[]): Promise<void> => {
      if (!isFed) this.noteLoss()
      await this.site.feed(names, isFed)
    }
    return { ...this.#host, feedIndex: feed }
  }

  #file(name: string): string {
    return join(this.#folder, `${name}.sqlite`)
  }
}
