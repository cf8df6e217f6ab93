/** Lane `assets` of a story: machines publish and feed, ordered by what they claimed. */
import { join } from 'node:path'
import { feedIndex } from '../../../src/builder/publish/search/feed-index.ts'
import type { IndexedObject } from '../../../src/domain/search/search-index.ts'
import type { ReadState } from './builder.ts'
import { putState, SEARCH_SITE, withReadState } from './builder.ts'
import type { SearchHappening, SearchMachine, Publish, SearchWork } from './happenings.ts'
import { MACHINES, SEARCH_SELLERS } from './happenings.ts'
import { StoryDocuments } from './story-documents.ts'
import type { Lane, LaneSetup } from './story-lane.ts'
import { Killed, StorySite } from './story-site.ts'

type Between = (number: number) => Promise<void>

const FIRST_CLAIM = 1_000_000

export class AssetsLane implements Lane {
  readonly site = new StorySite(null)
  readonly documents = new StoryDocuments()
  readonly #folder: string
  #claimed = FIRST_CLAIM
  /** Those whose state is not that of their last publish. They must claim. */
  readonly #foreign = new Set<SearchMachine>(MACHINES)
  /** Publishes so far; the last one is live. */
  #live = { machine: '' as SearchMachine | '', number: 0 }
  /** Whether somebody has asked for a full read, which is repeated until one ends. */
  #isFullAsked = false
  /** Losses so far, and those before the last comparison that ended. */
  #losses = { all: 0, repaired: 0 }
  /** What the last publish has shown, if its feed ended. */
  #fed: readonly IndexedObject[] | null = null

  constructor({ folder }: LaneSetup) {
    this.#folder = folder
    for (const machine of MACHINES) putState(this.#file(machine), null)
    putState(this.#file('kept'), null)
  }

  async run(work: SearchWork, between: Between = async () => {}): Promise<void> {
    if (work.kind !== 'publish') return
    const { machine } = work
    const mustClaim = this.#foreign.has(machine) || this.#live.machine !== machine
    // The sequence is given before the source is read.
    const claimed = mustClaim || work.isClaimed ? (this.#claimed += 1) : null
    const isWhole = work.isWhole || this.#isFullAsked
    const losses = this.#losses.all
    this.#isFullAsked = isWhole
    await withReadState(this.#file(machine), { documents: this.documents, isWhole }, async (state) => {
      if (claimed !== null) state.snapshot.writeClaimed(claimed)
      this.#foreign.delete(machine)
      await this.#feed({ ...work, isWhole }, { state, between, losses })
    })
  }

  async happen(one: SearchHappening): Promise<void> {
    if (one.kind === 'count lost') this.#loseCount()
    else if (one.kind === 'other shards') this.#fed = null
    else if (one.kind === 'kept') putState(this.#file('kept'), this.#file('one'))
    else if (one.kind === 'state') {
      putState(this.#file(one.machine), one.isKept ? this.#file('kept') : null)
      this.#foreign.add(one.machine)
    }
  }

  noteLoss(): void {
    this.#losses = { ...this.#losses, all: this.#losses.all + 1 }
    this.#fed = null
  }

  async findExpected(): Promise<readonly IndexedObject[] | null> {
    return this.#losses.repaired === this.#losses.all ? this.#fed : null
  }

  async comeToRest(): Promise<void> {
    for (const machine of MACHINES)
      await this.run({ kind: 'publish', machine, isWhole: true, isClaimed: true, end: null })
  }

  async #feed(
    { machine, isWhole, end }: Publish,
    { state, between, losses }: { state: ReadState; between: Between; losses: number },
  ): Promise<void> {
    const number = this.#live.number + 1
    this.#live = { machine, number }
    this.#fed = null
    const client = this.site.openClient(end, between)
    const isLive = async (id: string): Promise<boolean> => String(this.#live.number) === id
    const { snapshot, read } = state
    const id = String(number)
    snapshot.writePublished({ id, run: snapshot.waits.readRun() })
    try {
      const world = { snapshot, read, client, site: SEARCH_SITE, isLive, progress: () => {} }
      const { repaired } = await feedIndex(world, isWhole)
      if (repaired !== null && (await isLive(id))) this.#losses = { ...this.#losses, repaired: losses }
      this.#isFullAsked &&= !isWhole
      if (await isLive(id))
        this.#fed = SEARCH_SELLERS.map((name) => ({ name, version: 1, data: state.readObject(name) }))
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
  }

  /** The coordinator's numbers begin anew, and no state is left. */
  #loseCount(): void {
    this.#claimed = Math.floor(this.#claimed / 2)
    this.#live = { ...this.#live, machine: '' }
    for (const name of [...MACHINES, 'kept']) putState(this.#file(name), null)
    for (const machine of MACHINES) this.#foreign.add(machine)
    // A call is not answered any more some minutes after it was signed.
    this.site.late = []
    this.noteLoss()
  }

  #file(name: string): string {
    return join(this.#folder, `${name}.sqlite`)
  }
}
