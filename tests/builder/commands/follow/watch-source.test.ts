/** `rebuild --watch` with the embedded database, with a folder and with Firestore. */
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import { importFolder } from '../../../../src/builder/sources/embedded/interchange.ts'
import { createSellers, product, user, writeFolder } from '../../../support/rebuild/documents.ts'
import { runRebuild } from '../../../support/rebuild/rebuild.ts'
import { copyCompiled } from '../../../support/rebuild/sample-renderer.ts'
import { useWatch } from '../../../support/rebuild/watched-rebuild.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { setPrice } from '../../sources/reading.ts'

const path = useTemporaryFolder()
const watchSource = useWatch(path)

const documents = [user('ana'), product('uno', 'ana'), user('eva'), product('dos', 'eva')]
const readPage = (seller: string): string => readFileSync(path(`dist/catalogo/${seller}.html`), 'utf8')

it('A watch follows an embedded database that is edited, replaced and missing for a while', async () => {
  await importFolder(writeFolder(path('source'), documents), path('shop.sqlite'), {})
  copyFileSync(path('shop.sqlite'), path('other.sqlite'))
  setPrice(path('other.sqlite'), 'uno', 7777)
  const watch = watchSource(path('shop.sqlite'))
  expect((await watch.next()).sellers).toBe(2)
  for (const price of [4321, 5432]) {
    setPrice(path('shop.sqlite'), 'uno', price)
    expect(await watch.next()).toMatchObject({ exit: 0, reads: 2, pages: { failed: 0 } })
    expect(readPage('ana')).toContain(`RD$${price.toLocaleString('en')}`)
  }
  renameSync(path('other.sqlite'), path('shop.sqlite'))
  expect((await watch.next()).exit).toBe(0)
  expect(readPage('ana')).toContain('RD$7,777')
  renameSync(path('shop.sqlite'), path('away.sqlite'))
  await watch.waitForWarning('cannot be read at the moment')
  setPrice(path('away.sqlite'), 'uno', 8888)
  renameSync(path('away.sqlite'), path('shop.sqlite'))
  let report = await watch.next()
  while (report.exit !== 0) report = await watch.next()
  expect(readPage('ana')).toContain('RD$8,888')
  expect(await watch.stop()).toBe(0)
})

/** In one step: a folder is read whenever nothing changes for a moment. */
function replaceUsers(sellers: readonly SourceDocument[]): void {
  writeFolder(path('next'), sellers)
  renameSync(path('next/users.ndjson'), path('source/users.ndjson'))
}

it('A watch follows a folder, keeps the site when a change is refused, and goes on with the next', async () => {
  const many = createSellers(20)
  writeFolder(path('source'), [...documents, ...many])
  const watch = watchSource(path('source'))
  expect((await watch.next()).sellers).toBe(22)
  const users = many.filter(({ collection }) => collection === 'users')
  renameSync(path('source/cataloge.ndjson'), path('cataloge.ndjson'))
  expect((await watch.next()).exit).not.toBe(0)
  expect(readPage('s7')).toContain('Ana')
  renameSync(path('cataloge.ndjson'), path('source/cataloge.ndjson'))
  let report = await watch.next()
  while (report.exit !== 0) report = await watch.next()
  replaceUsers([...documents, ...users, user('more')])
  expect(await watch.next()).toMatchObject({ exit: 0, sellers: 23 })
})

it('A watch ends with code 70 at the next change after the code has changed', async () => {
  await copyCompiled(path('project'))
  writeFolder(path('source'), documents)
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const place = {
    source: path('source'),
    output: path('dist'),
    state: path('state'),
    project: path('project'),
  }
  const watching = runRebuild({ ...place, signal: end.signal }, '--watch')
  await expect.poll(() => existsSync(path('dist/sitemap.xml'))).toBe(true)
  writeFileSync(path('project/src/domain/new.ts'), '')
  replaceUsers([...documents, user('more')])
  const { code, report } = await watching
  expect([code, report.error]).toEqual([70, expect.stringContaining('must be started again')])
})

it('A Firestore site is not watched, and the error names the webhook', async () => {
  const env = { FIREBASE_PROJECT_ID: 'vitrina', FIRESTORE_EMULATOR_HOST: '127.0.0.1:1' }
  const place = { source: 'firestore', output: path('dist'), state: path('state'), env }
  const { code, report } = await runRebuild(place, '--watch')
  expect([code, report.error]).toEqual([3, expect.stringContaining('webhook')])
})
