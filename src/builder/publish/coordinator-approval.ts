/** The coordinator's calls about publishing, over its signed client. */
import { nullable, number, object, picklist, string, union } from 'valibot'
import type { PublishApproval } from './publish-approval.ts'
import type { CoordinatorClient } from './coordinator-client.ts'

const ANSWER = union([
  object({ lease: string(), lasts: number() }),
  object({ refused: picklist(['held', 'busy', 'older']), reason: string() }),
])
const HELD = object({ busyUntil: nullable(string()) })
const NOTHING = object({})

/** For an answer that these calls, which name no lease, cannot have. */
const NO_LEASE = 'the coordinator reported the end of a lease for a call without one'

export function createCoordinatorApproval({
  ask,
  status,
}: Pick<CoordinatorClient, 'ask' | 'status'>): PublishApproval {
  return {
    readStatus: status,
    begin: async (call) => (await ask(ANSWER, '/publish', call)) ?? fail(),
    end: async (lease, isLive) => (await ask(NOTHING, '/published', { lease, isLive })) !== null,
    hold: async (reason, live) => (await ask(HELD, '/hold', { reason, live })) ?? fail(),
    release: async () => {
      await ask(NOTHING, '/release', { release: true })
    },
  }
}

function fail(): never {
  throw new Error(NO_LEASE)
}
