/** The real builder and the real Worker: every accepted seller is built, even if either dies or is down meanwhile. */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { importFolder } from '../../../src/builder/sources/embedded/interchange.ts'
import { signMessage } from '../../../src/domain/wire/signature.ts'
import { product, user, writeFolder } from '../../support/rebuild/documents.ts'
import { BuilderProcess } from '../../support/rebuild/running-builder.ts'
import { stopAtFirst } from '../../support/run/stop-at-first.ts'
import { useSharedFolder } from '../../support/run/temporary.ts'
import type { Received } from './coordinated-site.ts'
import { CoordinatedSite, createNotice, SITE_SECRET, TargetServer } from './coordinated-site.ts'

const path = useSharedFolder()

/** Passes dispatches on to the builder, whose address the site cannot know when it starts. */
const target = new TargetServer(async (response, dispatch) => {
  response.writeHead(await passOn(dispatch)).end()
})
let site: CoordinatedSite
let builder: BuilderProcess
const opened: (() => unknown)[] = []

stopAtFirst()
beforeAll(async () => {
  const sellers = ['ana', 'eva', 'lia']
  const documents = sellers.flatMap((seller) => [user(seller), product(`of ${seller}`, seller)])
  await importFolder(writeFolder(path('source'), documents), path('shop.sqlite'), {})
  await target.start()
  opened.push(() => target.stop())
  site = new CoordinatedSite({
    REBUILD_QUIET_MS: '150',
    REBUILD_RETRY_MS: '100',
    DISPATCH_TIMEOUT_MS: '5000',
    DISPATCH_RETRY_MS: '20',
    DISPATCH_URL: target.url,
  })
  opened.push(() => site.close())
  await site.start()
  await startBuilder()
})
beforeEach(async () => {
  await expectNothingWaits()
  target.forget()
})
afterAll(async () => {
  for (const close of opened.toReversed()) await close()
})

/** Returns the builder's status. */
async function passOn({ headers, body }: Received): Promise<number> {
  const signed = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'))
  const init = { method: 'POST', headers: Object.fromEntries(signed) as Record<string, string>, body }
  return (await fetch(await builder.findUrl(), init)).status
}

/** Resolves when every earlier change is built. */
async function startBuilder(): Promise<void> {
  const env = { COORDINATOR_URL: site.origin, REBUILD_SECRET: SITE_SECRET }
  const places = { source: path('shop.sqlite'), output: path('dist'), state: path('state') }
  const started = (builder = new BuilderProcess({ ...places, env }))
  opened.push(() => started.end('SIGKILL'))
  await builder.waitFor(/reported: nothing waits/)
}

const countAsked = (): number => builder.count(/received dispatch/)

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
  await expect.poll(() => readPage(seller)).toContain(`RD$${price}`)
  await expectNothingWaits()
}

async function expectNothingWaits(): Promise<void> {
  await expect.poll(() => site.status()).toMatchObject({ pending: 0, running: null })
}

it('builds changes accepted before a restart of a killed Worker', async () => {
  const asked = countAsked()
  target.goDown()
  await Promise.all([setPrice('ana', 1234), site.notify(['eva'], { id: 'same' })])
  await site.kill()
  expect(countAsked()).toBe(asked)
  target.isDown = false
  await site.restart()
  expect((await site.notify(['eva'], { id: 'same' })).body).toMatchObject({ accepted: 0 })
  await expectBuilt('ana', '1,234')
})

it('builds changes that arrived while it was down, slow or refusing dispatches', async () => {
  target.goDown()
  await setPrice('ana', 2345)
  await expect.poll(async () => (await site.status()).dispatch.error?.reason).toBe('the host was unreachable')
  target.answer(
    () => {},
    (response) => void response.writeHead(429, { 'retry-after': '1' }).end(),
    (response) => void response.writeHead(500).end(),
  )
  target.isDown = false
  await expectBuilt('ana', '2,345')
  expect(target.received.length).toBeGreaterThan(3)
})

it('builds after a restart what it had claimed when it was killed', async () => {
  const claims = builder.count(/claimed 2 sellers/)
  const holder = new DatabaseSync(path('shop.sqlite'), { timeout: 5000 })
  writePrice(holder, 'ana', 3456)
  writePrice(holder, 'eva', 4567)
  // Until the builder is killed, it cannot read what it claims.
  holder.exec('BEGIN EXCLUSIVE')
  await notify('ana', 'eva')
  await builder.waitFor(/claimed 2 sellers/, claims + 1)
  await builder.end('SIGKILL')
  holder.close()
  expect(await site.status()).toMatchObject({ pending: 2, result: { error: null } })
  expect((await site.status()).running).not.toBeNull()
  await startBuilder()
  await expectBuilt('ana', '3,456')
  await expectBuilt('eva', '4,567')
})

it('builds on each correctly signed dispatch, and exits cleanly', async () => {
  const asked = countAsked()
  await setPrice('ana', 5678)
  await expectBuilt('ana', '5,678')
  const url = await builder.findUrl()
  const body = JSON.stringify({ type: 'build.wanted', data: {} })
  const post = async (sent: string, headers: Record<string, string>): Promise<number> =>
    (await fetch(url, { method: 'POST', headers, body: sent })).status
  const sign = (sent: string, secret = SITE_SECRET): Record<string, string> =>
    signMessage([secret], { id: 'build_1', body: sent }, new Date())
  const notice = JSON.stringify(createNotice(['ana']))
  const other = `whsec_${Buffer.alloc(24).toString('base64')}`
  expect((await fetch(url)).status).toBe(405)
  expect(await post(body, {})).toBe(401)
  expect(await post(body, sign(body, other))).toBe(401)
  expect(await post(`${body} `, sign(body))).toBe(401)
  expect(await post(notice, sign(notice))).toBe(400)
  expect(await post('x'.repeat(100_000), sign(body))).toBe(413)
  // A dispatch that is answered late is sent again.
  await expect.poll(() => countAsked() - asked).toBe(target.received.length)
  expect(await builder.end('SIGINT')).toBe(0)
  expect(builder.said).not.toContain(SITE_SECRET.slice('whsec_'.length))
})
