/** The HTTP routes of `/api/rebuild`: verifies, parses and answers calls. Errors reveal nothing useful to a forger. */
import {
  LARGEST_BODY,
  parseClaim,
  parseForced,
  parseHold,
  parseNotice,
  parsePublish,
  parsePublished,
  parseRelease,
  parseRenew,
  parseReport,
  parseStatusQuery,
} from '../../domain/wire/bodies.ts'
import type { CallSecrets } from '../../domain/wire/secrets.ts'
import { readBody } from '../../domain/wire/read-body.ts'
import { createVerifier, decodeText } from '../../domain/wire/signature.ts'
import { isSecret } from '../../domain/wire/secrets.ts'
import type { Coordinator } from '../coordinator/coordinator.ts'

export interface ApiOptions {
  readonly secrets: CallSecrets
  /** Called only for calls with a valid signature and a valid body. */
  readonly openCoordinator: () => Coordinator
  /** Receives a line when the coordinator fails. */
  readonly log: (line: string) => void
}

/** Returns `null` when the call is malformed. */
type Prepare = (body: unknown, id: string) => ((coordinator: Coordinator) => Promise<Response>) | null

const LIMITS = { size: LARGEST_BODY, time: 10_000 }
const RETRY_AFTER = '10'

const REASONS = {
  400: 'malformed',
  401: 'unauthorized',
  404: 'not found',
  405: 'use POST',
  408: 'the body took too long',
  413: 'the body is too large',
  415: 'send application/json',
  503: 'not stored, send it again',
} as const

/** A call, and the secrets that open it. */
interface Route {
  readonly opens: keyof CallSecrets
  readonly prepare: Prepare
}

const NOTICES: Route = {
  opens: 'notices',
  prepare: prepareCall(parseNotice, (coordinator, notice) => coordinator.accept(notice), 202),
}

const BUILDERS_CALLS: readonly (readonly [path: string, prepare: Prepare])[] = [
  ['/claim', prepareCall(parseClaim, (coordinator, claim) => coordinator.claim(claim))],
  ['/renew', prepareCall(parseRenew, (coordinator, lease) => coordinator.renew(lease))],
  ['/done', prepareCall(parseReport, (coordinator, report) => coordinator.report(report))],
  ['/status', prepareCall(parseStatusQuery, (coordinator, query) => coordinator.status(query))],
  ['/publish', prepareCall(parsePublish, (coordinator, call) => coordinator.publish(call))],
  ['/published', prepareCall(parsePublished, (coordinator, end) => coordinator.published(end))],
  ['/hold', prepareCall(parseHold, (coordinator, hold) => coordinator.hold(hold))],
  ['/release', prepareCall(parseRelease, (coordinator, release) => coordinator.release(release))],
  ['/forced', prepareCall(parseForced, (coordinator, forced) => coordinator.forced(forced))],
]

const ROUTES: ReadonlyMap<string, Route> = new Map([
  ['/api/rebuild', NOTICES],
  ...BUILDERS_CALLS.map(([path, prepare]): [string, Route] => [
    `/api/rebuild${path}`,
    { opens: 'builders', prepare },
  ]),
])

export async function answerCall(request: Request, options: ApiOptions): Promise<Response> {
  const route = ROUTES.get(new URL(request.url).pathname)
  if (route === undefined) return refuse(404)
  if (request.method !== 'POST') return refuse(405, { allow: 'POST' })
  if (!isJson(request.headers.get('content-type'))) return refuse(415)
  const bytes = await readBody(request, LIMITS)
  if (typeof bytes === 'number') return refuse(bytes)
  const verify = openVerifier(options.secrets[route.opens])
  // No secret is configured yet: a server error, so the sender should retry.
  if (verify === null) return refuse(503, { 'retry-after': RETRY_AFTER })
  const id = verify(request.headers, bytes)
  if (id === null) return refuse(401)
  const call = route.prepare(parseJson(bytes), id)
  return call === null ? refuse(400) : callCoordinator(call, options)
}

async function callCoordinator(
  call: (coordinator: Coordinator) => Promise<Response>,
  { openCoordinator, log }: ApiOptions,
): Promise<Response> {
  try {
    return await call(openCoordinator())
  } catch (error) {
    log(`rebuild: the coordinator failed: ${error instanceof Error ? error.message : String(error)}`)
    return refuse(503, { 'retry-after': RETRY_AFTER })
  }
}

function prepareCall<Body, Answer extends object>(
  parse: (body: unknown, id: string) => Body | null,
  send: (coordinator: Coordinator, body: Body) => Promise<Answer | null>,
  status = 200,
): Prepare {
  return (json, id) => {
    const body = parse(json, id)
    if (body === null) return null
    return async (coordinator) => {
      const answer = await send(coordinator, body)
      // The caller's lease has expired, or another builder holds it.
      return answer === null
        ? Response.json({ error: 'the lease is not yours' }, { status: 409 })
        : Response.json(answer, { status })
    }
  }
}

function openVerifier(secrets: readonly string[]): ReturnType<typeof createVerifier> | null {
  const usable = secrets.filter(isSecret)
  return usable.length === 0 ? null : createVerifier(usable)
}

function refuse(status: keyof typeof REASONS, headers: Record<string, string> = {}): Response {
  return Response.json({ error: REASONS[status] }, { status, headers })
}

function isJson(type: string | null): boolean {
  return /^application\/json\s*(;|$)/i.test(type?.trim() ?? '')
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeText(bytes) ?? '')
  } catch {
    return undefined
  }
}
