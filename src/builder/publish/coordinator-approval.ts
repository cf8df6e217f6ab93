/** The coordinator's calls about publishing, over its signed client. */
import { nullable, number, object, picklist, string, union } from 'valibot'
import type { PublishApproval } from './publish-approval.ts'
import type { CoordinatorClient } from './coordinator-client.ts'
import { CallError } from './coordinator-client.ts'

const ANSWER = union([
  object({ lease: string(), lasts: number() }),
  object({ refused: picklist(['held', 'busy', 'older']), reason: string() }),
])
const HELD = object({ busyUntil: nullable(string()) })
const NOTHING = object({})

const MALFORMED = 400

/** For an answer that these calls, which name no lease, cannot have. */
const NO_LEASE = 'the coordinator reported the end of a lease for a call without one'

/** `by` is who calls, for the coordinator's record. */
export function createCoordinatorApproval(
  { ask, status }: Pick<CoordinatorClient, 'ask' | 'status'>,
  by: string,
): PublishApproval {
  const askAs: CoordinatorClient['ask'] = async (schema, path, body) => {
    try {
      return await ask(schema, path, { ...body, by })
    } catch (error) {
      // A live site of before this code does not know the field.
      if (error instanceof CallError && error.status === MALFORMED) return ask(schema, path, body)
      throw error
    }
  }
  return {
    readStatus: status,
    begin: async (call) => (await askAs(ANSWER, '/publish', call)) ?? fail(),
    end: async (lease, isLive) => (await askAs(NOTHING, '/published', { lease, isLive })) !== null,
    hold: async (reason, live) => (await askAs(HELD, '/hold', { reason, live })) ?? fail(),
    release: async () => {
      await askAs(NOTHING, '/release', { release: true })
    },
    forced: async (call) => {
      await ask(NOTHING, '/forced', call)
    },
  }
}

function fail(): never {
  throw new Error(NO_LEASE)
}
