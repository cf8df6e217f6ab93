/** The edge of a story: Workers of several versions in two data centres over one store and one coordinator. */
import type { LiveAnswer, PushAnswer, PushBatch, TagsAnswer, TagsCall } from '../../../src/domain/wire/object-calls.ts'
import type { Center, Code } from './happenings.ts'
import type { Ask } from './traffic.ts'

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

/** Every operation on the store, the cache, the coordinator and the queue is behind `ask`. `null`: without questions. */
export interface StoryEdge {
  /** `tell` gets the answer; work behind it ends later. */
  visit(ask: Ask | null, path: string, by: Answering, tell: (answer: Answer) => void): Promise<void>
  tags(ask: Ask | null, call: TagsCall, by: Answering): Promise<TagsAnswer>
  push(ask: Ask | null, batch: PushBatch, by: Answering): Promise<PushAnswer>
  live(ask: Ask | null, by: Answering): Promise<LiveAnswer>
  /** A message of the refill. Resolves when it is acknowledged. */
  refill(ask: Ask | null, message: string, by: Answering): Promise<void>
  /** What runs ends; what is stored stays. */
  crash(): Promise<void>
  close(): Promise<void>
}
