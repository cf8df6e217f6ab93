/** The functions as Cloud Functions runs them: their events and the notices that they send. */
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, it } from 'vitest'
import { productWritten, profileWritten } from '../../functions/firestore-trigger/src/index.ts'
import { sendNotice } from '../../functions/firestore-trigger/src/send-notice.ts'
import { parseCall } from '../../src/domain/wire/calls.ts'
import { isSigned } from '../../src/domain/wire/signature.ts'
import { startServer } from '../support/run/servers.ts'

const SECRET = `whsec_${Buffer.from('a secret for the trigger').toString('base64')}`

interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const received: Received[] = []
let status = 202
let headers: Record<string, string> = {}
let origin: string

beforeEach(async () => {
  received.length = 0
  status = 202
  headers = {}
  origin = await startServer(async (request, response) => {
    received.push({ url: request.url ?? '', headers: request.headers, body: await text(request) })
    response.writeHead(status, headers).end('{}')
  })
  process.env['SITE_URL'] = origin
  process.env['NOTICE_SECRET'] = SECRET
})

/** Creates an event like the runtime does. */
function createEvent(before: object | undefined, after: object | undefined, id = 'ana'): never {
  const data = { before: { data: () => before }, after: { data: () => after } }
  return { id: '6f9d2a4c-event', params: { id }, data } as never
}

const PRODUCT = { name: 'Agua', price: 900, owner: { id: 'ana' } }

describe('the functions', () => {
  it('subscribe to writes of both collections with retries, and bind the secret', () => {
    const endpoints = [productWritten, profileWritten].map(({ __endpoint }) => __endpoint)
    expect(endpoints.map((one) => one.eventTrigger?.eventFilterPathPatterns?.['document'])).toEqual([
      'cataloge/{id}',
      'users/{id}',
    ])
    for (const endpoint of endpoints) {
      expect(endpoint.platform).toBe('gcfv2')
      expect(endpoint.eventTrigger?.eventType).toBe('google.cloud.firestore.document.v1.written')
      expect(endpoint.eventTrigger?.retry).toBe(true)
      expect(endpoint.secretEnvironmentVariables).toEqual([{ key: 'NOTICE_SECRET' }])
    }
  })

  it('send a notice that the site accepts with the new and with the old secret, with the id of the event', async () => {
    const replaced = `whsec_${Buffer.from('another one for the trigger').toString('base64')}`
    process.env['NOTICE_SECRET'] = `${SECRET} ${replaced}`
    await productWritten.run(createEvent(PRODUCT, { ...PRODUCT, owner: { id: 'eva' } }))
    const [{ url, headers: sent, body } = { url: '', headers: {}, body: '' }] = received
    expect(url).toBe('/api/rebuild')
    expect(sent['webhook-id']).toBe('6f9d2a4c-event')
    for (const secret of [SECRET, replaced])
      expect(isSigned([secret], new Headers(sent as Record<string, string>), body)).toBe(true)
    expect(parseCall('notice', JSON.parse(body))?.data).toEqual({ sellers: ['ana', 'eva'] })
  })

  it('name the seller of a profile by the id of the document', async () => {
    await profileWritten.run(createEvent(undefined, { fName: 'Eva' }, 'eva'))
    expect(JSON.parse(received[0]?.body ?? '').data).toEqual({ sellers: ['eva'] })
  })

  it('leave out an owner that is longer than any id, and send the others', async () => {
    const long = { ...PRODUCT, owner: { id: 'x'.repeat(100_000) } }
    await productWritten.run(createEvent(long, PRODUCT))
    expect(JSON.parse(received[0]?.body ?? '').data).toEqual({ sellers: ['ana'] })
    await productWritten.run(createEvent(undefined, long))
    expect(received).toHaveLength(1)
  })

  it.each([500, 502, 503, 429, 408, 401, 403, 404, 405, 415])(
    'fail when the site answers %i, so that the event is retried',
    async (code) => {
      status = code
      await expect(productWritten.run(createEvent(undefined, PRODUCT))).rejects.toThrow(
        `the site answered with status ${code}`,
      )
    },
  )

  it('name the setting when Cloudflare takes them for a bot, and are retried', async () => {
    status = 403
    headers = { 'cf-mitigated': 'challenge' }
    await expect(productWritten.run(createEvent(undefined, PRODUCT))).rejects.toThrow('Bot Fight Mode')
  })

  it('fail when the site cannot be reached', async () => {
    const nowhere = { site: 'http://127.0.0.1:1', secret: SECRET }
    await expect(sendNotice(nowhere, { id: 'e', sellers: ['ana'] })).rejects.toThrow('could not be reached')
  })

  it.each([400, 413])(
    'succeed when the site refuses the notice with %i, which a retry would not change',
    async (code) => {
      status = code
      await expect(productWritten.run(createEvent(undefined, PRODUCT))).resolves.toBeUndefined()
    },
  )

  it('follow no redirect, which would send the signature to another host', async () => {
    status = 307
    headers = { location: `${origin}/elsewhere` }
    const sent = sendNotice({ site: origin, secret: SECRET }, { id: 'e', sellers: ['ana'] })
    await expect(sent).rejects.toThrow('307')
    expect(received.map(({ url }) => url)).toEqual(['/api/rebuild'])
  })
})

describe('the folder of the functions', () => {
  it('has a lockfile of its own, without the address of any registry', async () => {
    const file = '../../functions/firestore-trigger/package-lock.json'
    const { default: lock } = await import(file, { with: { type: 'json' } })
    const { default: own } = await import('../../functions/firestore-trigger/package.json', {
      with: { type: 'json' },
    })
    expect(lock.packages['']).toMatchObject({
      dependencies: own.dependencies,
      devDependencies: own.devDependencies,
    })
    expect(JSON.stringify(lock)).not.toContain('"resolved"')
  })

  it('has the same versions of packages as the project', async () => {
    const [own, all] = await Promise.all(
      ['../../functions/firestore-trigger/package.json', '../../package.json'].map(
        async (file) => (await import(file, { with: { type: 'json' } })).default,
      ),
    )
    const project = { ...all.dependencies, ...all.devDependencies }
    for (const [name, version] of Object.entries({ ...own.dependencies, ...own.devDependencies }))
      expect([name, version]).toEqual([name, project[name]])
  })
})
