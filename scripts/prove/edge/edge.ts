/** The edge of a story: Workers of several versions in two data centres over one store and one coordinator. */
import type { PushAnswer, PushBatch, TagsAnswer, TagsCall } from '../../../src/domain/wire/object-calls.ts'
import type { ChangeMessage } from '../../../src/edge/coordinator/change-ledger.ts'
import type { Center, Code } from './stories/happenings.ts'
import type { StoryNotice } from './stories/story-queue.ts'
import type { AskPage, Ongoing } from './traffic.ts'

/** The Worker that answers a call: its data centre, its version, and the time of the story. */
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

/** The calls of a Worker, each with the type of its argument. All arguments can be serialized. */
export interface EdgeCalls {
  /** Path of a page. */
  readonly visit: string
  readonly tags: TagsCall
  readonly push: PushBatch
  /** Rejects if the notice is not accepted. */
  readonly notice: StoryNotice
  /** Fires the alarm of the coordinator. */
  readonly alarm: null
  readonly deliver: StoryBatch
  /** A person allows the removals that the guard has refused. */
  readonly allow: null
  /** Another version goes live. The argument says whether that version renders changes itself. */
  readonly 'hand over': boolean
}

export interface EdgeAnswers {
  readonly visit: EdgeAnswer
  readonly tags: TagsAnswer
  readonly push: PushAnswer
  readonly notice: void
  readonly alarm: void
  /** For each message, `true` if it was acknowledged. */
  readonly deliver: readonly boolean[]
  readonly allow: void
  readonly 'hand over': void
}

export type EdgeKind = keyof EdgeCalls

export interface StoryWorker {
  /** If `ask` is `null`, the story is not asked, and no fault is injected. */
  run<Kind extends EdgeKind>(
    kind: Kind,
    call: EdgeCalls[Kind],
    ask: AskPage | null,
    by: Answering,
  ): Ongoing<EdgeAnswers[Kind]>
}

/** Messages that the queue delivers together. Can be serialized. */
export interface StoryBatch {
  readonly messages: readonly { readonly body: ChangeMessage; readonly attempts: number }[]
  /** Whether the batch comes from the dead-letter queue. */
  readonly isBuried: boolean
}

/**
 * The Workers of one story with their surroundings. Unless `ask` is `null`, they call `ask` before operations on the
 * store, the cache, the coordinator, the queue and the source; `gated-parts.ts` states the exceptions.
 */
export interface StoryEdge extends StoryWorker {
  /** Kills the runtime: running work ends, and stored data survives. */
  crash(): Promise<void>
  readWaiting(now: number): Promise<StoryWaiting>
  close(): Promise<void>
}

/** The status of changes at the coordinator. Can be serialized. */
export interface StoryWaiting {
  /** Number of changes that are not settled. Changes left to a builder are not counted. */
  readonly waiting: number
  /** Sellers that the coordinator leaves to a builder. */
  readonly left: readonly string[]
  /** Time of the coordinator's next action, in milliseconds since 1970; `null` if none is planned. */
  readonly nextAt: number | null
}

/** Fields of every call from the harness, which runs in Node, to the proof's Worker. */
export interface Around {
  readonly story: string
  /** Number of the task, which its questions to the harness contain; `null` for a task that asks nothing. */
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
