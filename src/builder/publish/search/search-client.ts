/** The calls about the search index. The coordinator's client signs and sends them. */
import { SEARCH_CALLS } from '../../../domain/wire/search-calls.ts'
import type { CallMethods } from '../coordinator/call-methods.ts'
import { createMethods } from '../coordinator/call-methods.ts'
import type { CoordinatorClient } from '../coordinator/coordinator-client.ts'
import { CallError } from '../coordinator/coordinator-client.ts'

export type SearchClient = CallMethods<typeof SEARCH_CALLS>

const NOT_FOUND = 404

/** Each method retries like all calls to the coordinator. It throws a `CallError` if the call still fails. */
export function createSearchClient({ ask }: Pick<CoordinatorClient, 'ask'>): SearchClient {
  return createMethods(SEARCH_CALLS, (call, body) => ask(call, body))
}

/** Returns whether the error says that the site has no search index: its Worker is older, or lacks the binding. */
export function isWithoutIndex(error: unknown): boolean {
  return error instanceof CallError && error.status === NOT_FOUND
}
