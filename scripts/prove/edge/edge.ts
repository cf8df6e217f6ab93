/** The edge of a story: Workers of several versions in two data centres over one store and one coordinator. */
import type { PushAnswer, PushBatch, TagsAnswer, TagsCall } from '../../../src/domain/wire/object-calls.ts'
import type { ChangeMessage } from '../../../src/edge/coordinator/change-ledger.ts'
import type { Center, Code } from './stories/happenings.ts'
import type { StoryNotice } from './stories/story-queue.ts'
import type { AskPage, Ongoing } from './traffic.ts'

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

/** The calls of a Worker, with what each is given. Serializes. */
export interface EdgeCalls {
  /** Path of a page. */
  readonly visit: string
  readonly tags: TagsCall
  readonly push: PushBatch
  /** Rejects if the notice is not accepted. */
  readonly notice: StoryNotice
  /** The alarm of the coordinator. */
  readonly alarm: null
  readonly deliver: StoryBatch
  /** A person allows the refusals of the guard. */
  readonly allow: null
  /** Another version goes live, which renders changes itself, or does not. */
  readonly 'hand over': boolean
}

export interface EdgeAnswers {
  readonly visit: EdgeAnswer
  readonly tags: TagsAnswer
  readonly push: PushAnswer
  readonly notice: void
  readonly alarm: void
  /** The acknowledged messages. */
  readonly deliver: readonly boolean[]
  readonly allow: void
  readonly 'hand over': void
}

export type EdgeKind = keyof EdgeCalls

export interface StoryWorker {
  /** `ask` is optional: without it no request is made. */
  run<Kind extends EdgeKind>(
    kind: Kind,
    call: EdgeCalls[Kind],
    ask: AskPage | null,
    by: Answering,
  ): Ongoing<EdgeAnswers[Kind]>
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

/** How the harness calls the Worker of the proof. */
export interface Around {
  readonly story: string
  /** Number of the task for questions; `null` for a task without questions. */
  readonly task: number | null
  /** Origin of the server that answers the questions. */
  readonly harness: string
  readonly keys: readonly string[]
  readonly origin: string
  readonly maxAge: number
  readonly by: Answering
}

export type WorkCall<Kind extends EdgeKind = EdgeKind> = {
  readonly [Name in Kind]: Around & { readonly kind: Name; readonly call: EdgeCalls[Name] }
}[Kind]

export type RunCall =
  | WorkCall
  | { readonly kind: 'read waiting'; readonly story: string; readonly now: number }
