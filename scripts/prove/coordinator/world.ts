/** Simulates everything around the coordinator in a story: documents, notices, the live site, and actions of people. */
import { CoordinatorTwin } from './coordinator-twin.ts'

/** By seller: version number of the documents. A page has the number of the documents that it was made from. */
export type LiveVersions = ReadonlyMap<string, number>

export interface SiteRelease {
  readonly name: string
  /** Sequence of the state that the version was made from; 0 for a state without a sequence. */
  readonly sequence: number
  readonly pages: LiveVersions
  /** Versions of documents that had been announced when the build of this release was claimed. */
  readonly announced: LiveVersions
  /** Sellers whose page failed, so that the release contains an older page or none. */
  readonly stale: ReadonlySet<string>
  /** Whether the release went live without the coordinator's permission. */
  readonly isForced: boolean
}

const NOTHING: LiveVersions = new Map()

export class CoordinatorWorld {
  readonly twin = new CoordinatorTwin()
  readonly documents = new Map<string, number>()
  /**
   * By seller: version of the documents at the last accepted notice that covers the seller. That version or a later one
   * must go live.
   */
  readonly owed = new Map<string, number>()
  readonly #notices: { readonly id: string; readonly sellers: readonly string[] }[] = []
  /**
   * Whether the coordinator has deleted the row in which it stored the last notice, so that it does not recognize a
   * repeat of the notice.
   */
  #isForgotten = false
  /** Every version that went live; the last one is live now. */
  readonly wentLive: SiteRelease[] = []
  isHeld = false
  /**
   * Counts forced releases, rollbacks, and reports of forced releases. A release that got its permission before the
   * last of these events is not checked when it goes live.
   */
  overruled = 0
  /**
   * The last release that went live without permission; `null` if there is none, or after it was reported or rolled
   * back.
   */
  forced: { readonly release: SiteRelease; readonly at: number } | null = null
  #releases = 0

  get live(): SiteRelease | null {
    return this.wentLive.at(-1) ?? null
  }

  /** By seller: version of the live page. */
  get shown(): LiveVersions {
    return this.live?.pages ?? NOTHING
  }

  change(sellers: readonly string[]): void {
    for (const seller of sellers) this.documents.set(seller, this.#find(seller) + 1)
  }

  /**
   * Changes the documents and sends a notice. `isRepeated`: only sends the last notice again, like a sender that got no
   * answer.
   */
  notify(sellers: readonly string[], isRepeated: boolean): void {
    const last = this.#notices.at(-1)
    if (isRepeated) {
      if (last !== undefined)
        demand(
          this.twin.accept(last).accepted === 0 || this.#isForgotten,
          'a repeated notice was counted again',
        )
      return
    }
    this.change(sellers)
    const notice = { id: `notice ${this.#notices.length}`, sellers }
    this.#notices.push(notice)
    this.#isForgotten = false
    demand(this.twin.accept(notice).accepted === sellers.length, 'a new notice was not counted')
    this.#owe(sellers)
  }

  /**
   * Updates `#isForgotten` after a report. The coordinator stores a notice in the row of the notice's first seller, and
   * deletes the row if a report says that this seller is absent.
   */
  findForgotten(): void {
    const [first] = this.#notices.at(-1)?.sellers ?? []
    this.#isForgotten ||= first !== undefined && !this.twin.listChanged(-1).includes(first)
  }

  askForFull(): void {
    this.twin.notifyFull()
    this.#owe([...this.documents.keys()])
  }

  /** Returns the sellers whose live page is older than their announced version. */
  listLacking(): readonly string[] {
    const { shown } = this
    return [...this.owed].flatMap(([seller, version]) => ((shown.get(seller) ?? 0) < version ? [seller] : []))
  }

  createRelease(parts: Omit<SiteRelease, 'name' | 'isForced'>, isForced = false): SiteRelease {
    this.#releases += 1
    return { ...parts, name: `v${this.#releases}`, isForced }
  }

  /**
   * Holds publishing and puts an earlier version live; `age` 0 is the version before the live one. Does nothing if
   * there is no such version. `isPatient`: keeps the live version if a publish is under way.
   */
  rollBack(age: number, isPatient: boolean): void {
    const to = this.wentLive.at(-2 - age)
    if (to === undefined) return
    const { busyUntil } = this.twin.hold(null)
    this.isHeld = true
    if (busyUntil !== null && isPatient) return
    this.overruled += 1
    this.wentLive.push(to)
    this.forced = null
    this.twin.hold({ version: to.name, sequence: to.sequence })
  }

  reportForced(): void {
    if (this.forced === null) return
    const { release, at } = this.forced
    this.overruled += 1
    const { name: version, sequence } = release
    this.twin.forced({
      version,
      sequence,
      reason: 'the API was down',
      by: null,
      at: new Date(at).toISOString(),
    })
    this.forced = null
  }

  hold(): void {
    this.twin.hold(null)
    this.isHeld = true
  }

  release(): void {
    this.twin.release()
    this.isHeld = false
  }

  #owe(sellers: readonly string[]): void {
    for (const seller of sellers) this.owed.set(seller, this.#find(seller))
  }

  /** Returns the version of a seller's documents. */
  #find(seller: string): number {
    return this.documents.get(seller) ?? 0
  }
}

/** Thrown if the coordinator violates a guarantee. */
class Broken extends Error {
  override readonly name = 'Broken'
}

export function demand(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Broken(otherwise)
}
