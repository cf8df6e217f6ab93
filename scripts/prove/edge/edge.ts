/** The edge of a story: Workers of several versions in two data centres over one store and one coordinator. */
import type {
  LiveAnswer,
  PushAnswer,
  PushBatch,
  TagsAnswer,
  TagsCall,
} from '../../../src/domain/wire/object-calls.ts'
import type { RefillMessage } from '../../../src/edge/coordinator/object-ledger.ts'
import type { Center, Code } from './happenings.ts'
import type { Ask, Ongoing } from './traffic.ts'

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

/** The calls of a Worker. Without `ask` nothing is asked. */
export interface StoryWorker {
  visit(ask: Ask | null, path: string, by: Answering): Ongoing<Answer>
  tags(ask: Ask | null, call: TagsCall, by: Answering): Ongoing<TagsAnswer>
  push(ask: Ask | null, batch: PushBatch, by: Answering): Ongoing<PushAnswer>
  live(ask: Ask | null, by: Answering): Ongoing<LiveAnswer>
  /** Tells whether the message is acknowledged. */
  refill(ask: Ask | null, message: StoryMessage, by: Answering): Ongoing<boolean>
}

/** Serializes. */
export interface StoryMessage {
  readonly body: RefillMessage
  readonly attempts: number
}

/** Every operation on the store, the cache, the coordinator and the queue is behind a question, if somebody is asked. */
export interface StoryEdge extends StoryWorker {
  /** What runs ends; what is stored stays. */
  crash(): Promise<void>
  /** Returns the message of a refill that does not move, if its time has come. */
  restartRefill(now: number): Promise<string | null>
  close(): Promise<void>
}
