/** A simulated environment of the coordinator: changing documents, builders with states, and the published site. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { ClaimAnswer } from '../../../src/domain/wire/calls.ts'
import { CoordinatorTwin, expectGranted } from './coordinator-twin.ts'

const SELLERS = ['a', 'b', 'c', 'd', 'e'] as const
export const BUILDERS = ['one', 'two'] as const

export type Happening =
  | { readonly kind: 'notice'; readonly sellers: readonly string[]; readonly isRepeated: boolean }
  | { readonly kind: 'full' }
  | { readonly kind: 'claim'; readonly builder: string; readonly retries: number }
  | { readonly kind: 'renew' }
  | { readonly kind: 'done'; readonly failed: readonly string[]; readonly isRepeated: boolean }
  | { readonly kind: 'give up' }
  | { readonly kind: 'state'; readonly builder: string; readonly age: number }
  | { readonly kind: 'time'; readonly ms: number }
  | { readonly kind: 'alarm' }
  | { readonly kind: 'outcome'; readonly isSent: boolean; readonly retryAfter: number }
  | { readonly kind: 'crash' }

export const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('notice'),
      sellers: fc.subarray([...SELLERS]),
      isRepeated: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('full') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('claim'),
      builder: fc.constantFrom(...BUILDERS),
      retries: fc.nat(1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('renew') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('done'),
      failed: fc.subarray([...SELLERS], { maxLength: 2 }),
      isRepeated: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('give up') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('state'),
      builder: fc.constantFrom(...BUILDERS),
      age: fc.nat(10),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('time'), ms: fc.constantFrom(1, 500, 5_000, 60_000, 700_000) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('alarm') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('outcome'),
      isSent: fc.boolean(),
      retryAfter: fc.constantFrom(0, 60_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash') }) },
)

type Versions = ReadonlyMap<string, number>

/** A builder's state: the sequence it has built, and the version of each seller's page. */
interface State {
  readonly have: number | null
  readonly pages: Versions
}

const NOTHING: State = { have: null, pages: new Map() }

