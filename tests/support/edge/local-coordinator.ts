/** A coordinator in this process behind the real API, with the same steps and SQL as on the edge. */
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { CoordinatorClient } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import { createCoordinatorClient } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import type { Coordinator } from '../../../src/edge/coordinator/coordinator.ts'
import { createCallGuard } from '../../../src/edge/api/call-guard.ts'
import { answerCall } from '../../../src/edge/api/routes.ts'
import type { Variables } from '../../../src/edge/coordinator/coordinator-settings.ts'
import { parseSecrets } from '../../../src/edge/coordinator/coordinator-settings.ts'
import { LocalServer } from '../../../scripts/local/local-server.ts'
import { CoordinatorTwin } from '../../../scripts/prove/coordinator/coordinator-twin.ts'

export const LOCAL_SECRET = `whsec_${Buffer.from('canary: a secret to search for').toString('base64')}`

export interface LocalCoordinator {
  readonly url: string
  readonly client: CoordinatorClient
  readonly twin: CoordinatorTwin
  /** Paths and bodies of all calls. */
  readonly calls: readonly (readonly [path: string, body: string])[]
  /** Answers the next calls to this path with 500 without processing them. */
  refuse(path: string, times: number): void
  close(): void
}

export async function startCoordinator(variables: Variables = {}): Promise<LocalCoordinator> {
  const twin = new CoordinatorTwin(variables, Date.now())
  const coordinator = createCoordinator(twin)
  const calls: (readonly [string, string])[] = []
  let refused = { path: '', times: 0 }
  const guard = createCallGuard((line) => console.error(line))
  const answer = async (incoming: IncomingMessage): Promise<Response> => {
    const path = incoming.url ?? '/'
    const body = await buffer(incoming)
    calls.push([path, String(body)])
    if (path === refused.path && (refused.times -= 1) >= 0) return Response.json({}, { status: 500 })
    twin.now = Date.now()
    const headers = incoming.headers as Record<string, string>
    const request = new Request(`http://localhost${path}`, {
      method: 'POST',
      headers,
      body: new Blob([body]),
    })
    return answerCall(request, {
      secrets: parseSecrets({ REBUILD_SECRET: LOCAL_SECRET, ...variables }),
      guard,
      openCoordinator: () => coordinator,
      log: (line) => console.error(line),
    })
  }
  const server = await new LocalServer(async (incoming, outgoing) => {
    const { status, headers, body } = await answer(incoming)
    outgoing
      .writeHead(status, Object.fromEntries(headers))
      .end(body === null ? '' : await new Response(body).text())
  }).start()
  const url = server.origin
  return {
    url,
    client: createCoordinatorClient({ url, secrets: [LOCAL_SECRET] }, { pause: 10 }),
    twin,
    calls,
    refuse: (path, times) => void (refused = { path, times }),
    close: () => server.close(),
  }
}

function createCoordinator(twin: CoordinatorTwin): Coordinator {
  return {
    accept: async (notice) => twin.accept(notice),
    claim: async ({ have, builder }) => twin.claim(have, builder),
    renew: async (lease) => twin.renew(lease),
    report: async (report) => twin.report(report),
    status: async ({ isLogWanted }) => twin.status(isLogWanted),
    publish: async ({ version, sequence, base, by }) => twin.publish(version, sequence, base, by),
    published: async ({ lease, isLive, by }) => twin.published(lease, isLive, by),
    hold: async ({ live, reason, by }) => twin.hold(live, reason, by),
    release: async ({ by }) => {
      twin.release(by)
      return {}
    },
    forced: async (forced) => twin.forced(forced),
  }
}
