/**
 * Simulates everything around the edge in a story: source, clock, queue and faults. Checks each put and each answer.
 */
import { formatObjectKey, parseObjectKey } from '../../../src/domain/objects/object-key.ts'
import { Difference } from '../difference.ts'
import type { EdgeAnswer, Answering } from './edge.ts'
import { isExpected, parseAddress, renderExpected } from './expected-answer.ts'
import type { Center, Code, Fate, EdgeStory } from './stories/happenings.ts'
import { CODES } from './stories/happenings.ts'
import type { HeldReading } from './held-objects.ts'
import { HeldObjects } from './held-objects.ts'
import type { StoryValue } from './stories/source.ts'
import { STORY_NAMES, EDGE_PRODUCTS, StorySource } from './stories/source.ts'
import type { SourceQuestion } from './stories/story-queue.ts'
import { StoryQueue } from './stories/story-queue.ts'
import { findIntake, takeIn } from './stories/story-renderer.ts'
import type { Question, SourceAnswer, Task, FateVerdict } from './traffic.ts'
import { Traffic } from './traffic.ts'
import { digestValue, listGone } from './values.ts'

export const EDGE_START = Date.parse('2026-03-01T12:00:00Z')
/** `EDGE_MAX_AGE`, in milliseconds. */
export const STORY_MAX_AGE = 5_000
/** Milliseconds for which an entry of the cache is kept. */
const KEPT = 60 * 60_000

/** Facts about a task that the checks need. */
interface Knowledge {
  readonly kind: 'visit' | 'call' | 'builder' | 'consumer'
  /** By object: the data that a builder read before its push, or that a consumer read. */
  readonly readings: Map<string, readonly HeldReading[]>
  readonly code: Code
  /** Whether an operation of the task on the store has failed. */
  hasFailed: boolean
}

interface Knowing {
  readonly readings?: ReadonlyMap<string, HeldReading>
  readonly code?: Code
}

const STORE = new Set(['head', 'get', 'put', 'list'])
/** The operations that a visit may carry out: reads, and storing a page in the cache. */
const VIEWS = new Set(['head', 'get', 'list', 'match', 'keep', 'read the ledger'])

export class EdgeWorld {
  now = EDGE_START
  isStoreDown = false
  readonly isShared: boolean
  /** Versions of the Worker that answer; the last one is live. */
  answering: readonly Code[] = ['a']
  readonly source = new StorySource()
  readonly held = new HeldObjects()
  readonly traffic = new Traffic((task, question, fate) => this.#judge(task, question, fate))
  readonly queue = new StoryQueue()
  readonly isQueued: boolean
  readonly #deaf: readonly Center[]
  readonly #known = new Map<number, Knowledge>()
  /** Time at which each entry was put into a cache, by data centre and key. */
  readonly #entries = new Map<string, number>()

  constructor({ deaf, isShared, isQueued }: Pick<EdgeStory, 'deaf' | 'isShared' | 'isQueued'>) {
    this.#deaf = deaf
    this.isShared = isShared
    this.isQueued = isQueued
  }

  get code(): Code {
    return this.answering.at(-1) ?? 'a'
  }

  know(
    task: Task,
    kind: Knowledge['kind'],
    { readings = new Map(), code = this.code }: Knowing = {},
  ): Knowledge {
    const known = {
      kind,
      readings: new Map([...readings].map(([name, reading]) => [name, [reading]])),
      code,
      hasFailed: false,
    }
    this.#known.set(task.number, known)
    return known
  }

  read(name: string, code: Code): HeldReading {
    const value = takeIn(this.source.read(name), findIntake(code))
    return { sequence: this.source.sequence, value }
  }

  by(center: Center, isOlder = false): Answering {
    const code = (isOlder ? this.answering[0] : undefined) ?? this.code
    return { center, code, now: this.now }
  }

  /** Makes `code` live. The previous version answers too until the story completes the switch. */
  switchTo(code: Code): void {
    if (this.code !== code) this.answering = [this.code, code]
  }

  evict(): void {
    this.#entries.clear()
  }

  /**
   * Called when a builder removes an object from its outbox. Throws if the stored object is older than the data after
   * `edit`.
   */
  checkForgotten(name: string, edit: number): void {
    const held = this.held.find(name)
    if (held !== null && held.sequence >= edit) return
    const format = (value: StoryValue): string => JSON.stringify(value)
    const values = this.source.listValues(name, edit)
    const wanted = values.flatMap((value) => CODES.map((code) => format(takeIn(value, findIntake(code)))))
    if (wanted.includes(format(held?.value ?? null))) return
    throw new Difference(
      `a builder removes ${JSON.stringify(name)} from its outbox after edit ${edit}, but its object shows ${format(held?.value ?? null)}`,
    )
  }

  /**
   * Throws if the answer is wrong, or older than permitted. If the store failed during the visit, a 503 or an older
   * page from the cache is permitted too. `visit.since`: time of the visitor's request.
   */
  async check(
    path: string,
    { code }: Answering,
    answer: EdgeAnswer,
    visit: { task: Task; since: number },
  ): Promise<void> {
    const { hasFailed = false } = this.#known.get(visit.task.number) ?? {}
    if (hasFailed && answer.status === 503 && answer.headers['retry-after'] !== undefined) return
    const address = parseAddress(path)
    const oldest = visit.since - (hasFailed ? KEPT : STORY_MAX_AGE)
    const stood = address.name === null ? [null] : this.held.listSince(address.name, oldest)
    const possible = await Promise.all(
      stood.map((held) => renderExpected(address, held?.value ?? null, code)),
    )
    if (possible.some((expected) => isExpected(answer, expected))) return
    const wanted = possible.map(({ status, body }) => `status ${status} and the body ${body}`).join('\n  or ')
    throw new Difference(
      `${path} was answered with status ${answer.status} and the body ${answer.body}\n  instead of ${wanted}`,
    )
  }

  #judge(task: Task, question: Question, fate: Fate): FateVerdict {
    const known = this.#known.get(task.number) ?? this.know(task, 'call')
    const { phase, operation, target } = question
    if (phase === 'done') this.#record(known, question)
    if (STORE.has(operation) && isError(fate)) known.hasFailed = true
    if (phase !== 'before') return { fate, now: this.now }
    if (known.kind === 'visit' && !VIEWS.has(operation))
      throw new Difference(`${task.title}: a visit must not use the operation "${operation}" (on ${target})`)
    const isStore = STORE.has(operation)
    const given = isStore && this.isStoreDown ? 'failed' : fate
    if (isStore && isError(given)) known.hasFailed = true
    return {
      fate: given,
      now: this.now,
      ...this.#judgeCache(question, given),
      ...this.#note(known, question, given),
    }
  }

