/** A builder of a story: its state survives its death. It delivers with the real functions. */
import type { ObjectData, ObjectName } from '../../../src/domain/objects/object-data.ts'
import type { PushAnswer, PushBatch, TagsAnswer, TagsCall } from '../../../src/domain/wire/object-calls.ts'
import type { Delivery } from '../../../src/builder/publish/delivery.ts'
import { Difference } from '../check-run.ts'
import { createGate } from './gate.ts'
import type { BuilderName } from './happenings.ts'
import type { Reading } from './held-objects.ts'
import type { Ask, Task } from './traffic.ts'

/** What a builder has around it. */
export interface BuilderWorld {
  readonly now: () => number
  /** Number of edits so far. */
  readonly sequence: () => number
  /** Objects that changed after this edit. */
  readonly listChanged: (after: number) => readonly ObjectName[]
  /** The last edit of the object that a log tells. */
  readonly findTold: (name: ObjectName) => number
  /** Throws if the object is older than its data after this edit. */
  readonly checkForgotten: (name: ObjectName, edit: number) => void
  /** As this builder's code takes them in. */
  readonly read: (name: ObjectName) => Reading
  readonly tags: (call: TagsCall, caller: Task) => Promise<TagsAnswer>
  /** The readings are those of the batch. */
  readonly push: (batch: PushBatch, readings: ReadonlyMap<ObjectName, Reading>, caller: Task) => Promise<PushAnswer>
  readonly deliver: (delivery: Delivery, isWhole: boolean) => Promise<unknown>
}

export class StoryBuilder {
  readonly name: BuilderName
  task: Task | null = null
  readonly #world: BuilderWorld
  /** With the edit that it has to deliver. */
  readonly #outbox = new Map<ObjectName, number>()
  /** The last edit that it knows of. */
  #cursor = 0
  /** Whether it has compared everything once. */
  #hasState = false

  constructor(name: BuilderName, world: BuilderWorld) {
    this.name = name
    this.#world = world
  }

  /** Whether it has delivered everything that it can know. */
  get isSettled(): boolean {
    return this.#hasState && this.#outbox.size === 0 && this.#world.listChanged(this.#cursor).length === 0
  }

  async run(ask: Ask, task: Task, isWhole: boolean): Promise<void> {
    const world = this.#world
    const gate = createGate(ask, world.now())
    const isComparing = isWhole || !this.#hasState
    try {
      await gate.pass({ operation: 'read the log', target: this.name }, async () => this.#learn())
      await world.deliver(this.#createDelivery(gate, task), isComparing)
      if (isComparing) this.#hasState = true
    } catch (error) {
      if (error instanceof Difference) throw error
      // What failed stays in the outbox.
    }
    this.task = null
  }

  #learn(): void {
    const { listChanged, sequence, findTold } = this.#world
    for (const name of listChanged(this.#cursor)) this.#outbox.set(name, findTold(name))
    this.#cursor = sequence()
  }

  #forget(name: ObjectName): void {
    const edit = this.#outbox.get(name)
    this.#outbox.delete(name)
    if (edit !== undefined) this.#world.checkForgotten(name, edit)
  }

  #createDelivery(gate: ReturnType<typeof createGate>, task: Task): Delivery {
    const { tags, push, read } = this.#world
    const readings = new Map<ObjectName, Reading>()
    return {
      outbox: {
        read: () => [...this.#outbox.keys()].sort(),
        forget: (names) => names.forEach((name) => this.#forget(name)),
      },
      readTags: (call) => {
        const target = 'names' in call ? call.names.join() : `bucket ${call.bucket}`
        return gate.pass({ operation: 'ask for tags', target }, () => tags(call, task))
      },
      readObjects: (names) =>
        gate.pass({ operation: 'read the source', target: names.join() }, async () => {
          for (const name of names) readings.set(name, read(name))
          return new Map<ObjectName, ObjectData | null>(
            names.map((name) => [name, readings.get(name)?.value ?? null]),
          )
        }),
      push: (batch) => {
        const target = batch.objects.map(({ name }) => name).join()
        return gate.pass({ operation: 'push', target }, () => push(batch, new Map(readings), task))
      },
    }
  }
}
