/**
 * Runs the tasks of a story, such as visits, calls, messages and builders. A task waits before each of its operations
 * until the story lets it continue. So one task runs at a time, and the same story always gives the same order of
 * operations.
 */
import type { SellerRead, TroubleKind } from '../../../src/edge/intake/seller-source.ts'
import type { Fate } from './stories/happenings.ts'

export interface Question {
  /**
   * `before`: the operation has not begun. `done`: the store has accepted or rejected a put. `answer`: the operation
   * has taken effect, and its answer is delayed.
   */
  readonly phase: 'before' | 'done' | 'answer'
  readonly operation: string
  readonly target: string
  /** New tag that a put returned; `null` if the put was rejected; absent except in phase `done`. */
  readonly tag?: string | null
  /** Digest of the put data; `null` for a tombstone; absent except in phase `done`. */
  readonly digest?: string | null
}

export interface FateVerdict {
  readonly fate: Fate
  /** Time of the story, in milliseconds. */
  readonly now: number
  /** Whether the cache ignores the operation: it finds nothing, or deletes nothing. */
  readonly isIgnored?: boolean
  /** Answer of the source; absent unless the operation reads a seller. */
  readonly source?: SourceAnswer
}

export type SourceAnswer =
  | SellerRead
  | { readonly kind: 'trouble'; readonly trouble: TroubleKind; readonly retryAfter: number }

export type AskPage = (question: Question) => Promise<FateVerdict>

export interface Task {
  readonly number: number
  readonly title: string
  /** The question that the story has not answered yet; `null` while the task runs or waits for another task. */
  readonly waiting: Question | null
}

/** Work that may go on after its result is known. `ended` never rejects. */
export interface Ongoing<Result> {
  readonly result: Promise<Result>
  readonly ended: Promise<void>
}

/** Answers each question of a task. May change the fate that the story chose. Throws if a check fails. */
type Judge = (task: Task, question: Question, fate: Fate) => FateVerdict

interface RunningTask extends Task {
  waiting: Question | null
  release: ((fate: Fate) => void) | null
  /** Rejects the call whose answer the task waits for; `null` if the task waits for no call. */
  hangUp: (() => void) | null
  child: RunningTask | null
  readonly parent: RunningTask | null
}

export class Traffic {
  readonly #judge: Judge
  readonly #tasks = new Map<number, RunningTask>()
  #running = 0
  #whenQuiet: (() => void)[] = []
  #count = 0
  #problem: { readonly error: unknown } | null = null

  constructor(judge: Judge) {
    this.#judge = judge
  }

  /** Tasks that wait until the story lets them continue, the oldest first. */
  get waiting(): readonly Task[] {
    return [...this.#tasks.values()].filter(({ waiting }) => waiting !== null)
  }

  isOver({ number }: Task): boolean {
    return !this.#tasks.has(number)
  }

  /** Starts a task. It is over when `run` has settled, or when it is dropped. */
  start(title: string, run: (ask: AskPage, task: Task) => Promise<void>): Task {
    return this.#start(title, null, run)
  }

  /**
   * Starts a task. The task `caller` waits for its result. If `caller` is over, starts nothing, and the returned
   * promise never settles.
   */
  call<Result>(
    caller: Task,
    title: string,
    run: (ask: AskPage, task: Task) => Ongoing<Result>,
  ): Promise<Result> {
    const parent = this.#tasks.get(caller.number)
    if (parent === undefined) return new Promise(() => {})
    return new Promise((resolve, reject) => {
      let isSettled = false
      const settle = (tell: () => void): void => {
        if (isSettled || this.isOver(parent)) return
        isSettled = true
        Object.assign(parent, { hangUp: null, child: null })
        this.#running += 1
        tell()
      }
      parent.hangUp = () => settle(() => reject(new Error('the call was not answered in time')))
      parent.child = this.#start(title, parent, async (ask, task) => {
        const { result, ended } = run(ask, task)
        try {
          const value = await result
          settle(() => resolve(value))
        } catch (error) {
          settle(() => reject(error))
        }
        await ended
      })
      this.#rest()
    })
  }

  /**
   * Lets a task, and the tasks for which it waits, do up to `steps` operations (`null`: all), the first with `fate`.
   */
  async proceed({ number }: Task, steps: number | null, fate: Fate = 'good'): Promise<void> {
    await this.quiet()
    let current = this.#tasks.get(number)
    let next = fate
    for (let left = steps ?? Infinity; left > 0; left -= 1) {
      current = this.#findActive(current)
      if (current?.release == null || this.isOver(current)) return
      current.release(next)
      next = 'good'
      await this.quiet()
    }
  }

  hangUp({ number }: Task): Promise<void> {
    this.#tasks.get(number)?.hangUp?.()
    return this.quiet()
  }

  /** Stops the task permanently. If another task waits for the result, its call is rejected. */
  async drop({ number }: Task): Promise<void> {
    const task = this.#tasks.get(number)
    this.#tasks.delete(number)
    // A task that waits neither for an operation nor for a call is counted as running, even if it has received a result
    // but not continued yet. A dropped task must no longer be counted.
    if (task !== undefined && task.waiting === null && task.child === null) this.#rest()
    const parent = task?.parent
    if (parent?.child?.number === number) await this.hangUp(parent)
  }

  /** Resolves when every task waits or is over. Rejects with the first error of a task or of the judge. */
  async quiet(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#whenQuiet.push(resolve))
    if (this.#problem !== null) throw this.#problem.error
  }

  #start(
    title: string,
    parent: RunningTask | null,
    run: (ask: AskPage, task: Task) => Promise<void>,
  ): RunningTask {
    const number = (this.#count += 1)
    const task: RunningTask = {
      number,
      title,
      parent,
      waiting: null,
      release: null,
      hangUp: null,
      child: null,
    }
    this.#tasks.set(number, task)
    this.#running += 1
    void run((question) => this.#ask(task, question), task)
      .catch((error: unknown) => {
        if (!this.isOver(task)) this.#problem ??= { error }
      })
      .then(() => {
        const isActive = task.waiting === null && task.child === null
        // `run` may settle while an operation that it does not await still waits. Such an operation never continues.
        // Its task is already counted as waiting, so `#rest` must not be called for it again.
        if (this.#tasks.delete(number) && isActive) this.#rest()
      })
    return task
  }

  /**
   * Returns the innermost task for which `task` waits; `task` itself if it waits for none. If `task` is over, begins
   * with the task that waited for it.
   */
  #findActive(task: RunningTask | undefined): RunningTask | undefined {
    let found = task
    while (found?.parent != null && this.isOver(found)) found = found.parent
    while (found?.child != null) found = found.child
    return found
  }

  async #ask(task: RunningTask, question: Question): Promise<FateVerdict> {
    if (this.isOver(task)) return new Promise(() => {})
    const fate = question.phase === 'done' ? 'good' : await this.#wait(task, question)
    try {
      return this.#judge(task, question, fate)
    } catch (error) {
      this.#problem ??= { error }
      return { fate: 'failed', now: 0 }
    }
  }

  #wait(task: RunningTask, question: Question): Promise<Fate> {
    return new Promise((resolve) => {
      task.waiting = question
      task.release = (fate) => {
        Object.assign(task, { waiting: null, release: null })
        this.#running += 1
        resolve(fate)
      }
      this.#rest()
    })
  }

  #rest(): void {
    this.#running -= 1
    if (this.#running > 0) return
    const waiting = this.#whenQuiet
    this.#whenQuiet = []
    for (const tell of waiting) tell()
  }
}
