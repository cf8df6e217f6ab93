/** The edge of a story: Workers of several versions in two data centres over one store and one coordinator. */
import type { Center, Code } from './happenings.ts'
import type { StoryWorker } from './story-worker.ts'

/** Who answers, at which time of the story. */
export interface Answering {
  readonly center: Center
  readonly code: Code
  readonly now: number
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Every operation on the store, the cache, the coordinator and the queue is behind a question, if somebody is asked. */
export interface StoryEdge extends StoryWorker {
  /** What runs ends; what is stored stays. */
  crash(): Promise<void>
  /** Returns the message of a refill that does not move, if its time has come. */
  restartRefill(now: number): Promise<string | null>
  close(): Promise<void>
}
