/**
 * Answers the calls of `/api/rebuild`: finds the call, verifies its signature or its token, parses its body, and asks
 * the coordinator. A body is read only if the headers may be those of a permitted call. Refusals reveal nothing useful
 * to a forger.
 */
import { parseJson } from '../../domain/documents/json.ts'
import { readMessage } from '../../domain/documents/errors.ts'
import type { CallBody, CallName } from '../../domain/wire/calls.ts'
import { CALLS, parseCall, parseToken, PREFIX, WAIT } from '../../domain/wire/calls.ts'
import type { CallSecrets } from '../../domain/wire/signature.ts'
import { isSignable, isSigned } from '../../domain/wire/signature.ts'
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import type { BuildCoordinator } from '../coordinator/build-coordinator.ts'
import { readBody } from './read-body.ts'

/** The only coordinator of a site. Each method resolves after its changes are durable. */
export type Coordinator = Pick<
  BuildCoordinator,
  'notice' | 'claim' | 'renew' | 'isKnown' | 'isHolder' | 'done' | 'hold' | 'release' | 'status' | 'fetch'
>

export interface ApiContext {
  readonly secrets: CallSecrets
  readonly openCoordinator: () => Coordinator
  /** Reads the marker of the live site. */
  readonly readLive: () => Promise<SiteMarker | null>
  /** Receives a line when the coordinator fails. */
  readonly log: (line: string) => void
}

/** In seconds. */
const RETRY_AFTER = { 'retry-after': '10' }

const REASONS = {
  400: 'malformed',
  401: 'unauthorized',
  403: 'a full read needs REBUILD_SECRET',
  404: 'not found',
  405: 'wrong method',
  408: 'the body took too long',
  409: 'the lease has ended, belongs to another builder, or publishing is held',
  413: 'the body is too large',
  426: 'a WebSocket is needed',
  429: 'too many changes, send it again later',
  503: 'the call failed, send it again',
} as const

type Verified = { readonly text: string; readonly secret: keyof CallSecrets }

export async function answerCall(request: Request, context: ApiContext): Promise<Response> {
  const answer = await answerRoute(request, context).catch((error: unknown) => {
    context.log(`rebuild: the coordinator failed: ${readMessage(error)}`)
    return refuse(503, RETRY_AFTER)
  })
  if (answer.status === 101) return answer
  answer.headers.set('cache-control', 'no-store')
  answer.headers.set('x-content-type-options', 'nosniff')
  return answer
}

async function answerRoute(request: Request, context: ApiContext): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname === PREFIX + WAIT.path) return answerWait(request, context)
  const [name] = (Object.keys(CALLS) as CallName[]).filter((one) => pathname === PREFIX + CALLS[one].path)
  if (name === undefined) return refuse(404)
  if (request.method !== 'POST') return refuse(405, { allow: 'POST' })
  return name === 'renew' || name === 'done'
    ? answerHolder(name, request, context)
    : answerSigned(name, request, context)
}

async function answerWait(request: Request, { secrets, openCoordinator }: ApiContext): Promise<Response> {
  if (request.method !== 'GET') return refuse(405, { allow: 'GET' })
  if (!isSignable(request.headers) || !isSigned(secrets.rebuild, request.headers, '')) return refuse(401)
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') return refuse(426)
  return openCoordinator().fetch(request)
}

/** Answers a call of the lease's holder. */
async function answerHolder(
  name: 'renew' | 'done',
  request: Request,
  { openCoordinator, readLive }: ApiContext,
): Promise<Response> {
  const token = parseToken(request.headers.get('authorization'))
  if (token === null) return refuse(401)
  const coordinator = openCoordinator()
  if (name === 'renew') {
    const renewed = await coordinator.renew(token)
    // Read after the renewal: the holder switches if the answer names the site that was live at its claim.
    return renewed === null ? refuse(409) : Response.json({ ...renewed, live: await readLive() })
  }
  if (!(await coordinator.isKnown(token))) return refuse(409)
  const text = await readBody(request)
  if (typeof text === 'number') return refuse(text)
  const report = parseCall('done', parseJson(text))
  if (report === null) return refuse(400)
  const live = await readLive()
  const done = await coordinator.done({ token, report, live: live?.run ?? null })
  return done === null ? refuse(409) : Response.json(done)
}

async function answerSigned(
  name: Exclude<CallName, 'renew' | 'done'>,
  request: Request,
  context: ApiContext,
): Promise<Response> {
  const verified = await verify(name, request, context.secrets)
  if (verified instanceof Response) return verified
  const body = parseCall(name, parseJson(verified.text))
  if (body === null) return refuse(400)
  const coordinator = context.openCoordinator()
  if (name === 'notice') return answerNotice(coordinator, body as CallBody<'notice'>, verified)
  if (name === 'claim') {
    const granted = await coordinator.claim(body as CallBody<'claim'>)
    if (!('upTo' in granted)) return Response.json(granted, { status: 409 })
    return Response.json({ ...granted, live: await context.readLive() })
  }
  if (name === 'status') return Response.json(await coordinator.status(await context.readLive()))
  const hold = body as CallBody<'hold'>
  return Response.json('reason' in hold ? await coordinator.hold(hold.reason) : await coordinator.release())
}

async function answerNotice(
  coordinator: Coordinator,
  { data }: CallBody<'notice'>,
  { secret }: Verified,
): Promise<Response> {
  if ('full' in data && secret !== 'rebuild') return refuse(403)
  const accepted = await coordinator.notice(data)
  return accepted === null ? refuse(429, { 'retry-after': '600' }) : Response.json(accepted, { status: 202 })
}

async function verify(
  name: CallName,
  request: Request,
  { notice, rebuild }: CallSecrets,
): Promise<Verified | Response> {
  const isNotice = name === 'notice'
  // No secret is set yet: the sender should send it again.
  if (rebuild.length === 0 && (!isNotice || notice.length === 0)) return refuse(503, RETRY_AFTER)
  if (!isSignable(request.headers)) return refuse(401)
  const text = await readBody(request)
  if (typeof text === 'number') return refuse(text)
  if (isSigned(rebuild, request.headers, text)) return { text, secret: 'rebuild' }
  if (isNotice && isSigned(notice, request.headers, text)) return { text, secret: 'notice' }
  return refuse(401)
}

function refuse(status: keyof typeof REASONS, headers: Record<string, string> = {}): Response {
  return Response.json({ error: REASONS[status] }, { status, headers })
}
