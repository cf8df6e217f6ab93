/** The HTTP routes of `/api/rebuild`: verifies, parses and answers calls. Errors reveal nothing useful to a forger. */
import type { RateLimit } from 'cloudflare:workers'
import type { Call } from '../../domain/wire/call.ts'
import { METHOD } from '../../domain/wire/call.ts'
import { COORDINATOR_CALLS } from '../../domain/wire/calls.ts'
import type { CallSecrets } from '../../domain/wire/secrets.ts'
import type { SignedCall } from '../../domain/wire/read-signed.ts'
import { readSigned } from '../../domain/wire/read-signed.ts'
import { decodeText } from '../../domain/wire/signature.ts'
import { isSecret } from '../../domain/wire/secrets.ts'
import type { Coordinator } from '../coordinator/coordinator.ts'
import type { CallGuard } from './call-guard.ts'
import { BLOCKED } from './call-guard.ts'
import { COORDINATOR_HANDLERS } from './coordinator-handlers.ts'
import type { Route } from './handlers.ts'
import { createRoutes } from './handlers.ts'
import { refuse, RETRY_AFTER } from './refuse.ts'
import { readMessage } from '../../domain/documents/errors.ts'

export interface ApiOptions {
  readonly secrets: CallSecrets
  /** All calls of an isolate share this guard. */
  readonly guard: CallGuard
  /** Counts calls that ended with 401. Absent in a Worker that was deployed with an older configuration. */
  readonly limit?: RateLimit
  /** Called only for calls with a valid signature and a valid body. */
  readonly openCoordinator: () => Coordinator
  /** Receives a line when the coordinator fails. */
  readonly log: (line: string) => void
}

const ROUTES: ReadonlyMap<string, Route<Coordinator>> = new Map(
  createRoutes(COORDINATOR_CALLS, COORDINATOR_HANDLERS),
)

export async function answerCall(request: Request, options: ApiOptions): Promise<Response> {
  const answer = await answerRoute(request, options)
  answer.headers.set('cache-control', 'no-store')
  answer.headers.set('x-content-type-options', 'nosniff')
  return answer
}

async function answerRoute(request: Request, options: ApiOptions): Promise<Response> {
  const route = ROUTES.get(new URL(request.url).pathname)
  if (route === undefined) return refuse(404)
  if (request.method !== METHOD) return refuse(405, { allow: METHOD })
  if (!isJson(request.headers.get('content-type'))) return refuse(415)
  const signed = await readCall(request, route.call, options)
  if (signed instanceof Response) return signed
  const { id, secret, body } = signed
  const sender = { id, isBuilder: options.secrets.builders.includes(secret) }
  try {
    return await route.answer(options.openCoordinator, decodeText(body) ?? '', sender)
  } catch (error) {
    options.log(`rebuild: the coordinator failed: ${readMessage(error)}`)
    return refuse(503, { 'retry-after': RETRY_AFTER })
  }
}

async function readCall(
  request: Request,
  { opens, limits }: Call,
  { secrets, guard, limit }: ApiOptions,
): Promise<SignedCall | Response> {
  const usable = secrets[opens].filter(isSecret)
  // No secret is configured yet: a server error, so the sender should retry.
  if (usable.length === 0) return refuse(503, { 'retry-after': RETRY_AFTER })
  const { headers } = request
  const isBlocked = guard.isBlocked(headers)
  const { room } = guard
  const signed = await readSigned(request, { secrets: usable, limits, room, isHeadNeeded: isBlocked })
  if (typeof signed !== 'number') return signed
  if (signed !== 401) return refuse(signed, signed === 503 ? { 'retry-after': RETRY_AFTER } : {})
  if (isBlocked) return refuse(429, { 'retry-after': String(BLOCKED) })
  await guard.noteRefusal(headers, limit)
  return refuse(401)
}

function isJson(type: string | null): boolean {
  return /^application\/json\s*(;|$)/i.test(type?.trim() ?? '')
}
