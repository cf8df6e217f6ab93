/** The HTTP routes of `/api/rebuild`: verifies, parses and answers calls. Errors reveal nothing useful to a forger. */
import type { RateLimit } from 'cloudflare:workers'
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
import type { BodyLimits } from '../../domain/wire/read-body.ts'
import type { SignedCall } from '../../domain/wire/read-signed.ts'
import { readSigned } from '../../domain/wire/read-signed.ts'
import { decodeText } from '../../domain/wire/signature.ts'
import { isSecret } from '../../domain/wire/secrets.ts'
import type { Coordinator } from '../coordinator/coordinator.ts'
import type { ObjectHost } from '../pages/object-host.ts'
import type { CallGuard } from './call-guard.ts'
import { BLOCKED } from './call-guard.ts'
import type { HostRoute } from './prepare-call.ts'
import { OBJECT_ROUTES } from './object-routes.ts'
import { parseJson } from './prepare-call.ts'
import { refuse, RETRY_AFTER } from './refuse.ts'
import type { SearchHost } from './search-routes.ts'
import { SEARCH_ROUTES } from './search-routes.ts'
import { readMessage } from '../../domain/documents/errors.ts'

export interface ApiOptions {
  readonly secrets: CallSecrets
  /** One for all calls of an isolate. */
  readonly guard: CallGuard
  /** Counts calls that ended with 401. Absent in a Worker of an older configuration. */
  readonly limit?: RateLimit
  /** Called only for calls with a valid signature and a valid body. */
  readonly openCoordinator: () => Coordinator
  /** The same for calls about objects; absent in a site without objects. */
  readonly openObjects?: () => ObjectHost
  /** The same for calls about the search index; absent in a site without one. */
  readonly openSearch?: () => SearchHost
  /** Receives a line when the coordinator fails. */
  readonly log: (line: string) => void
}

interface Sender {
  /** Id of the message. */
  readonly id: string
  /** Whether it was signed with a secret of builders. */
  readonly isBuilder: boolean
}

/** Returns `null` when the call is malformed. */
type Prepare = (body: unknown, sender: Sender) => ((options: ApiOptions) => Promise<Response>) | null

const LIMITS: BodyLimits = { size: LARGEST_BODY, time: 10_000 }
/** A call, and the secrets that open it. */
interface Route {
  readonly opens: keyof CallSecrets
  readonly limits: BodyLimits
  readonly prepare: Prepare
  /** What the calls need that only some sites have. */
  readonly host?: 'openObjects' | 'openSearch'
}

/** What fails when a call rejects, for the log. */
const PARTS = {
  openObjects: 'the store or the coordinator',
  openSearch: 'the search index or the store',
} as const

const NOTICES: Route = { opens: 'notices', limits: LIMITS, prepare: prepareNotice }

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
    { opens: 'builders', limits: LIMITS, prepare },
  ]),
  ...OBJECT_ROUTES.map((route) =>
    createHostRoute(route, 'openObjects', ({ openObjects }) => openObjects?.()),
  ),
  ...SEARCH_ROUTES.map((route) => createHostRoute(route, 'openSearch', ({ openSearch }) => openSearch?.())),
])

export async function answerCall(request: Request, options: ApiOptions): Promise<Response> {
  const answer = await answerRoute(request, options)
  answer.headers.set('cache-control', 'no-store')
  answer.headers.set('x-content-type-options', 'nosniff')
  return answer
}

async function answerRoute(request: Request, options: ApiOptions): Promise<Response> {
  const route = ROUTES.get(new URL(request.url).pathname)
  if (route === undefined || (route.host !== undefined && options[route.host] === undefined))
    return refuse(404)
  if (request.method !== 'POST') return refuse(405, { allow: 'POST' })
  if (!isJson(request.headers.get('content-type'))) return refuse(415)
  const signed = await readCall(request, route, options)
  if (signed instanceof Response) return signed
  const { id, secret, body } = signed
  const sender = { id, isBuilder: options.secrets.builders.includes(secret) }
  const call = route.prepare(parseJson(decodeText(body) ?? ''), sender)
  if (call === null) return refuse(400)
  try {
    return await call(options)
  } catch (error) {
    const failed = route.host === undefined ? 'the coordinator' : PARTS[route.host]
    options.log(`rebuild: ${failed} failed: ${readMessage(error)}`)
    return refuse(503, { 'retry-after': RETRY_AFTER })
  }
}

async function readCall(
  request: Request,
  { opens, limits }: Route,
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

function createHostRoute<Host>(
  { path, limits, prepare }: HostRoute<Host>,
  host: keyof typeof PARTS,
  open: (options: ApiOptions) => Host | undefined,
): [string, Route] {
  const prepareHost: Prepare = (json) => {
    const call = prepare(json)
    if (call === null) return null
    return async (options) => {
      const opened = open(options)
      return opened === undefined ? refuse(404) : call(opened)
    }
  }
  return [`/api/rebuild${path}`, { opens: 'builders', limits, host, prepare: prepareHost }]
}

/** Only builders may ask for a full read, which costs money, and name any number of sellers that are new to the site. */
function prepareNotice(json: unknown, { id, isBuilder }: Sender): ReturnType<Prepare> {
  const notice = parseNotice(json, id)
  if (notice === null) return null
  if (notice.isFull && !isBuilder) return async () => refuse(403)
  return async ({ openCoordinator }) => {
    const answer = await openCoordinator().accept({ ...notice, isBounded: !isBuilder })
    if (answer.isTooMuch === true) return refuse(429, { 'retry-after': String(BLOCKED) })
    return Response.json(answer, { status: 202 })
  }
}

function prepareCall<Body, Answer extends object>(
  parse: (body: unknown) => Body | null,
  send: (coordinator: Coordinator, body: Body) => Promise<Answer | null>,
): Prepare {
  return (json) => {
    const body = parse(json)
    if (body === null) return null
    return async ({ openCoordinator }) => {
      const answer = await send(openCoordinator(), body)
      // The caller's lease has expired, or another builder holds it.
      return answer === null
        ? Response.json({ error: 'the lease is not yours' }, { status: 409 })
        : Response.json(answer)
    }
  }
}

function isJson(type: string | null): boolean {
  return /^application\/json\s*(;|$)/i.test(type?.trim() ?? '')
}
