/** The surroundings of the coordinator in a story of changes: documents, objects, messages, consumers and a builder. */
import type { ChangeMessage, ChangeOutcome } from '../../../../src/edge/coordinator/change-ledger.ts'
import { takeBackMessages, takeMessages } from '../../../../src/edge/coordinator/changes/send-changes.ts'
import { findDispatchTime } from '../../../../src/edge/coordinator/schedule.ts'
import { demand, NoticedWorld } from '../world.ts'
import type { ConsumerLuck } from './change-happenings.ts'
import { CHANGED_SELLERS } from './change-happenings.ts'
import { CoordinatorTwin, expectGranted } from '../coordinator-twin.ts'

/** A consumer that has read. */
interface Job {
  readonly message: ChangeMessage
  /** The version that it has read. */
  readonly version: number
  /** Sellers that have what this one had. */
  readonly moved: readonly string[]
}

interface Build {
  readonly lease: string
  readonly upTo: number
  readonly read: ReadonlyMap<string, number>
}

const REASON = { reason: 'it fails' }
const OUTCOMES: Readonly<Record<Exclude<ConsumerLuck, 'torn' | 'lost'>, ChangeOutcome>> = {
  put: { kind: 'put' },
  large: { kind: 'large', ...REASON },
  held: { kind: 'held', ...REASON },
  failed: { kind: 'failed', ...REASON },
  trouble: { kind: 'trouble', ...REASON, isPermanent: false, retryAfter: 0 },
}

export class ChangeWorld extends NoticedWorld {
  isQueue = true
  /** Versions that objects show. */
  readonly shown = new Map<string, number>()
  /** Messages of the queue, and consumers that have read. */
  messages: ChangeMessage[] = []
  jobs: Job[] = []
  /** For each seller, the sellers that her next reader finds to own her former products. */
  readonly #moved = new Map<string, readonly string[]>()
  #have: number | null = null
  #build: Build | null = null

  constructor() {
    // Leases end often, so that many reports are late. They must do no harm.
    super(new CoordinatorTwin({ CHANGE_LEASE_MS: '4000' }, { isQueue: true }))
  }

  move([from = '', ...to]: readonly string[]): void {
    this.change([from, ...to])
    if (to.length > 0) this.#moved.set(from, to)
  }

  fire(isTaken: boolean): void {
    const time = this.twin.changeTime
    if (!this.isQueue || time === null || time > this.twin.now) return
    const waiting = new Map(this.twin.listOpen().map((row) => [row.seller, row]))
    const messages = this.twin.send()
    for (const { name } of messages) {
      demand(this.twin.findOpen(name)?.phase === 'sent', `${name} was sent without a lease`)
      const { first, fresh, asked, last, setback } = waiting.get(name) ?? {
        first: 0,
        fresh: 0,
        asked: null,
        last: 0,
        setback: null,
      }
      const { quiet, longestWait } = this.twin.settings
      const isEarly =
        (fresh ?? asked?.fresh) === first &&
        setback === null &&
        this.twin.now < Math.min(last + quiet, first + longestWait)
      demand(!isEarly, `${name} was sent before its seller was quiet`)
    }
    if (isTaken) this.messages.push(...messages)
    else this.twin.take(takeBackMessages, { messages, reason: 'the queue is gone' })
  }

  deliver(at: number, isDoubled: boolean): void {
    const [sent] = this.messages.splice(at % Math.max(1, this.messages.length), 1)
    if (sent === undefined) return
    if (isDoubled) this.messages.push(sent)
    const [message] = this.twin.take(takeMessages, [sent])
    if (message === undefined) return
    const version = this.find(message.name)
    this.jobs.push({ message, version, moved: this.#moved.get(message.name) ?? [] })
  }

  /** A consumer reports moved sellers before it puts, because they cannot be found afterwards. */
  end(at: number, luck: ConsumerLuck, isRepeated = false): void {
    const [job] = this.jobs.splice(at % Math.max(1, this.jobs.length), 1)
    if (job === undefined) return
    const { message, version, moved } = job
    if (luck === 'put' || luck === 'torn') {
      if (moved.length > 0) this.#tell(message.name, moved)
      this.#put(message.name, version)
    }
    if (luck === 'torn' || luck === 'lost') return
    for (let round = isRepeated ? 0 : 1; round < 2; round += 1) this.twin.settle(message, OUTCOMES[luck])
  }

  claim(): void {
    if (this.#build !== null) return
    const { lease, upTo, sellers } = expectGranted(this.twin.claim(this.#have))
    const read = this.#read(sellers === 'all' ? CHANGED_SELLERS : sellers)
    this.#build = { lease, upTo, read }
  }

  /** The builder delivers what it read. */
  report(): void {
    const build = this.#build
    if (build === null) return
    this.#build = null
    for (const [seller, version] of build.read) this.#put(seller, version)
    this.#have = build.upTo
    this.twin.deliver(build)
  }

  die(): void {
    this.#build = null
    this.jobs = []
  }

  restart(isQueue: boolean): void {
    this.isQueue = isQueue
    this.twin.restart(isQueue)
  }

  get isBuilding(): boolean {
    return this.#build !== null
  }

  get alarm(): number | null {
    const build = findDispatchTime(this.twin.standing, this.twin.settings)
    const times = [build, this.twin.changeTime].filter((time) => time !== null)
    return times.length === 0 ? null : Math.min(...times)
  }

  #tell(name: string, moved: readonly string[]): void {
    void this.twin.calls.noticeChanges(moved)
    this.#moved.delete(name)
    this.owe(moved)
  }

  #read(sellers: readonly string[]): ReadonlyMap<string, number> {
    return new Map(sellers.map((seller) => [seller, this.find(seller)]))
  }

  /** Data never becomes older: a beaten writer begins again. */
  #put(name: string, version: number): void {
    this.shown.set(name, Math.max(version, this.shown.get(name) ?? 0))
  }
}
