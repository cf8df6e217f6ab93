/** The rebuild command on a folder and on a database: what it reads and writes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { importFolder } from '../../../src/builder/sources/embedded/interchange.ts'
import { createSellers, product, writeFolder } from '../../support/rebuild/documents.ts'
import { readFiles } from '../../support/run/files.ts'
import type { RebuildPlace } from '../../support/rebuild/rebuild.ts'
import { rebuildHere } from '../../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

const place = (source = path('source')): RebuildPlace => ({
  source,
  output: path('dist'),
  state: path('state'),
})

const createDocuments = (sellers: number) => createSellers(sellers, { names: ['a', 'b'] })

const readPage = (name: string): string => readFiles(path('dist'))[`catalogo/${name}.html`] ?? ''

function listCatalogues(): readonly string[] {
  return Object.keys(readFiles(path('dist')))
    .filter((file) => /^catalogo\/(?!404)/.test(file))
    .sort()
}

it('A malformed line and documents of wrong types are reported plainly, and everything else is written', async () => {
  writeFolder(path('source'), [
    ...createDocuments(3),
    { collection: 'cataloge', id: 'odd', updateTime: null, data: { name: 5, price: 'x', owner: 'y' } },
    product('dear', 's0', { price: 'mucho' }),
    product('\u001B[31mred\u009B2J\u202E', 's0', { name: 5 }),
  ])
  writeFileSync(join(path('source'), 'users.ndjson'), '{"id": "s1", "data": \n', { flag: 'a' })
  const { report, said } = await rebuildHere(place())
  expect(said).toContain('[31mred')
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  expect(said).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E]/)
  expect(report.exit).toBe(0)
  expect(listCatalogues()).toHaveLength(3)
  const named = report.rejected.map(({ collection, id, field }) => `${collection}/${id}/${field}`)
  expect(named).toEqual(
    expect.arrayContaining(['cataloge/odd/name', 'cataloge/odd/owner.id', 'cataloge/dear/price']),
  )
  expect(
    report.rejected.some(({ collection, reason }) => collection === 'users' && reason.includes('line')),
  ).toBe(true)
  expect(readPage('s0')).toContain('--')
})

it('A rebuild from a database reads and writes only what another program changed', async () => {
  writeFolder(path('source'), createDocuments(10))
  await importFolder(path('source'), path('shop.sqlite'), {})
  const shop = place(path('shop.sqlite'))
  await rebuildHere(shop)
  const client = new DatabaseSync(path('shop.sqlite'))
  client.exec("UPDATE documents SET data = json_set(data, '$.price', 777) WHERE id = 'p4a'")
  client.close()
  expect((await rebuildHere(shop)).report).toMatchObject({ reads: 3, pages: { written: 1 } })
  expect(readPage('s4')).toContain('RD$777')
  expect((await rebuildHere(shop)).report).toMatchObject({ reads: 0, pages: { written: 0 } })
})
