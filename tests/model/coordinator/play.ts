/**
 * Plays a story around the coordinator: notices that come twice, late or out of order, three builders with states of
 * different age, leases that run out, switches whose answer is lost, holds, rollbacks, hands on the dashboard, a
 * coordinator that is lost; with assets, which are switched at once, or a bucket, which is written file by file.
 */
import type { Ledger } from '../../../src/edge/coordinator/ledger.ts'
import { CoordinatorModel } from './coordinator-model.ts'

const SELLERS = ['a', 'b', 'c', 'd'] as const
/** One tick of a story, in milliseconds. */
const TICK = 10_000
/** In milliseconds: a lease, what must be left of it before a switch or a put, and when those are ended. */
const [LEASE, MARGIN, KILL] = [120_000, 60_000, 4 * TICK]
const SETTINGS = { quiet: TICK, longestWait: 3 * TICK, maxRows: 4 }
/** Longest time at rest until a late change of the live site has been found, in milliseconds. */
const REST = 30 * 60_000

/** What happens in a story, and how often. */
export const EVENTS = {
  nothing: 16,
  edit: 7,
  notice: 5,
  inventedSeller: 1,
  fullRead: 1,
  death: 1,
  savedState: 1,
  restoredState: 1,
  lostCoordinator: 1,
  hold: 1,
  release: 1,
  publishByHand: 1,
  keptVersion: 1,
  claim: 2,
} as const

interface Happening {
  readonly event: keyof typeof EVENTS
  readonly builder: number
  readonly seller: number
}

export interface Story {
  readonly isBucket: boolean
  readonly happenings: readonly Happening[]
  /** Seed of everything else. */
  readonly chance: number
}

/** A promise that a story breaks. */
class BrokenPromise extends Error {}

type Version = number | undefined
type Pages = Map<string, Version>

interface BuilderState {
  have: number | null
  entries: Pages
  due: Set<string>
  /** True if the bucket may differ anywhere. */
  isAll: boolean
  run: string
  dist: Pages
}

class Builder {
  readonly number: number
  work: Generator<void> | null = null
  state: BuilderState
  saved: BuilderState[] = []
  /** End of its lease as it counts; `null` without a lease. */
  until: number | null = null
  isPublishing = false

  constructor(number: number, isBucket: boolean) {
    this.number = number
    this.state = {
      have: null,
      entries: new Map(),
      due: new Set(),
      isAll: isBucket,
      run: 'none',
      dist: new Map(),
    }
  }
}

/** Throws a `BrokenPromise` if the story breaks one. `report` gets each step in words. */
export function playStory(
  story: Story,
  openLedger: (now: number) => Ledger,
  report: (line: string) => void = () => {},
): void {
  new Play(story, openLedger, report).run()
}

class Play {
  readonly #story: Story
  readonly #draw: (below: number) => number
  readonly #say: (line: string) => void
  #now = TICK
  #ids = 0
  /** No builder fails any more. */
  #isCalm = false
  #misses = 9
  readonly #source: Pages = new Map()
  #live = { run: 'm0', pages: new Map() as Pages }
  /** Switches, puts and calls on their way. */
  #flying: { readonly at: number; readonly land: () => void }[] = []
  /** Notices that were not acknowledged. */
  #notices: string[][] = []
  /** Number of the read that the newest live version was made of. */
  #newest = 0
  #reads = 0
  #handAt = -1
  #isRollingBack = false
  /** Whether a rollback has been carried out, and not released. */
  #isBack = false
  #origin = 0
  readonly #history: { readonly run: string; readonly pages: Pages }[] = []
  readonly #builders: readonly Builder[]
  readonly #coordinator: CoordinatorModel