/** Throws when an invariant does not hold. */
export class CoordinatorWorld {
  readonly twin = new CoordinatorTwin()
  /** Version of each seller's documents. */
  readonly documents = new Map<string, number>()
  site: Versions = new Map()
  #notices: { id: string; sellers: readonly string[]; isFull: false }[] = []
  #states = new Map<string, readonly State[]>(BUILDERS.map((builder) => [builder, [NOTHING]]))
  #build: {
    builder: string
    lease: string
    upTo: number
    given: readonly string[]
    documents: Versions
  } | null = null
  readonly #upTos = new Set<number>()
  #ended: { lease: string; upTo: number } | null = null
  /** The dispatch in transit, and the arrival of the last one that no builder has claimed. */
  #dispatch: string | null = null
  #sentAt: number | null = null

  happen(one: Happening): void {
    if (one.kind === 'notice') this.#notify(one.sellers, one.isRepeated)
    else if (one.kind === 'full') this.twin.notifyFull()
    else if (one.kind === 'claim') this.claim(one.builder, one.retries)
    else if (one.kind === 'renew') this.#renew()
    else if (one.kind === 'done') this.finish(one.failed, one.isRepeated)
    else if (one.kind === 'give up') this.#giveUp()
    else if (one.kind === 'state') this.#restore(one.builder, one.age)
    else if (one.kind === 'time') this.twin.now += one.ms
    else if (one.kind === 'alarm') this.ring()
    else if (one.kind === 'outcome') this.settle(one.isSent, one.retryAfter)
    else this.twin.restart()
    this.#check()
  }

  #notify(sellers: readonly string[], isRepeated: boolean): void {
    const before = this.#notices.at(-1)
    if (isRepeated && before !== undefined) {
      const { pending } = this.twin.status()
      assert.deepEqual(this.twin.accept(before), { accepted: 0, pending })
      return
    }
    for (const seller of sellers) this.documents.set(seller, (this.documents.get(seller) ?? 0) + 1)
    const notice = { id: `n${this.#notices.length}`, sellers, isFull: false } as const
    this.#notices.push(notice)
    assert.equal(this.twin.accept(notice).accepted, sellers.length)
  }

  claim(builder: string, retries = 0): void {
    const { have } = this.#states.get(builder)?.at(-1) ?? NOTHING
    const { lease: held } = this.twin.standing
    const isHeld = held !== null && this.twin.now < held.until
    let answer: ClaimAnswer | null = null
    for (let round = 0; round <= retries; round += 1) answer = this.twin.claim(have, builder)
    // Only one build runs at a time.
    assert.equal(answer === null, isHeld && held.builder !== builder)
    if (answer === null) return
    const { lease, upTo, sellers } = expectGranted(answer)
    if (isHeld) assert.deepEqual([lease, upTo], [held.id, held.upTo])
    else assert.ok(!this.#upTos.has(upTo))
    this.#upTos.add(upTo)
    const given = sellers === 'all' ? [...this.documents.keys()] : sellers
    this.#build = { builder, lease, upTo, given, documents: new Map(this.documents) }
    this.#dispatch = null
    this.#sentAt = null
  }

  #renew(): void {
    if (this.#build === null) return
    const isHeld = this.#isHeld()
    assert.equal(this.twin.renew(this.#build.lease) !== null, isHeld)
  }

  finish(failed: readonly string[], isRepeated = false): void {
    if (isRepeated && this.#ended !== null) this.twin.report({ ...this.#ended, failed: [] })
    if (this.#build === null) return
    const { builder, lease, upTo, given, documents } = this.#build
    const isHeld = this.#isHeld()
    const broken = failed.filter((seller) => given.includes(seller))
    const report = { lease, upTo, failed: broken.map((seller) => ({ seller, reason: 'broken' })) }
    assert.equal(this.twin.report(report) !== null, isHeld)
    this.#build = null
    if (!isHeld) return
    this.#ended = { lease, upTo }
    const states = this.#states.get(builder) ?? []
    const built = given.filter((seller) => !broken.includes(seller))
    const pages = new Map(states.at(-1)?.pages)
    for (const seller of built) pages.set(seller, documents.get(seller) ?? 0)
    this.#states.set(builder, [...states, { have: upTo, pages }])
    // A publish replaces the whole site with the output of this builder's state.
    this.site = pages
    this.#checkSite(documents)
  }

  #giveUp(): void {
    if (this.#build === null) return
    const isHeld = this.#isHeld()
    const answer = this.twin.report({ lease: this.#build.lease, error: 'the source is down' })
    assert.equal(answer !== null, isHeld)
    this.#build = null
  }

  #restore(builder: string, age: number): void {
    const states = this.#states.get(builder) ?? []
    this.#states.set(builder, states.slice(0, Math.max(1, states.length - age)))
    // Replacing the folder discards the build that was running in it.
    if (this.#build?.builder === builder) this.#build = null
  }

  ring(): void {
    const { alarm, now } = this.twin
    if (alarm === null || alarm > now) return
    const build = this.twin.planDispatch()
    if (build === null) return
    assert.equal(this.twin.standing.lease, null)
    if (this.#sentAt !== null) assert.ok(now - this.#sentAt >= this.twin.settings.start)
    this.#dispatch = build
    this.#sentAt = null
  }

  settle(isSent: boolean, retryAfter: number): void {
    if (this.#dispatch === null) return
    const outcome = isSent ? ({ isSent } as const) : ({ isSent, reason: 'no', retryAfter } as const)
    this.twin.settle(this.#dispatch, outcome)
    if (isSent) this.#sentAt = this.twin.now
    this.#dispatch = null
  }

  #isHeld(): boolean {
    const { lease } = this.twin.standing
    return lease !== null && lease.id === this.#build?.lease && this.twin.now < lease.until
  }

  /** Checks the pending count, and that an alarm is set while changes are pending. */
  #check(): void {
    const { standing, ledger } = this.twin
    const failed = ledger.listFailures().map(({ seller }) => seller)
    const waiting = new Set([...ledger.listChanged(standing.published), ...failed])
    assert.equal(standing.pending, waiting.size)
    const isWaiting = waiting.size > 0 || standing.full > standing.published
    if (isWaiting) assert.notEqual(this.twin.alarm, null)
  }

  /** Checks that the site contains every change acknowledged before the claim, except of failing sellers. */
  #checkSite(documents: Versions): void {
    const failed = new Set(this.twin.ledger.listFailures().map(({ seller }) => seller))
    for (const [seller, version] of documents) {
      if (!failed.has(seller)) assert.deepEqual([seller, this.site.get(seller)], [seller, version])
    }
  }
}
