/** `rebuild --watch` with the embedded database and with a folder. */
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import { importFolder } from '../../../../src/builder/sources/embedded/interchange.ts'
import { product, user, writeFolder } from '../../../support/rebuild/documents.ts'
import { runRebuild } from '../../../support/rebuild/rebuild.ts'
import { copyCompiled } from '../../../support/rebuild/sample-renderer.ts'
import { useWatch } from '../../../support/rebuild/watched-rebuild.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { setPrice } from '../../sources/embedded-fixture.ts'

const path = useTemporaryFolder()
const watchSource = useWatch(path)

const documents = [user('ana'), product('uno', 'ana'), user('eva'), product('dos', 'eva')]
const readPage = (seller: string): string => readFileSync(path(`dist/catalogo/${seller}.html`), 'utf8')

it('follows an embedded database that is edited, replaced and missing for a while, and exits with 0', async () => {
  await importFolder(writeFolder(path('source'), documents), path('shop.sqlite'), {})
  copyFileSync(path('shop.sqlite'), path('other.sqlite'))
  setPrice(path('other.sqlite'), 'uno', 7777)
  const watch = watchSource(path('shop.sqlite'))
  expect((await watch.next()).pages.rendered).toBe(2)
  for (const price of [4321, 5432]) {
    setPrice(path('shop.sqlite'), 'uno', price)
    expect(await watch.next()).toMatchObject({ exit: 0, reads: 1, pages: { rendered: 1, unchanged: 1 } })
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

it('follows a folder, and keeps the site when a change is refused', async () => {
  const many = Array.from({ length: 20 }, (_, index) => user(`s${index}`))
  writeFolder(path('source'), [...documents, ...many])
  const watch = watchSource(path('source'))
  expect((await watch.next()).sellers).toBe(22)
  replaceUsers(documents)
  expect((await watch.next()).exit).toBe(4)
  expect(readPage('s7')).toContain('Ana')
  replaceUsers([...documents, ...many, user('more')])
  expect((await watch.next()).pages).toMatchObject({ rendered: 1, unchanged: 22 })
  rmSync(path('source/users.ndjson'))
  expect((await watch.next()).exit).not.toBe(0)
})

it('ends with 70 with the next change after the code or a public file has changed', async () => {
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
  await expect.poll(() => existsSync(path('dist/catalogo/eva.html')), { timeout: 60_000 }).toBe(true)
  writeFileSync(path('project/public/nuevo.txt'), 'nuevo')
  replaceUsers([...documents, user('more')])
  const { code, report } = await watching
  expect([code, report.error]).toEqual([70, expect.stringContaining('must be started again')])
})
