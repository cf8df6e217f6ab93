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
import type { BodyLimits } from '../../domain/wire/read-body.ts'
import { readBody } from '../../domain/wire/read-body.ts'
import { createVerifier, decodeText } from '../../domain/wire/signature.ts'
import { isSecret } from '../../domain/wire/secrets.ts'
import type { Coordinator } from '../coordinator/coordinator.ts'
import type { ObjectHost } from '../pages/object-host.ts'
import type { HostRoute } from './prepare-call.ts'
import { OBJECT_ROUTES } from './object-routes.ts'
import { parseJson } from './prepare-call.ts'
import { refuse, RETRY_AFTER } from './refuse.ts'
import type { SearchHost } from './search-routes.ts'
import { SEARCH_ROUTES } from './search-routes.ts'

export interface ApiOptions {
  readonly secrets: CallSecrets
  /** Called only for calls with a valid signature and a valid body. */
  readonly openCoordinator: () => Coordinator
  /** The same for calls about objects; absent in a site without objects. */
  readonly openObjects?: () => ObjectHost
  /** The same for calls about the search index; absent in a site without one. */
  readonly openSearch?: () => SearchHost
  /** Receives a line when the coordinator fails. */
  readonly log: (line: string) => void
}

/** Returns `null` when the call is malformed. */
type Prepare = (body: unknown, id: string) => ((options: ApiOptions) => Promise<Response>) | null

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

const NOTICES: Route = {
  opens: 'notices',
  limits: LIMITS,
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
    { opens: 'builders', limits: LIMITS, prepare },
  ]),
  ...OBJECT_ROUTES.map((route) =>
    createHostRoute(route, 'openObjects', ({ openObjects }) => openObjects?.()),
  ),
  ...SEARCH_ROUTES.map((route) => createHostRoute(route, 'openSearch', ({ openSearch }) => openSearch?.())),
])

export async function answerCall(request: Request, options: ApiOptions): Promise<Response> {
  const route = ROUTES.get(new URL(request.url).pathname)
  if (route === undefined || (route.host !== undefined && options[route.host] === undefined))
    return refuse(404)
  if (request.method !== 'POST') return refuse(405, { allow: 'POST' })
  if (!isJson(request.headers.get('content-type'))) return refuse(415)
  const bytes = await readBody(request, route.limits)
  if (typeof bytes === 'number') return refuse(bytes)
  const verify = openVerifier(options.secrets[route.opens])
  // No secret is configured yet: a server error, so the sender should retry.
  if (verify === null) return refuse(503, { 'retry-after': RETRY_AFTER })
  const id = verify(request.headers, bytes)
  if (id === null) return refuse(401)
  const call = route.prepare(parseJson(decodeText(bytes) ?? ''), id)
  if (call === null) return refuse(400)
  try {
    return await call(options)
  } catch (error) {
    const failed = route.host === undefined ? 'the coordinator' : PARTS[route.host]
    options.log(`rebuild: ${failed} failed: ${error instanceof Error ? error.message : String(error)}`)
    return refuse(503, { 'retry-after': RETRY_AFTER })
  }
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

function prepareCall<Body, Answer extends object>(
  parse: (body: unknown, id: string) => Body | null,
  send: (coordinator: Coordinator, body: Body) => Promise<Answer | null>,
  status = 200,
): Prepare {
  return (json, id) => {
    const body = parse(json, id)
    if (body === null) return null
    return async ({ openCoordinator }) => {
      const answer = await send(openCoordinator(), body)
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

function isJson(type: string | null): boolean {
  return /^application\/json\s*(;|$)/i.test(type?.trim() ?? '')
}
