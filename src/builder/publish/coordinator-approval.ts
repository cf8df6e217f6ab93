/** The part of a coordinator that leads publishing, asked by signed calls. */
import { nullable, number, object, picklist, string, union } from 'valibot'
import type { PublishApproval } from './publish-approval.ts'
import type { CoordinatorClient } from './coordinator-client.ts'

const ANSWER = union([
  object({ lease: string(), lasts: number() }),
  object({ refused: picklist(['held', 'busy', 'older']), reason: string() }),
])
const HELD = object({ busyUntil: nullable(string()) })
const NOTHING = object({})

/** The lease of a call that is not about one has never ended. */
const NO_LEASE = 'the coordinator answered that a lease had ended, which nobody asked'

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
