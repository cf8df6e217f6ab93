/** Simulates a builder that delivers objects with the real functions. Its outbox and cursor survive a crash. */
import { FORMAT } from '../../../src/domain/objects/object-data.ts'
import type { PushAnswer, PushBatch, TagsAnswer, TagsCall } from '../../../src/domain/wire/object-calls.ts'
import { compareObjects } from '../../../src/builder/publish/objects/compare-objects.ts'
import { deliverObjects } from '../../../src/builder/publish/objects/deliver-objects.ts'
import type { Delivery } from '../../../src/builder/publish/objects/delivery.ts'
import { readAllTags } from '../../../src/builder/publish/objects/tag-table.ts'
import { Difference } from '../difference.ts'
import { createGate } from './gate.ts'
import type { BuilderName } from './stories/happenings.ts'
import type { HeldReading } from './held-objects.ts'
import { STORY_NAMES } from './stories/source.ts'
import type { AskPage, Task } from './traffic.ts'

/** Everything that a builder needs from the rest of the story. */
export interface BuilderWorld {
  readonly now: () => number
  /** Number of edits so far. */
  readonly sequence: () => number
  /** Returns the objects that the log of changes names for the edits after number `after`. */
  readonly listChanged: (after: number) => readonly string[]
  /**
   * Returns the number of the edit up to which changes of the object are known, from the log or from a consumer; 0 for
   * none.
   */
  readonly findNoticed: (name: string) => number
  /**
   * Called when the builder removes an object from its outbox. Throws if the stored object is older than the data after
   * `edit`.
   */
  readonly checkForgotten: (name: string, edit: number) => void
  readonly openCode: () => BuilderCode
  /** Whether a seller of the story belongs to the bucket. */
  readonly isUsed: (bucket: number) => boolean
  readonly tags: (call: TagsCall, caller: Task) => Promise<TagsAnswer>
  /** Pushes a batch. `readings`: by object, the data that the builder has read from the source. */
  readonly push: (
    batch: PushBatch,
    readings: ReadonlyMap<string, HeldReading>,
    caller: Task,
  ) => Promise<PushAnswer>
}

interface BuilderCode {
  /** Hash of the code that makes data from documents. */
  readonly intake: string
  readonly read: (name: string) => HeldReading
}

/**
 * Number of the last edit that was read from the log. If both builders share one cursor, each change goes to only one
 * of them.
 */
export interface Cursor {
  edit: number
}

const NO_TAGS: TagsAnswer = { worker: { code: '', intake: '', format: FORMAT }, objects: [], next: null }

export class StoryBuilder {
  readonly name: BuilderName
  task: Task | null = null
  isShrinkAllowed = false
  readonly #world: BuilderWorld
  /** Objects to deliver, each with the number of the edit that the delivery must include. */
  readonly #outbox = new Map<string, number>()
  readonly #cursor: Cursor
  /** Whether the builder has compared all objects once. A builder without a state must begin with this comparison. */
  #hasState = false

  constructor(name: BuilderName, world: BuilderWorld, cursor: Cursor) {
    this.name = name
    this.#cursor = cursor
    this.#world = world
  }

  /** Whether the builder has compared all objects once, and has delivered every change that the log names. */
  get isSettled(): boolean {
    return (
      this.#hasState && this.#outbox.size === 0 && this.#world.listChanged(this.#cursor.edit).length === 0
    )
  }

  async run(ask: AskPage, task: Task, isWhole: boolean): Promise<void> {
    const world = this.#world
    const gate = createGate(ask, world.now())
    const isComparing = isWhole || !this.#hasState
    try {
      await gate.pass({ operation: 'read the log', target: this.name }, async () => this.#learn())
      const delivery = this.#createDelivery(gate, task)
      if (isComparing) await this.#compare(delivery)
      else await deliverObjects(delivery)
    } catch (error) {
      if (error instanceof Difference) throw error
      // All errors except a `Difference` come from faults that the story injects. Objects that were not delivered stay
      // in the outbox.
    }
    this.task = null
  }

  /** Adds to the outbox the sellers that the coordinator leaves to a builder, because the log may not name them. */
  claim(names: readonly string[]): void {
    for (const name of names) this.#outbox.set(name, this.#world.findNoticed(name))
  }

  #learn(): void {
    const { listChanged, sequence, findNoticed } = this.#world
    for (const name of listChanged(this.#cursor.edit)) this.#outbox.set(name, findNoticed(name))
    this.#cursor.edit = sequence()
  }

  /**
   * Compares all objects with the source. Reads the tags before the source, so that a put is rejected if another writer
   * has changed the object since then.
   */
  async #compare(delivery: Delivery): Promise<void> {
    const tags = await readAllTags(delivery.readTags)
    try {
      const read = await delivery.readObjects(STORY_NAMES)
      const sellers = STORY_NAMES.filter((name) => read(name) !== null)
      const named = new Set(delivery.outbox.read())
      const complete = (): void => void (this.#hasState = true)
      await compareObjects(delivery, { tags, sellers, read, named, failed: new Set(), complete })
    } finally {
      tags.close()
    }
  }

  #settle(name: string): void {
    const edit = this.#outbox.get(name)
    this.#outbox.delete(name)
    if (edit !== undefined) this.#world.checkForgotten(name, edit)
  }

  #createDelivery(gate: ReturnType<typeof createGate>, task: Task): Delivery {
    const { tags, push, isUsed, openCode } = this.#world
    const { intake, read } = openCode()
    const readings = new Map<string, HeldReading>()
    const add = (names: readonly string[]): void =>
      names.forEach((name) => this.#outbox.set(name, this.#outbox.get(name) ?? 0))
    return {
      outbox: {
        read: () => [...this.#outbox.keys()].sort(),
        add,
        postpone: (failures) => add(failures.map(({ seller }) => seller)),
        settle: (names) => names.forEach((name) => this.#settle(name)),
      },
      intake,
      isShrinkAllowed: this.isShrinkAllowed,
      sendFiles: async () => new Set(),
      countBytes: () => 0,
      readTags: async (call) => {
        if ('bucket' in call && !isUsed(call.bucket)) return NO_TAGS
        const target = 'names' in call ? call.names.join() : `bucket ${call.bucket}`
        return gate.pass({ operation: 'ask for tags', target }, () => tags(call, task))
      },
      readObjects: (names) =>
        gate.pass({ operation: 'read the source', target: names.join() }, async () => {
          for (const name of names) readings.set(name, read(name))
          return (name) => readings.get(name)?.value ?? null
        }),
      push: (batch) => {
        const target = batch.objects.map(({ name }) => name).join()
        return gate.pass({ operation: 'push', target }, () => push(batch, new Map(readings), task))
      },
    }
  }
}
