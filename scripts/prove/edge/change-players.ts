/**
 * Starts the tasks of a story in which the Worker renders changes: notices, the coordinator's alarm, and the queue's
 * batches.
 */
import type { StoryEdge } from './edge.ts'
import type { EdgeChange } from './stories/happenings.ts'
import type { QueuedChange, StoryNotice } from './stories/story-queue.ts'
import type { AskPage, Task } from './traffic.ts'
import type { EdgeWorld } from './world.ts'

/** Starts a task that runs in the Worker, and so ends early if the runtime is killed. */
type Serve = (title: string, run: (ask: AskPage, task: Task) => Promise<void>) => Task

type Delivery = Extract<EdgeChange, { kind: 'deliver' }>

export class ChangePlayers {
  readonly #world: EdgeWorld
  readonly #edge: StoryEdge
  readonly #serve: Serve

  constructor(world: EdgeWorld, edge: StoryEdge, serve: Serve) {
    this.#world = world
    this.#edge = edge
    this.#serve = serve
  }

  /** Starts the delivery of a notice. An accepted notice is removed from `queue.notices`, unless `isRepeated`. */
  notice(notice: StoryNotice, isRepeated: boolean): Task {
    const { queue } = this.#world
    const by = this.#world.by('east')
    return this.#serve(`notice of ${notice.sellers.join()}`, async (ask, task) => {
      this.#world.know(task, 'call')
      const { result, ended } = this.#edge.run('notice', notice, ask, by)
      await result
      if (!isRepeated && queue.notices.includes(notice))
        queue.notices.splice(queue.notices.indexOf(notice), 1)
      await ended
    })
  }

  alarm(): Task {
    return this.#serve('alarm', async (ask, task) => {
      this.#world.know(task, 'call')
      await this.#edge.run('alarm', null, ask, this.#world.by('east')).ended
    })
  }

  deliver({ pick, count, isRepeated, isOlder }: Omit<Delivery, 'kind' | 'steps'>): Task | null {
    const messages = this.#world.queue.take(pick, count)
    if (messages.length === 0) return null
    const by = this.#world.by('east', isOlder)
    const names = messages.map(({ body }) => JSON.stringify(body.name)).join()
    return this.#serve(`changes ${names} to code ${by.code}`, async (ask, task) => {
      this.#world.know(task, 'consumer', { code: by.code })
      // A real batch comes from one queue, so messages of the other queue are left out.
      const isBuried = messages[0]?.isBuried ?? false
      const batch = messages.filter((message) => message.isBuried === isBuried)
      const sent = batch.map(({ body, attempts }) => ({ body, attempts }))
      for (const message of batch) message.attempts += 1
      const { result, ended } = this.#edge.run('deliver', { messages: sent, isBuried }, ask, by)
      const done = await result
      if (!isRepeated) this.#forget(batch.filter((_, index) => done[index] === true))
      await ended
    })
  }

  #forget(messages: readonly QueuedChange[]): void {
    for (const message of messages) this.#world.queue.forget(message)
  }
}
