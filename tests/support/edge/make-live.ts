/** Publishes a version on a coordinator in memory, as a publisher that is never refused. */
import type { CoordinatorTwin } from '../../../scripts/prove/coordinator/coordinator-twin.ts'

type Publish = Parameters<CoordinatorTwin['publish']>

/** Begins a publish. Returns its lease, and throws if the coordinator refuses it. */
export function takePublishLease(twin: CoordinatorTwin, ...publish: Publish): string {
  const answer = twin.publish(...publish)
  if ('refused' in answer) throw new Error(`refused: ${answer.refused}`)
  return answer.lease
}

/** Publishes a version and reports that it is live. */
export function makeLive(twin: CoordinatorTwin, ...publish: Publish): void {
  twin.published(takePublishLease(twin, ...publish))
}
