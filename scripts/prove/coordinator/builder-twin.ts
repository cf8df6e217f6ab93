/** Simulates a builder in a story: its stored state, and the steps of a build by `rebuild --pending --deploy`. */
import type { MetStrangers, Stranger } from '../../../src/domain/wire/calls.ts'
import type { BuilderLuck } from './happenings.ts'
import { expectGranted } from './coordinator-twin.ts'
import { checkGiven, checkGoesLive } from './promises.ts'
import type { SiteRelease, LiveVersions, CoordinatorWorld } from './world.ts'
import { demand } from './world.ts'

/**
 * A builder's stored state. It contains all changes up to the coordinator's sequence number `have`, which is `null`
 * before the first complete rebuild.
 */
interface State {
  readonly have: number | null
  readonly documents: LiveVersions
  readonly pages: LiveVersions
  /**
   * By seller: version of the documents that had last been announced when the builder made the claim that granted
   * `have`.
   */
  readonly announced: LiveVersions
  /** Sellers whose page failed to render; every rebuild tries them again. */
  readonly stale: ReadonlySet<string>
  /**
   * Name of the last version that was published, or may have been published, from this state or an earlier one; `null`
   * if there is none.
   */
  readonly base: string | null
  readonly isPublished: boolean
}

interface Build {
  readonly lease: string
  readonly upTo: number
  readonly given: readonly string[] | 'all'
  readonly strangers: MetStrangers
  readonly announced: LiveVersions
  readonly stage: 'claimed' | 'rebuilt' | 'published'
}

interface Publish {
  readonly lease: string
  readonly until: number
  readonly release: SiteRelease
  /** Value of `CoordinatorWorld.overruled` when the lease was granted. */
  readonly overruled: number
  /**
   * Whether the release went live. `undefined` before the switch of the live version; `null` if the outcome is unknown.
   */
  readonly isLive?: boolean | null
}

const EMPTY: State = {
  have: null,
  documents: new Map(),
  pages: new Map(),
  announced: new Map(),
  stale: new Set(),
  base: null,
  isPublished: false,
}

export class BuilderTwin {
  readonly #world: CoordinatorWorld
  readonly #name: string
  #states: readonly State[] = [EMPTY]
  #build: Build | null = null
  #publish: Publish | null = null

  constructor(world: CoordinatorWorld, name: string) {
    this.#world = world
    this.#name = name
  }

