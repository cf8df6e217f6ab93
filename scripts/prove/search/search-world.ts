/**
 * Simulates everything around the index in a story: machines that read the source, publish, and feed the index. Finds
 * the expected content of the index.
 */
import { join } from 'node:path'
import { feedIndex } from '../../../src/builder/publish/search/feed-index.ts'
import type { SearchClient } from '../../../src/builder/publish/search/search-client.ts'
import type { SearchEntry } from '../../../src/domain/search/search-entry.ts'
import type { ReadState } from './builder.ts'
import { putState, SEARCH_SITE, withReadState } from './builder.ts'
import type { Publish, SearchHappening } from './happenings.ts'
import { MACHINES, SEARCH_SELLERS } from './happenings.ts'
import { StoryDocuments } from './story-documents.ts'
import type { Between } from './story-site.ts'
import { Killed, StorySite } from './story-site.ts'

/** The entry of each seller; `null` for a removed seller, or one without products. */
export type ShownSellers = ReadonlyMap<string, SearchEntry | null>

export class SearchWorld {
  readonly documents = new StoryDocuments()
  readonly site = new StorySite()
  readonly #folder: string
  /** Number of publishes so far. It is also the id of the live publish. */
  #live = 0
  /** Sellers as shown by the newest publish that was still live when its feed completed. */
  #published: ShownSellers = new Map()
  /**
   * `all`: number of events so far after which the index may lack data. `repaired`: how many of these events had
   * occurred when the last completed feed began.
   */
  #losses = { all: 1, repaired: 0 }

  /** `folder` holds the state files of all machines. */
  constructor(folder: string) {
    this.#folder = folder
    for (const name of [...MACHINES, 'kept']) putState(this.#file(name), null)
  }

  /** Applies an event that concerns the states of the machines. */
  happen(one: SearchHappening): void {
    if (one.kind === 'kept') putState(this.#file('kept'), this.#file('one'))
    else if (one.kind === 'state') putState(this.#file(one.machine), one.isKept ? this.#file('kept') : null)
  }

  /** Records that from now on the index may lack data. Returns the number of such events so far. */
  noteLoss(): number {
    const all = this.#losses.all + 1
    this.#losses = { ...this.#losses, all }
    return all
  }

  /**
   * Returns the sellers that the index must have now; `null` if the index may be outdated until the next feed
   * completes.
   */
  findExpected(): ShownSellers | null {
    return this.#losses.repaired === this.#losses.all ? this.#published : null
  }

  /** Publishes once on each machine without faults. Afterwards, the index must be complete. */
  async comeToRest(): Promise<void> {
    for (const machine of MACHINES) await this.publish({ machine, isWhole: true, end: null })
  }

  /**
   * A machine reads the source, publishes, and feeds the index. Resolves once the process has finished or was killed.
   * `between` runs before each of its calls to the index.
   */
  async publish(
    { machine, isWhole, end }: Omit<Publish, 'kind'>,
    between: Between = async () => {},
  ): Promise<void> {
    const { documents } = this
    await withReadState(this.#file(machine), { documents, isWhole }, async (state) => {
      try {
        await this.#feed(state, this.site.openClient(end, between), isWhole)
      } catch (error) {
        if (!(error instanceof Killed)) throw error
      }
    })
  }

  async #feed({ snapshot, read }: ReadState, client: SearchClient, isWhole: boolean): Promise<void> {
    const id = String((this.#live += 1))
    const loss = this.noteLoss()
    snapshot.writePublished({ id, run: snapshot.waits.readRun() })
    const isLive = async (asked: string): Promise<boolean> => this.#live === Number(asked)
    const world = { snapshot, read, client, site: SEARCH_SITE, isLive, progress: () => {} }
    await feedIndex(world, isWhole)
    if (!(await isLive(id))) return
    this.#published = new Map(SEARCH_SELLERS.map((name) => [name, read(name)]))
    this.#losses = { ...this.#losses, repaired: loss }
  }

  #file(name: string): string {
    return join(this.#folder, `${name}.sqlite`)
  }
}
