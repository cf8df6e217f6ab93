/**
 * Limits calls without signed headers: bounds the memory for their bodies in each isolate, and blocks a network in an
 * isolate for a minute if too many of its calls end with 401. Calls with signed headers are never blocked.
 */
import type { RateLimit } from 'cloudflare:workers'
import type { BodyRoom } from '../../domain/wire/body-room.ts'
import { createBodyRoom } from '../../domain/wire/body-room.ts'
import { formatNetwork } from '../search/search-limit.ts'

export interface CallGuard {
  readonly room: BodyRoom
  isBlocked(caller: Headers): boolean
  /** Counts a call that ended with 401, and blocks its network when `limit` is exceeded. Never rejects. */
  noteRefusal(caller: Headers, limit: RateLimit | undefined): Promise<void>
}

export interface CallEnvironment {
  /** Absent in a Worker that was deployed with an older configuration. */
  readonly CALL_LIMIT?: RateLimit
}

/** Memory for the bodies of calls without signed headers, in bytes. */
const ROOM = 4 * 1024 * 1024

/** How long a network is blocked, in seconds. */
export const BLOCKED = 60

/** Max networks that are blocked at a time. When there are more, the oldest is unblocked. */
const MOST_BLOCKED = 1_000

export function createCallGuard(log: (line: string) => void, now: () => number = Date.now): CallGuard {
  /** End of the block of each network, in milliseconds since 1970. */
  const blocked = new Map<string, number>()
  const block = (network: string): void => {
    blocked.delete(network)
    blocked.set(network, now() + BLOCKED * 1_000)
    const [oldest] = blocked.keys()
    if (blocked.size > MOST_BLOCKED && oldest !== undefined) blocked.delete(oldest)
  }
  return {
    room: createBodyRoom(ROOM),
    isBlocked: (caller) => (blocked.get(findNetwork(caller)) ?? 0) > now(),
    noteRefusal: async (caller, limit) => {
      try {
        const network = findNetwork(caller)
        if ((await limit?.limit({ key: network }))?.success === false) block(network)
      } catch {
        log('rebuild: the rate limit for refused calls failed, so this caller is not blocked')
      }
    },
  }
}

function findNetwork(caller: Headers): string {
  return formatNetwork(caller.get('cf-connecting-ip') ?? '')
}
