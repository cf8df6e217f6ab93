/** A lane of a story: how the index is fed and repaired, and when it must have everything. Then lane `assets`. */
import { join } from 'node:path'
import { feedIndex } from '../../../src/builder/publish/search/feed-index.ts'
import type { SearchClient } from '../../../src/builder/publish/search/search-client.ts'
import type { ObjectName, SellerData } from '../../../src/domain/objects/object-data.ts'
import type { ObjectStore } from '../../../src/edge/objects/object-store.ts'
import type { ReadState } from './builder.ts'
import { putState, SEARCH_SITE, withReadState } from './builder.ts'
import type { End, SearchHappening, SearchMachine, SearchWork } from './happenings.ts'
import { MACHINES, SEARCH_SELLERS } from './happenings.ts'
import { StoryDocuments } from './story-documents.ts'
import type { Between } from './story-site.ts'
import { Killed, StorySite } from './story-site.ts'

/** Data by seller, `null` for one that is gone. */
export type ShownSellers = ReadonlyMap<ObjectName, SellerData | null>

export interface LaneSetup {
  /** Holds the state files of all machines. */
  readonly folder: string
}

interface Process {
  readonly machine: SearchMachine
  readonly isWhole: boolean
  readonly end: End
  readonly between: Between
}

export abstract class Lane {
  readonly documents = new StoryDocuments()
  readonly site: StorySite
  readonly #folder: string

  constructor({ folder }: LaneSetup, store: Pick<ObjectStore, 'get'> | null) {
    this.#folder = folder
    this.site = new StorySite(store)
    for (const name of [...MACHINES, 'kept']) putState(this.file(name), null)
  }

  /** Resolves when the process has ended, however. `between` runs before each of its calls. */
  abstract run(work: SearchWork, between?: Between): Promise<void>
  /** The index has lost something, or is another one. */
  abstract noteLoss(): void
  /** Returns what the index must have now; `null` if it need not be right before more is fed, or compared. */
  abstract findExpected(): Promise<ShownSellers | null>
  /** Nothing is killed any more: afterwards the index must have everything. */
  abstract comeToRest(): Promise<void>

  /** States of machines; a lane may add what concerns it alone. */
  happen(one: SearchHappening): void {
    if (one.kind === 'kept') putState(this.file('kept'), this.file('one'))
    else if (one.kind === 'state') putState(this.file(one.machine), one.isKept ? this.file('kept') : null)
  }

  /** A process reads the source, and works with what its machine's state has then, until it ends or is killed. */
  protected async process(
    { machine, isWhole, end, between }: Process,
    work: (state: ReadState, client: SearchClient) => Promise<void>,
  ): Promise<void> {
    const { documents, site } = this
    await withReadState(this.file(machine), { documents, isWhole }, async (state) => {
      try {
        await work(state, site.openClient(end, between))
      } catch (error) {
        if (!(error instanceof Killed)) throw error
      }
    })
  }

  protected file(name: string): string {
    return join(this.#folder, `${name}.sqlite`)
  }
}

/** Machines publish and feed. */
export class AssetsLane extends Lane {
  /** Publishes so far; the last one is live. */
  #live = 0
  /** Products of the last publish whose feed ended. */
  #fed: ShownSellers | null = null

  constructor(setup: LaneSetup) {
    super(setup, null)
  }

  async run(work: SearchWork, between: Between = async () => {}): Promise<void> {
    if (work.kind !== 'publish') return
    await this.process({ ...work, between }, async ({ snapshot, read, readObject }, client) => {
      const id = String((this.#live += 1))
      this.#fed = null
      snapshot.writePublished({ id, run: snapshot.waits.readRun() })
      const isLive = async (asked: string): Promise<boolean> => this.#live === Number(asked)
      const world = { snapshot, read, client, site: SEARCH_SITE, isLive, progress: () => {} }
      await feedIndex(world, work.isWhole)
      if (await isLive(id)) this.#fed = new Map(SEARCH_SELLERS.map((name) => [name, readObject(name)]))
    })
  }

  noteLoss(): void {
    this.#fed = null
  }

  async findExpected(): Promise<ShownSellers | null> {
    return this.#fed
  }

  async comeToRest(): Promise<void> {
    for (const machine of MACHINES) await this.run({ kind: 'publish', machine, isWhole: true, end: null })
  }
}