  /** Entries of the cache expire after an hour. In the data centres in `#deaf`, deleting an entry has no effect. */
  #judgeCache({ operation, target }: Question, fate: Fate): Partial<FateVerdict> {
    if (operation === 'match')
      return { isIgnored: this.now - (this.#entries.get(target) ?? -Infinity) >= KEPT }
    if (operation === 'keep' && fate !== 'failed') this.#entries.set(target, this.now)
    const isDeaf = operation === 'delete' && this.#deaf.some((center) => target.startsWith(`${center} `))
    return isDeaf ? { isIgnored: true } : {}
  }

  #note(known: Knowledge, { operation, target }: Question, fate: Fate): object {
    if (fate === 'failed') return {}
    if (operation === 'send changes') this.queue.send(JSON.parse(target))
    if (operation === 'read a seller') return { source: this.#readSeller(known, JSON.parse(target)) }
    return {}
  }

  #readSeller({ readings, code }: Knowledge, question: SourceQuestion): SourceAnswer {
    const { seller } = question
    const owners = new Map(
      EDGE_PRODUCTS.map((product) => [product, this.source.documents.findOwner(product)]),
    )
    readings.set(seller, [...(readings.get(seller) ?? []), { ...this.read(seller, code), owners }])
    return this.queue.answer(question, this.source)
  }

  /**
   * Records the data that a put has stored, which is the data with the same digest among all that the task has read
   * from the source. Throws if the task has read no such data, or if it is older than the stored data that it replaces.
   */
  #record({ readings }: Knowledge, { target, tag, digest = null }: Question): void {
    if (tag === null || tag === undefined) return
    const name = parseObjectKey(target)
    const reading = readings.get(name)?.findLast(({ value }) => digestValue(value) === digest)
    if (reading === undefined) throw new Difference(`${target} was put with data that no task has read`)
    const { sequence, value, owners } = reading
    const before = this.held.find(name)
    this.held.put({ name, sequence, value, tag, since: this.now })
    if (owners === undefined) return
    // If a product moved away, the data of its new owner changed too, even if no notice names that owner.
    for (const product of listGone(before?.value ?? null, value)) {
      const owner = owners.get(product) ?? null
      if (owner !== null && owner !== name) this.source.find(owner, sequence)
    }
  }
}

function isError(fate: Fate): boolean {
  return fate === 'failed' || fate === 'unheard'
}

/** Returns the keys of all objects of stories. Buckets without such a key are empty. */
export async function listKeys(): Promise<readonly string[]> {
  return Promise.all(STORY_NAMES.map(formatObjectKey))
}
