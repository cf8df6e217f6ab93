/** How the harness calls the Worker of the proof. */
import type { PushBatch, TagsCall } from '../../../src/domain/wire/object-calls.ts'
import type { Answering, StoryBatch } from './edge.ts'
import type { StoryNotice } from './stories/story-queue.ts'

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

export type EdgeWork =
  | { readonly kind: 'visit'; readonly path: string }
  | { readonly kind: 'tags'; readonly call: TagsCall }
  | { readonly kind: 'push'; readonly batch: PushBatch }
  | { readonly kind: 'notice'; readonly notice: StoryNotice }
  | { readonly kind: 'deliver'; readonly batch: StoryBatch }
  | { readonly kind: 'alarm' | 'allow' }

export type RunCall =
  | (Around & EdgeWork)
  | { readonly kind: 'read waiting'; readonly story: string; readonly now: number }
