/** Lane `assets` of a story: machines publish and feed. */
import { feedIndex } from '../../../src/builder/publish/search/feed-index.ts'
import { SEARCH_SITE } from './builder.ts'
import type { SearchWork } from './happenings.ts'
import { MACHINES, SEARCH_SELLERS } from './happenings.ts'
import type { LaneSetup, ShownSellers } from './story-lane.ts'
import { Lane } from './story-lane.ts'
import type { Between } from './story-site.ts'

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
