/** The real builder and the real Worker: every accepted seller is built, even if either dies or is down meanwhile. */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findFreePort } from '../../../src/builder/publish/local-edge.ts'
import { importFolder } from '../../../src/builder/sources/embedded/interchange.ts'
import { signMessage } from '../../../src/domain/wire/signature.ts'
import { product, user, writeFolder } from '../../support/documents.ts'
import { RunningBuilder } from '../../support/running-builder.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'
import { CoordinatedSite, createNotice, SECRET, TargetServer } from './coordinated-site.ts'

const path = useTemporaryFolder()
const FAST = {
  REBUILD_QUIET_MS: '150',
  REBUILD_RETRY_MS: '100',
  DISPATCH_TIMEOUT_MS: '500',
  DISPATCH_RETRY_MS: '100',
}

let site: CoordinatedSite
let builder: RunningBuilder | null
let port: number
beforeEach(async () => {
  port = await findFreePort()
  builder = null
  const sellers = ['ana', 'eva', 'lia']
  const documents = sellers.flatMap((seller) => [user(seller), product(`of ${seller}`, seller)])
  await importFolder(writeFolder(path('source'), documents), path('shop.sqlite'), {})
})
afterEach(async () => {
  await builder?.end('SIGKILL')
  await site.close()
})

async function openSite(
  dispatchUrl: string,
  settings: Readonly<Record<string, string>> = FAST,
): Promise<void> {
  site = new CoordinatedSite({ ...settings, DISPATCH_URL: dispatchUrl })
  await site.start()
}

/** Resolves when every earlier change is built. */
async function startBuilder(): Promise<RunningBuilder> {
  const env = { COORDINATOR_URL: site.origin, REBUILD_SECRET: SECRET }
  builder = new RunningBuilder(
    { source: path('shop.sqlite'), output: path('dist'), state: path('state'), env },
    port,
  )
  await builder.waitFor(/reported: nothing waits/)
  return builder
}

async function setPrice(seller: string, price: number): Promise<void> {
  const client = new DatabaseSync(path('shop.sqlite'), { timeout: 5000 })
  writePrice(client, seller, price)
  client.close()
  await notify(seller)
}

function writePrice(client: DatabaseSync, seller: string, price: number): void {
  client
    .prepare("UPDATE documents SET data = json_set(data, '$.price', ?) WHERE id = ?")
    .run(price, `of ${seller}`)
}

async function notify(...sellers: readonly string[]): Promise<void> {
  const { status } = await site.notify(sellers)
  expect(status).toBe(202)
}

const readPage = (seller: string): string => readFileSync(path(`dist/catalogo/${seller}.html`), 'utf8')

async function expectBuilt(seller: string, price: string): Promise<void> {
  await expect.poll(() => readPage(seller), { timeout: 20_000 }).toContain(`RD$${price}`)
  await expect.poll(async () => (await site.status()).pending, { timeout: 20_000 }).toBe(0)
}

it('builds on each correctly signed dispatch, and exits cleanly', async () => {
  await openSite(`http://127.0.0.1:${port}/`)
  const started = await startBuilder()
  await setPrice('ana', 4321)
  await expectBuilt('ana', '4,321')
  const url = await started.findUrl()
  const body = JSON.stringify({ type: 'build.wanted', data: {} })
  const post = async (sent: string, headers: Record<string, string>): Promise<number> =>
    (await fetch(url, { method: 'POST', headers, body: sent })).status
  const sign = (sent: string, secret = SECRET): Record<string, string> =>
    signMessage([secret], { id: 'build_1', body: sent }, new Date())
  const notice = JSON.stringify(createNotice(['ana']))
  const other = `whsec_${Buffer.alloc(24).toString('base64')}`
  expect((await fetch(url)).status).toBe(405)
  expect(await post(body, {})).toBe(401)
  expect(await post(body, sign(body, other))).toBe(401)
  expect(await post(`${body} `, sign(body))).toBe(401)
  expect(await post(notice, sign(notice))).toBe(400)
  expect(await post('x'.repeat(100_000), sign(body))).toBe(413)
  expect(started.count(/asked to build/)).toBe(1)
  expect(await started.end('SIGINT')).toBe(0)
  expect(started.said).not.toContain(SECRET.slice('whsec_'.length))
})

it('builds changes accepted before a restart of a killed Worker', async () => {
  await openSite(`http://127.0.0.1:${port}/`, { ...FAST, REBUILD_QUIET_MS: '1500' })
  const started = await startBuilder()
  await Promise.all([setPrice('ana', 4321), site.notify(['eva'], { id: 'same' })])
  await site.kill()
  expect(started.count(/asked to build/)).toBe(0)
  await site.restart()
  expect((await site.notify(['eva'], { id: 'same' })).body).toMatchObject({ accepted: 0 })
  await expectBuilt('ana', '4,321')
})

it('builds after a restart what it had claimed when it was killed', async () => {
  await openSite(`http://127.0.0.1:${port}/`)
  const started = await startBuilder()
  const holder = new DatabaseSync(path('shop.sqlite'), { timeout: 5000 })
  writePrice(holder, 'ana', 4321)
  writePrice(holder, 'eva', 5432)
  // Until the builder is killed, it cannot read what it claims.
  holder.exec('BEGIN EXCLUSIVE')
  await notify('ana', 'eva')
  await started.waitFor(/claimed 2 sellers/)
  await started.end('SIGKILL')
  holder.close()
  expect(await site.status()).toMatchObject({ pending: 2, result: { error: null } })
  expect((await site.status()).running).not.toBeNull()
  await startBuilder()
  await expectBuilt('ana', '4,321')
  await expectBuilt('eva', '5,432')
})

it('builds changes that arrived while it was down, slow or refusing dispatches', async () => {
  const target = new TargetServer(await findFreePort())
  await openSite(target.url)
  await startBuilder()
  await setPrice('ana', 4321)
  await expect
    .poll(async () => (await site.status()).dispatch.error?.reason, { timeout: 20_000 })
    .toBe('it could not be reached')
  target.answer(
    () => {},
    (response) => void response.writeHead(429, { 'retry-after': '1' }).end(),
    (response) => void response.writeHead(500).end(),
  )
  await target.start()
  const taken = (await target.waitFor(4)).at(-1)
  target.stop()
  const headers = Object.entries(taken?.headers ?? {}).filter(([name]) => name.startsWith('webhook-'))
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: taken?.body ?? '',
  })
  expect(response.status).toBe(202)
  await expectBuilt('ana', '4,321')
})
