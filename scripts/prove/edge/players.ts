/** Starts the tasks of a story, such as visits, builds and repeated pushes. */
import type { PushBatch } from '../../../src/domain/wire/object-calls.ts'
import { formatBucketPrefix } from '../../../src/domain/objects/object-key.ts'
import type { BuilderWorld, Cursor } from './builder.ts'
import { StoryBuilder } from './builder.ts'
import { ChangePlayers } from './change-players.ts'
import type { Answering, StoryEdge } from './edge.ts'
import { Difference } from '../difference.ts'
import type { BuilderName, Center, Code } from './stories/happenings.ts'
import { EDGE_BUILDERS, CENTERS } from './stories/happenings.ts'
import type { HeldReading } from './held-objects.ts'
import { findIntake } from './stories/story-renderer.ts'
import type { Task } from './traffic.ts'
import type { EdgeWorld } from './world.ts'

export interface EdgeStage {
  readonly world: EdgeWorld
  readonly players: Players
  readonly edge: StoryEdge
}

interface SentPush {
  readonly batch: PushBatch
  readonly readings: ReadonlyMap<string, HeldReading>
  readonly code: Code
}

export class Players {
  readonly builders: ReadonlyMap<BuilderName, StoryBuilder>
  readonly changes: ChangePlayers
  readonly #world: EdgeWorld
  readonly #edge: StoryEdge
  readonly #pushes: SentPush[] = []
  /** Tasks that end when the runtime is killed. */
  #served: readonly Task[] = []
  #visits = 0
  /** Prefixes of the buckets that stories use. */
  readonly #buckets: ReadonlySet<string>

  constructor(world: EdgeWorld, edge: StoryEdge, keys: readonly string[]) {
    this.#buckets = new Set(keys.map((key) => key.slice(0, formatBucketPrefix(0).length)))
    this.#world = world
    this.#edge = edge
    this.changes = new ChangePlayers(world, edge, (title, run) => this.#call(title, run))
    const shared: Cursor = { edit: 0 }
    this.builders = new Map(
      EDGE_BUILDERS.map((name) => [name, this.#createBuilder(name, world.isShared ? shared : { edit: 0 })]),
    )
  }

  visit(path: string, by: Answering): Task {
    const { traffic } = this.#world
    const title = `visit ${(this.#visits += 1)} of ${path} in ${by.center} by code ${by.code}`
    const since = this.#world.now
    const task = traffic.start(title, async (ask, own) => {
      this.#world.know(own, 'visit')
      const { result, ended } = this.#edge.run('visit', path, ask, by)
      await this.#world.check(path, by, await result, { task: own, since })
      await ended
    })
    return this.#serve(task)
  }

  build(builder: StoryBuilder, isWhole: boolean): Task {
    const what = isWhole ? 'compares' : 'delivers'
    builder.task ??= this.#world.traffic.start(`builder ${builder.name} ${what}`, async (ask, task) => {
      this.#world.know(task, 'builder')
      await builder.run(ask, task, isWhole)
    })
    return builder.task
  }

  async die(builder: StoryBuilder): Promise<void> {
    const { task } = builder
    builder.task = null
    if (task !== null) await this.#world.traffic.drop(task)
  }

  /**
   * Sends an earlier push again. `pick` counts back from the last push, which has number 0, and wraps around. Returns
   * `null` if there is no earlier push.
   */
  repeat(pick: number, center: Center): Task | null {
    const sent = this.#pushes.at(-1 - (pick % Math.max(1, this.#pushes.length)))
    if (sent === undefined) return null
    const { batch, readings, code } = sent
    const by = { ...this.#world.by(center), code }
    return this.#call(`a copy of a push`, async (ask, task) => {
      this.#world.know(task, 'call', { readings })
      await this.#edge.run('push', batch, ask, by).ended
    })
  }

  /** Kills the runtime: all tasks that run in it end. */
  async crash(): Promise<void> {
    const { traffic } = this.#world
    for (const task of this.#served) await traffic.drop(task)
    this.#served = []
    await this.#edge.crash()
    await traffic.quiet()
  }

  allow(): Task {
    return this.#call('a person permits the removals', async (ask, task) => {
      this.#world.know(task, 'call')
      await this.#edge.run('allow', null, ask, this.#world.by('east')).ended
    })
  }

  /**
   * Makes another version of the coordinator live. `isQueue`: whether that version renders changes itself. Throws a
   * `Difference` if it leaves changes to builders, but changes still wait for the Worker.
   */
  async handOver(isQueue: boolean): Promise<void> {
    await this.#edge.run('hand over', isQueue, null, this.#world.by('east')).ended
    const { waiting } = await this.#edge.readWaiting(this.#world.now)
    if (!isQueue && waiting > 0)
      throw new Difference(
        `${waiting} changes wait for the Worker, but the version that went live leaves changes to builders`,
      )
  }

  #call(title: string, run: Parameters<EdgeWorld['traffic']['start']>[1]): Task {
    // Ignores errors, because no caller waits for the result.
    return this.#serve(this.#world.traffic.start(title, (ask, task) => run(ask, task).catch(() => {})))
  }

  #serve(task: Task): Task {
    const { traffic } = this.#world
    this.#served = [...this.#served.filter((one) => !traffic.isOver(one)), task]
    return task
  }

  #createBuilder(name: BuilderName, cursor: Cursor): StoryBuilder {
    const world = this.#world
    const { traffic, source } = world
    // The second builder calls the older version of the Worker while both versions answer.
    const isOlder = name === EDGE_BUILDERS[1]
    const center = isOlder ? CENTERS[1] : CENTERS[0]
    const around: BuilderWorld = {
      now: () => world.now,
      sequence: () => source.sequence,
      listChanged: (after) => source.listChanged(after),
      findNoticed: (object) => source.findNoticed(object),
      checkForgotten: (object, edit) => world.checkForgotten(object, edit),
      openCode: () => {
        const { code } = world
        return { intake: findIntake(code), read: (object) => world.read(object, code) }
      },
      isUsed: (bucket) => this.#buckets.has(formatBucketPrefix(bucket)),
      tags: (call, caller) => {
        const by = world.by(center, isOlder)
        return traffic.call(caller, `tags for builder ${name}`, (ask, task) => {
          world.know(this.#serve(task), 'call')
          return this.#edge.run('tags', call, ask, by)
        })
      },
      push: (batch, readings, caller) => {
        const by = world.by(center, isOlder)
        this.#pushes.push({ batch, readings, code: by.code })
        return traffic.call(caller, `push of builder ${name}`, (ask, task) => {
          world.know(this.#serve(task), 'call', { readings })
          return this.#edge.run('push', batch, ask, by)
        })
      },
    }
    return new StoryBuilder(name, around, cursor)
  }
}
