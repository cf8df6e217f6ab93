/** The surroundings of the coordinator in a story of changes: documents, objects, messages, consumers and a builder. */
import type { ChangeMessage, ChangeOutcome } from '../../../../src/edge/coordinator/change-ledger.ts'
import { takeBackMessages, takeMessages } from '../../../../src/edge/coordinator/changes/send-changes.ts'
import { findDispatchTime } from '../../../../src/edge/coordinator/schedule.ts'
import { demand } from '../world.ts'
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

export class ChangeWorld {
  /** Leases end often: what comes late must do no harm. */
  readonly twin = new CoordinatorTwin({ CHANGE_LEASE_MS: '4000' }, { isQueue: true })
  isQueue = true
  /** Version of each seller's documents. */
  readonly documents = new Map<string, number>()
  /** Noticed versions: these must go live. */
  readonly owed = new Map<string, number>()
  /** Versions that objects show. */
  readonly live = new Map<string, number>()
  /** Messages of the queue, and consumers that have read. */
  messages: ChangeMessage[] = []
  jobs: Job[] = []
  #notices: { readonly id: string; readonly sellers: readonly string[] }[] = []
  /** For each seller, the sellers that her next reader finds to own her former products. */
  readonly #moved = new Map<string, readonly string[]>()
  #have: number | null = null
  #build: Build | null = null

  notify(sellers: readonly string[], isRepeated: boolean): void {
    const last = this.#notices.at(-1)
    if (isRepeated && last !== undefined)
      return demand(this.twin.accept(last).accepted === 0, 'a repeated notice was counted again')
    this.#change(sellers)
    const notice = { id: `n${this.#notices.length}`, sellers }
    this.#notices.push(notice)
    demand(this.twin.accept(notice).accepted === sellers.length, 'a new notice was not counted')
    this.#owe(sellers)
  }

  move([from = '', ...to]: readonly string[]): void {
    this.#change([from, ...to])
    if (to.length > 0) this.#moved.set(from, to)
  }

  askForFull(): void {
    this.twin.notifyFull()
    this.#owe([...this.documents.keys()])
  }

  fire(isTaken: boolean): void {
    const time = this.twin.changeTime
    if (!this.isQueue || time === null || time > this.twin.now) return
    const waiting = new Map(this.twin.listOpen().map((row) => [row.seller, row]))
    const messages = this.twin.send()
    for (const { name } of messages) {
      demand(this.twin.findOpen(name)?.phase === 'sent', `${name} was sent without a lease`)
      const { first, fresh, last, setback } = waiting.get(name) ?? {
        first: 0,
        fresh: 0,
        last: 0,
        setback: null,
      }
      const { quiet, longestWait } = this.twin.settings
      const isEarly =
        fresh === first && setback === null && this.twin.now < Math.min(last + quiet, first + longestWait)
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
    const version = this.documents.get(message.name) ?? 0
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

  /** Noticed versions that are not live. */
  listLacking(): readonly string[] {
    return [...this.owed].flatMap(([seller, version]) =>
      (this.live.get(seller) ?? 0) < version ? [seller] : [],
    )
  }

  #change(sellers: readonly string[]): void {
    for (const seller of sellers) this.documents.set(seller, (this.documents.get(seller) ?? 0) + 1)
  }

  #owe(sellers: readonly string[]): void {
    for (const seller of sellers) this.owed.set(seller, this.documents.get(seller) ?? 0)
  }

  #tell(name: string, moved: readonly string[]): void {
    void this.twin.calls.noticeChanges(moved)
    this.#moved.delete(name)
    this.#owe(moved)
  }

  #read(sellers: readonly string[]): ReadonlyMap<string, number> {
    return new Map(sellers.map((seller) => [seller, this.documents.get(seller) ?? 0]))
  }

  /** Data never goes back: a writer that is beaten begins again. */
  #put(name: string, version: number): void {
    this.live.set(name, Math.max(version, this.live.get(name) ?? 0))
  }
}
