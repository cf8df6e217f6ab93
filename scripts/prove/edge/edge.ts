/** The edge of a story: Workers of several versions in two data centres over one store and one coordinator. */
import type { PushAnswer, PushBatch, TagsAnswer, TagsCall } from '../../../src/domain/wire/object-calls.ts'
import type { ChangeMessage } from '../../../src/edge/coordinator/change-ledger.ts'
import type { Center, Code } from './stories/happenings.ts'
import type { StoryNotice } from './stories/story-queue.ts'
import type { Ask, Ongoing } from './traffic.ts'

/** The questions of a story, at its time. */
export interface Answering {
  readonly center: Center
  readonly code: Code
  readonly now: number
}

export interface EdgeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The calls of a Worker. Without `ask` nothing is asked. */
export interface StoryWorker {
  visit(ask: Ask | null, path: string, by: Answering): Ongoing<EdgeAnswer>
  tags(ask: Ask | null, call: TagsCall, by: Answering): Ongoing<TagsAnswer>
  push(ask: Ask | null, batch: PushBatch, by: Answering): Ongoing<PushAnswer>
  /** Rejects if the notice is not accepted. */
  notice(ask: Ask | null, notice: StoryNotice, by: Answering): Ongoing<void>
  /** The alarm of the coordinator. */
  alarm(ask: Ask | null, by: Answering): Ongoing<void>
  /** Returns the acknowledged messages. */
  deliver(ask: Ask | null, batch: StoryBatch, by: Answering): Ongoing<readonly boolean[]>
  /** A person allows the refusals of the guard. */
  allow(ask: Ask | null, by: Answering): Ongoing<void>
}

/** Serializes. */
export interface StoryBatch {
  readonly messages: readonly { readonly body: ChangeMessage; readonly attempts: number }[]
  /** Whether it comes from the queue of messages that were given up. */
  readonly isBuried: boolean
}

/**
 * Every operation on the store, the cache, the coordinator and the queue is behind a question, if the story asks any.
 */
export interface StoryEdge extends StoryWorker {
  /** Running work ends; stored data stays. */
  crash(): Promise<void>
  readWaiting(now: number): Promise<StoryWaiting>
  close(): Promise<void>
}

/** The status of changes at the coordinator. Serializes. */
export interface StoryWaiting {
  /** Number of changes that are not settled, those left to a builder not included. */
  readonly waiting: number
  /** Sellers that are left to a builder, which the builders' ledger names. */
  readonly left: readonly string[]
  /** When it acts next, in ms; `null` for never. */
  readonly nextAt: number | null
}