  get #state(): State {
    return this.#states.at(-1) ?? EMPTY
  }

  /** Takes the next step of the current publish or build; claims a build if there is neither. */
  work(luck: BuilderLuck, failing: readonly string[]): void {
    if (this.#publish !== null) this.#continuePublish(luck)
    else if (this.#build === null) this.#claim(luck)
    else if (this.#build.stage === 'claimed') this.#rebuild(luck, failing)
    else if (this.#build.stage === 'rebuilt') this.#beginPublish(luck)
    else this.#report(luck)
  }

  /** Takes all remaining steps of the current publish or build without faults; claims a build if there is neither. */
  build(): void {
    do this.work('good', [])
    while (this.#build !== null || this.#publish !== null)
  }

  renew(): void {
    if (this.#build === null) return
    const isMine = this.#isLeased()
    demand(
      (this.#world.twin.renew(this.#build.lease) !== null) === isMine,
      'a lease was renewed after its end, or not renewed before its end',
    )
  }

  die(): void {
    this.#build = null
    this.#publish = null
  }

  restore(age: number): void {
    this.die()
    this.#states = this.#states.slice(0, Math.max(1, this.#states.length - age))
  }

  /**
   * Begins to publish the state again, as after a change of code. Does nothing during a build or a publish, if the
   * state was not published yet, or if a page is stale.
   */
  deploy(): void {
    const isIdle = this.#build === null && this.#publish === null
    if (isIdle && this.#state.isPublished && this.#state.stale.size === 0) this.#beginPublish('good')
  }

  force(): void {
    if (this.#state.pages.size === 0) return
    const { twin, wentLive } = this.#world
    this.#world.overruled += 1
    const release = this.#createRelease(true)
    wentLive.push(release)
    this.#world.forced = { release, at: twin.now }
    this.#save({ base: release.name })
  }

  #claim(luck: BuilderLuck): void {
    const { twin } = this.#world
    const { lease: held } = twin.standing
    const isHeld = held !== null && twin.now < held.until
    const answer = twin.claim(this.#state.have, this.#name)
    demand(
      (answer === null) === (isHeld && held.builder !== this.#name),
      'a claim was granted during the lease of another builder, or refused without such a lease',
    )
    if (answer === null || luck === 'torn' || luck === 'unheard') return
    const { lease, upTo, sellers: given, strangers } = expectGranted(answer)
    checkGiven(this.#world, this.#state.documents, given)
    const announced = new Map(this.#world.owed)
    this.#build = { lease, upTo, given, strangers: meet(strangers), announced, stage: 'claimed' }
  }

  #rebuild(luck: BuilderLuck, failing: readonly string[]): void {
    const build = this.#build
    if (build === null) return
    if (luck === 'failed') return this.#giveUp()
    const { documents: source } = this.#world
    const named = build.given === 'all' ? [...source.keys()] : build.given
    const documents = new Map(this.#state.documents)
    for (const seller of named) documents.set(seller, source.get(seller) ?? 0)
    const tried = new Set([...named, ...this.#state.stale])
    const stale = new Set([...tried].filter((seller) => failing.includes(seller)))
    const pages = new Map(this.#state.pages)
    for (const seller of tried) if (!stale.has(seller)) pages.set(seller, documents.get(seller) ?? 0)
    this.#save({ documents, pages, stale, isPublished: false })
    // `have` is saved last: if the builder dies earlier, its next claim grants the same changes again.
    if (luck !== 'torn') this.#save({ have: build.upTo, announced: build.announced })
    if (luck === 'torn' || luck === 'unheard') this.die()
    else this.#build = { ...build, stage: 'rebuilt' }
  }

  #beginPublish(luck: BuilderLuck): void {
    const { twin, isHeld } = this.#world
    if (this.#build !== null && twin.renew(this.#build.lease) === null) return this.die()
    const release = this.#createRelease()
    const answer = twin.publish(release.name, release.sequence, this.#state.base)
    if ('refused' in answer) return this.#giveUp()
    demand(!isHeld, `${release.name} got permission to publish during a hold`)
    const until = twin.now + answer.lasts
    this.#publish = { lease: answer.lease, until, release, overruled: this.#world.overruled }
    if (luck !== 'good') this.die()
  }

  #continuePublish(luck: BuilderLuck): void {
    const publish = this.#publish
    if (publish === null) return
    if (publish.isLive === undefined) this.#switch(publish, luck)
    else this.#endPublish(publish, publish.isLive, luck)
  }

  /**
   * Switches the live version. Has no effect after the end of the lease, because a real builder then aborts its call to
   * the hosting provider.
   */
  #switch(publish: Publish, luck: BuilderLuck): void {
    const { twin, wentLive } = this.#world
    const hasEffect = luck !== 'failed' && twin.now < publish.until
    if (hasEffect) {
      if (publish.overruled === this.#world.overruled) checkGoesLive(this.#world, publish.release)
      wentLive.push(publish.release)
    }
    if (luck === 'torn') return this.die()
    const isLive = luck === 'unheard' ? null : hasEffect
    if (isLive !== false) this.#save({ base: publish.release.name })
    this.#publish = { ...publish, isLive }
  }

  #endPublish({ lease }: Publish, isLive: boolean | null, luck: BuilderLuck): void {
    if (luck === 'failed') return this.die()
    const answer = this.#world.twin.published(lease, isLive)
    this.#publish = null
    if (luck === 'torn' || luck === 'unheard') return this.die()
    if (answer === null || isLive !== true) return this.#giveUp()
    if (this.#build !== null) this.#build = { ...this.#build, stage: 'published' }
    this.#save({ isPublished: true })
  }

  #report(luck: BuilderLuck): void {
    if (this.#build === null || luck === 'failed') return this.die()
    const { lease, upTo, strangers } = this.#build
    const failed = [...this.#state.stale].map((seller) => ({ seller, reason: 'it throws' }))
    const isMine = this.#isLeased()
    const answer = this.#world.twin.report({ lease, upTo, failed, strangers })
    demand((answer !== null) === isMine, 'a report was accepted without a lease, or refused during one')
    if (luck === 'unheard') this.#world.twin.report({ lease, upTo, failed, strangers })
    this.#world.findForgotten()
    this.die()
  }

  #giveUp(): void {
    if (this.#build !== null)
      this.#world.twin.report({ lease: this.#build.lease, error: 'the build fails in this story' })
    this.die()
  }

  #isLeased(): boolean {
    const { standing, now } = this.#world.twin
    const { lease } = standing
    return lease !== null && lease.id === this.#build?.lease && now < lease.until
  }

  #createRelease(isForced = false): SiteRelease {
    const { have, pages, announced, stale } = this.#state
    return this.#world.createRelease({ sequence: have ?? 0, pages, announced, stale }, isForced)
  }

  #save(changes: Partial<State>): void {
    this.#states = [...this.#states, { ...this.#state, ...changes }]
  }
}

/**
 * Builds the part of a report that says which strangers (sellers that may not exist) the source has. Reports all except
 * `ana` as absent, because even a wrong report must lose no change.
 */
function meet(strangers: readonly Stranger[]): MetStrangers {
  const list = (isKnown: boolean): readonly number[] =>
    strangers.flatMap(({ number, seller }) => ((seller === 'ana') === isKnown ? [number] : []))
  return { known: list(true), absent: list(false) }
}
