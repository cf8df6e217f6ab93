/** Calls of Cloudflare's API, with prepared answers. */
import { writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, it } from 'vitest'
import { createCloudflare } from '../../../../src/builder/publish/cloudflare/cloudflare.ts'
import { createCloudflareApi } from '../../../../src/builder/publish/cloudflare/cloudflare-api.ts'
import { readWorkerConfiguration } from '../../../../src/builder/publish/cloudflare/worker-configuration.ts'
import { startServer } from '../../../support/run/start-server.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

interface Answer {
  /** The end of the address that it is for; any address by default. */
  readonly to?: string
  readonly status?: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

let calls: string[]
let answers: Answer[]
let origin: string
beforeEach(async () => {
  calls = []
  answers = []
  origin = await startServer(async (request, response) => {
    calls.push(`${request.method} ${request.url} ${request.headers.authorization} ${await text(request)}`)
    // Calls that are sent together may arrive in any order.
    const at = answers.findIndex(({ to = '' }) => request.url?.endsWith(to))
    const [{ status = 200, result = null, error } = {}] = at === -1 ? [] : answers.splice(at, 1)
    response.writeHead(status).end(JSON.stringify({ errors: error === undefined ? [] : [error], result }))
  })
})

/** Longer than any machine takes for a call, in milliseconds. */
const PATIENCE = 60_000

const DOMAINS = [{ hostname: 'vitrina.do' }, { hostname: 'www.vitrina.do' }]

function createHosting(account: string | undefined = 'account') {
  const environment = {
    CLOUDFLARE_API_BASE_URL: origin,
    CLOUDFLARE_ACCOUNT_ID: account,
    CLOUDFLARE_API_TOKEN: 'token',
  }
  const wrangler = () => Promise.reject(new Error('the tool was used'))
  const worker = { name: 'vitrina', account: null, observability: { enabled: true }, domains: DOMAINS }
  const api = createCloudflareApi({ environment, worker, wrangler })
  return createCloudflare({ run: wrangler, api, worker })
}

describe('putting a version live', () => {
  it('takes two calls and not the tool: one for the version, one for what belongs to no version', async () => {
    await createHosting().putLive('new', 'sequence 7', PATIENCE)
    expect(calls).toEqual([
      'POST /accounts/account/workers/scripts/vitrina/deployments Bearer token {"strategy":"percentage","versions":[{"version_id":"new","percentage":100}],"annotations":{"workers/message":"sequence 7"}}',
      'PATCH /accounts/account/workers/scripts/vitrina/script-settings Bearer token {"observability":{"enabled":true}}',
    ])
  })

  it('is not repeated: the caller asks which version is live', async () => {
    answers = [{ status: 502 }]
    await expect(createHosting().putLive('new', '', PATIENCE)).rejects.toThrow('answered with status 502')
    expect(calls).toHaveLength(1)
  })
})

describe('putting a version back', () => {
  it('repeats the call with force only over changed secrets', async () => {
    const changed = { code: 10220, message: 'Use force. The following secrets have changed: A, B' }
    answers = [{ status: 400, error: changed }]
    expect(await createHosting().putBack('old', 'rolled back')).toBe('A, B')
    expect(calls.map((call) => call.split(' ')[1])).toEqual([
      '/accounts/account/workers/scripts/vitrina/deployments',
      '/accounts/account/workers/scripts/vitrina/deployments?force=true',
    ])
    expect(calls[1]).toContain('"versions":[{"version_id":"old","percentage":100}]')
  })

  it('fails with the message of the API', async () => {
    answers = [{ status: 403, error: { code: 10000, message: 'Authentication error' } }]
    await expect(createHosting().putBack('old', '')).rejects.toThrow('Authentication error [code: 10000]')
    expect(calls).toHaveLength(1)
  })

  it('is tried again if the API fails', async () => {
    answers = [{ status: 502 }]
    expect(await createHosting().putBack('old', '')).toBeNull()
  })
})

describe('the domains that a setup would take', () => {
  const list = (name: string) => ({ id: name, hostname: name })

  it('are those of other Workers, and those with DNS records', async () => {
    const changes = { updated: [list('vitrina.do'), list('b.do')], conflicting: [list('www.vitrina.do')] }
    answers = [
      { to: '/changeset?replace_state=true', result: changes },
      { to: '/vitrina.do', result: { service: 'old-shop' } },
      { to: '/b.do', result: { service: 'vitrina' } },
    ]
    expect(await createHosting().listTakeovers()).toEqual([
      'vitrina.do is the address of the Worker old-shop',
      'www.vitrina.do has DNS records that Cloudflare would replace',
    ])
    expect(calls[0]).toContain(
      `/vitrina/domains/changeset?replace_state=true Bearer token ${JSON.stringify(DOMAINS)}`,
    )
    expect(calls.slice(1).toSorted()).toEqual([
      expect.stringContaining('GET /accounts/account/workers/domains/records/b.do'),
      expect.stringContaining('GET /accounts/account/workers/domains/records/vitrina.do'),
    ])
  })

  it('are those of wrangler.jsonc, without routes of paths', () => {
    const routes = [
      { pattern: 'a.do', custom_domain: true, zone_name: 'do' },
      'b.do/*',
      { pattern: 'c.do/*' },
    ]
    writeFileSync(
      path('wrangler.jsonc'),
      JSON.stringify({ name: 'shop', routes, env: { own: { routes: [] } } }),
    )
    const read = (stage: string | null) => readWorkerConfiguration(path('.'), stage).domains
    expect([read(null), read('own')]).toEqual([[{ hostname: 'a.do', zone_name: 'do' }], []])
  })
})

describe('reading what is hosted', () => {
  it('finds nothing before the first publish', async () => {
    answers = [1, 2].map(() => ({ status: 404, error: { code: 10007, message: 'does not exist' } }))
    expect(await createHosting().readHosted()).toEqual({ live: [], deployed: [], versions: [] })
  })

  it('takes the only account of the token if none is set', async () => {
    answers = [{ result: [{ id: 'found', name: 'Ana' }] }, { result: { deployments: [] } }]
    expect(await createHosting('').findLive()).toBeNull()
    expect(calls[1]).toContain('/accounts/found/')
  })

  it('refuses to guess between accounts', async () => {
    answers = [{ result: ['a', 'b'].map((id) => ({ id, name: id })) }]
    await expect(createHosting('').findLive()).rejects.toThrow('CLOUDFLARE_ACCOUNT_ID is not set')
  })
})