  constructor(story: Story, openLedger: (now: number) => Ledger, report: (line: string) => void) {
    this.#story = story
    this.#draw = createDraw(story.chance)
    this.#say = (line) => report(`${this.#now / TICK}: ${line}`)
    this.#builders = [0, 1, 2].map((number) => new Builder(number, story.isBucket))
    this.#coordinator = new CoordinatorModel({
      clock: () => this.#now,
      openLedger,
      readLive: () => this.#live.run,
      settings: SETTINGS,
    })
    this.#origin = this.#now
  }

  run(): void {
    for (const happening of this.#story.happenings) {
      this.#happen(happening)
      for (const one of this.#builders)
        if (this.#draw(4) > 0 && !(one.number === 2 && this.#draw(3) > 0)) this.#step(one)
      this.#tick()
    }
    this.#comeToRest()
    this.#checkLive()
  }

  #happen({ event, builder: number, seller: index }: Happening): void {
    const [builder, seller] = [this.#builders[number], SELLERS[index]]
    if (builder === undefined || seller === undefined) throw new Error('no such builder or seller')
    const isIdle = builder.work === null
    const isHeld = this.#isRollingBack || this.#isBack
    const isRare = this.#draw(3) === 0
    const happen: Readonly<Record<Happening['event'], () => unknown>> = {
      nothing: () => {},
      edit: () => this.#edit(seller),
      notice: () => this.#deliver(),
      inventedSeller: () => this.#coordinator.notice({ sellers: [`x${this.#draw(20)}`] }),
      fullRead: () => isRare && this.#coordinator.notice({ full: true }),
      death: () => this.#end(builder, 'dies'),
      savedState: () => isIdle && builder.saved.push(structuredClone(builder.state)),
      restoredState: () => this.#restore(builder),
      lostCoordinator: () => isRare && this.#draw(2) === 0 && this.#lose(),
      hold: () => isRare && !isHeld && this.#hold(),
      release: () => this.#isBack && this.#draw(2) === 0 && this.#release(),
      publishByHand: () => isIdle && !isHeld && !this.#story.isBucket && this.#start(builder, false),
      keptVersion: () => this.#history.push(structuredClone(this.#live)),
      // A builder on a machine claims each minute.
      claim: () => isRare && this.#start(builder),
    }
    happen[event]()
  }

  #edit(seller: string): void {
    if (this.#draw(5) === 0) this.#source.delete(seller)
    else this.#source.set(seller, (this.#ids += 1))
    this.#notices.push([seller])
    this.#say(`edit of ${seller}`)
  }

  /** Delivers a notice. Its answer may be lost, so that it is sent again. */
  #deliver(): void {
    const notice = this.#notices[this.#draw(Math.max(this.#notices.length, 1))]
    if (notice === undefined) return
    const isAccepted = this.#coordinator.notice({ sellers: notice }) !== null
    if (isAccepted && this.#draw(4) > 0) this.#notices = this.#notices.filter((one) => one !== notice)
  }

  #end(builder: Builder, how: string): void {
    if (builder.work !== null) this.#say(`builder ${builder.number} ${how}`)
    Object.assign(builder, { work: null, until: null, isPublishing: false })
  }

  #restore(builder: Builder): void {
    const saved = builder.saved[this.#draw(Math.max(builder.saved.length, 1))]
    if (builder.work !== null || saved === undefined) return
    builder.state = structuredClone(saved)
    this.#say(`builder ${builder.number} gets an old state`)
  }

  #lose(): void {
    this.#coordinator.lose()
    this.#origin = this.#now
    // A hold is lost, too.
    this.#isRollingBack = this.#isBack = false
    this.#say('the coordinator is lost')
  }

  #hold(): void {
    this.#coordinator.hold()
    this.#isRollingBack = true
    this.#say('hold')
  }

  #release(): void {
    this.#coordinator.release()
    this.#isRollingBack = this.#isBack = false
    this.#say('release')
  }

  #rollBack(): void {
    this.#isRollingBack = false
    this.#isBack = true
    const old = this.#history[this.#draw(Math.max(this.#history.length, 1))]
    if (old === undefined || this.#story.isBucket) return
    this.#live = structuredClone(old)
    this.#newest = 0
    this.#say(`rolled back to ${old.run}`)
    this.#ring()
  }

  #tick(): void {
    this.#now += TICK
    const landing = this.#flying.filter(({ at }) => at <= this.#now)
    this.#flying = this.#flying.filter(({ at }) => at > this.#now)
    for (const { land } of landing) land()
    if (this.#coordinator.alarm <= this.#now) this.#ring()
    if (this.#coordinator.ledger.isLarger(SETTINGS.maxRows + 1))
      throw new BrokenPromise('the feed grows without bound')
    // A rollback waits for the end of the lease that ran when it held.
    if (this.#isRollingBack && this.#coordinator.lease === null) this.#rollBack()
  }

  /** The object's alarm; with every deployment it starts anew, which does the same. */
  #ring(): void {
    this.#coordinator.ring(() => {
      if (!this.#isCalm && this.#draw(4) === 0) return { isSent: false, reason: 'refused', retryAfter: 0 }
      // It may never come.
      if (this.#isCalm || this.#draw(4) > 0) this.#start(this.#builders[this.#draw(3)])
      return { isSent: true, patience: 60_000 }
    })
  }

  #start(builder: Builder | undefined, hasCoordinator = true): void {
    if (builder !== undefined) builder.work ??= this.#work(builder, hasCoordinator)
  }

  #step(builder: Builder): void {
    if (builder.work?.next().done === true) this.#end(builder, 'ends')
  }

  /** The order of a deploy: claim, read, render, permission, publish, report. */
  *#work(builder: Builder, hasCoordinator: boolean): Generator<void> {
    const { state } = builder
    const token = `t${(this.#ids += 1)}`
    const sent = this.#now
    const atClaim = this.#live.run
    const claim = hasCoordinator ? this.#claim(token, state) : { upTo: null, sellers: null }
    yield
    if (claim === null) return
    if (hasCoordinator) builder.until = sent + LEASE
    this.#say(`builder ${builder.number} reads ${claim.sellers ?? 'everything'}`)
    yield
    const read = this.#read(state, claim)
    yield
    const failed = new Set<string>()
    const isNew = this.#render(state, failed)
    yield
    const isOurs = this.#live.run === state.run
    if (this.#story.isBucket && atClaim !== state.run) state.isAll = true
    // A run that looked at anything is another run, though it wrote nothing: a failing seller stays due.
    const isIdle = !isNew && isOurs && state.due.size === 0 && !state.isAll
    if (isIdle) return this.#finish(token, state, failed, claim.upTo)
    state.run = `m${(this.#ids += 1)}`
    for (let left = this.#draw(4); left > 0; left -= 1) yield
    // Permission right before the switch.
    const asked = this.#now
    if (hasCoordinator) {
      if (!this.#coordinator.renew(token)) return
      const isSame = this.#live.run === atClaim
      yield
      builder.until = asked + LEASE
      if (!isSame) return void this.#coordinator.done(token, { error: 'the live site is another' })
    } else if (this.#live.run !== atClaim) return
    yield
    if (builder.until !== null && builder.until - this.#now < MARGIN) return
    builder.isPublishing = true
    this.#checkAlone(hasCoordinator)
    const isPublished = this.#story.isBucket
      ? yield* this.#put(builder, { token, read, failed })
      : yield* this.#switch(builder, { token, read, asked, hasCoordinator })
    if (!isPublished) return
    yield
    builder.isPublishing = false
    yield* this.#hang()
    if (!this.#story.isBucket) state.due = new Set(failed)
    // It dies before its report.
    if (!this.#isCalm && this.#draw(12) === 0) return
    for (let left = 1 + this.#draw(2); left > 0; left -= 1) {
      this.#finish(token, state, failed, claim.upTo)
      yield
    }
  }

  /** Returns `null` if another has the lease. The call may come twice, and late. */
  #claim(
    token: string,
    { have }: BuilderState,
  ): { upTo: number | null; sellers: readonly string[] | null } | null {
    if (!this.#isCalm && this.#draw(8) === 0) this.#coordinator.claim(token, have)
    const granted = this.#coordinator.claim(token, have)
    const again = this.#now + (1 + this.#draw(20)) * TICK
    if (!this.#isCalm && this.#draw(12) === 0)
      this.#flying.push({ at: again, land: () => void this.#coordinator.claim(token, have) })
    if (!('upTo' in granted)) return null
    return { upTo: granted.upTo, sellers: 'full' in granted ? null : granted.sellers }
  }

  /** One transaction. Returns the number of the read. */
  #read(
    state: BuilderState,
    { upTo, sellers }: { upTo: number | null; sellers: readonly string[] | null },
  ): number {
    const { entries, due } = state
    for (const seller of sellers ?? new Set([...SELLERS, ...entries.keys()])) {
      if (entries.get(seller) === this.#source.get(seller) && sellers !== null) continue
      setPage(entries, seller, this.#source.get(seller))
      due.add(seller)
    }
    // Without a coordinator the state has no more than before, as far as a coordinator can know.
    state.have = upTo ?? state.have
    return (this.#reads += 1)
  }

  /** A page may throw; its seller stays due. Returns whether anything differs. */
  #render({ due, dist, entries }: BuilderState, failed: Set<string>): boolean {
    let isNew = false
    for (const seller of due) {
      const isFailing = (!this.#isCalm || (this.#misses -= 1) >= 0) && this.#draw(10) === 0
      if (isFailing) failed.add(seller)
      else {
        isNew ||= dist.get(seller) !== entries.get(seller)
        setPage(dist, seller, entries.get(seller))
      }
    }
    return isNew
  }

  /** Switches to a version of the assets. The tool is ended after some time, but the host may still be late. */
  *#switch(
    builder: Builder,
    {
      token,
      read,
      asked,
      hasCoordinator,
    }: { token: string; read: number; asked: number; hasCoordinator: boolean },
  ): Generator<void, boolean> {
    const version = { run: builder.state.run, pages: structuredClone(builder.state.dist) }
    const isLate = !this.#isCalm && this.#draw(25) === 0
    const isSlow = !this.#isCalm && this.#draw(8) === 0
    const killed = this.#now + KILL
    const rest = this.#draw(30)
    const at = this.#now + (isLate ? 5 + rest : isSlow ? 3 + rest : 1 + this.#draw(3)) * TICK
    const isFast = !isLate && hasCoordinator
    if (isLate || at <= killed)
      this.#flying.push({ at, land: () => this.#land(version, { read, asked, isFast, builder }) })
    while (this.#now <= Math.min(at, killed)) yield
    if (this.#live.run === version.run) return true
    if (hasCoordinator && this.#draw(2) === 0) this.#coordinator.done(token, { error: 'not live' })
    return false
  }

  /** Accepted: a late host, hands, and one lease after a coordinator was lost. */
  #land(
    version: { readonly run: string; readonly pages: Pages },
    { read, asked, isFast, builder }: { read: number; asked: number; isFast: boolean; builder: Builder },
  ): void {
    const isJudged = isFast && asked > Math.max(this.#handAt, this.#origin + LEASE)
    if (isJudged && read < this.#newest)
      throw new BrokenPromise('an older version went live over a newer one')
    if (isJudged && this.#isBack) throw new BrokenPromise('a version went live while publishing was held')
    if (builder.until === null) this.#handAt = this.#now
    this.#newest = Math.max(this.#newest, read)
    this.#live = { run: version.run, pages: version.pages }
    this.#say(`${version.run} of builder ${builder.number} is live`)
    this.#ring()
  }

  /** Writes into the bucket: the marker first, then what differs. */
  *#put(
    { state }: Builder,
    { token, read, failed }: { token: string; read: number; failed: ReadonlySet<string> },
  ): Generator<void, boolean> {
    this.#live.run = state.run
    this.#newest = Math.max(this.#newest, read)
    const { pages } = this.#live
    const keys = state.isAll
      ? new Set([...SELLERS, ...pages.keys(), ...state.dist.keys()])
      : new Set(state.due)
    for (const seller of keys) {
      yield
      yield* this.#hang()
      const wanted = state.dist.get(seller)
      if (failed.has(seller)) continue
      if (wanted !== pages.get(seller)) {
        if (!this.#mayPut(token)) return false
        const put = { isDone: false }
        const land = (): void => {
          put.isDone = true
          setPage(pages, seller, wanted)
        }
        const isSlow = !this.#isCalm && this.#draw(6) === 0
        const isLost = isSlow && this.#draw(2) === 0
        if (!isSlow) land()
        else if (!isLost) this.#flying.push({ at: this.#now + this.#draw(3) * TICK, land })
        while (!put.isDone && this.#draw(12) > 0) yield
        // The answer is lost: the seller stays due.
        if (!put.isDone) return false
      }
      state.due.delete(seller)
    }
    if (failed.size === 0) state.isAll = false
    return true
  }

  /** The Worker takes no file without the lease's token, and none in its last minute. */
  #mayPut(token: string): boolean {
    const { lease } = this.#coordinator
    if (lease?.token !== token) return false
    if (this.#isBack && this.#now - this.#origin > LEASE)
      throw new BrokenPromise('a file was put while publishing was held')
    return lease.until - this.#now >= MARGIN || this.#coordinator.renew(token)
  }

  *#hang(): Generator<void> {
    while (!this.#isCalm && this.#draw(5) === 0) for (let left = 9; left > 0; left -= 1) yield
  }

  #finish(token: string, { run }: BuilderState, failed: ReadonlySet<string>, upTo: number | null): void {
    if (upTo === null) return
    const reasons = [...failed].map((seller) => ({ seller, reason: 'throws' }))
    this.#coordinator.done(token, { upTo, marker: run, failed: reasons })
  }

  #checkAlone(hasCoordinator: boolean): void {
    const working = this.#builders.filter(
      ({ until, isPublishing }) => until !== null && until > this.#now && isPublishing,
    )
    if (working.length > 1 && hasCoordinator && this.#now - this.#origin > LEASE)
      throw new BrokenPromise('two builders publish at once')
  }

  /** Every notice is acknowledged, a hold is released, builders no longer fail. Any of them may be the next. */
  #comeToRest(): void {
    this.#isCalm = true
    this.#rest()
    if (this.#isRollingBack || this.#isBack) this.#release()
    this.#rest()
    if (this.#story.isBucket) return
    for (const builder of this.#builders) {
      this.#start(builder)
      this.#rest()
    }
    // Somebody puts an old version live in the dashboard, without a hold.
    if (this.#draw(2) === 0) return
    this.#live = { run: 'old', pages: new Map() }
    this.#ring()
    this.#rest()
  }

  #rest(): void {
    const end = this.#now + 10_000 * TICK
    let quietFrom = this.#now
    while (this.#now < quietFrom + REST) {
      if (this.#now > end) throw new BrokenPromise('it never comes to rest')
      for (const builder of this.#builders) this.#step(builder)
      this.#notices = this.#notices.filter((sellers) => this.#coordinator.notice({ sellers }) === null)
      const isBusy =
        this.#flying.length > 0 ||
        this.#notices.length > 0 ||
        this.#builders.some(({ work }) => work !== null) ||
        this.#coordinator.isWaiting
      if (isBusy) quietFrom = this.#now + TICK
      this.#tick()
    }
  }

  #checkLive(): void {
    const { pages } = this.#live
    for (const seller of new Set([...SELLERS, ...pages.keys()])) {
      const [live, wanted] = [pages.get(seller), this.#source.get(seller)]
      if (live !== wanted) throw new BrokenPromise(`the page of ${seller} is ${live}, not ${wanted}`)
    }
  }
}

function setPage(pages: Pages, seller: string, version: Version): void {
  if (version === undefined) pages.delete(seller)
  else pages.set(seller, version)
}

/** Returns a function that draws a number below another one. */
function createDraw(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
