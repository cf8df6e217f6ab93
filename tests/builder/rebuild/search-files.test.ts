/** The search files of a built site: which of them a change writes, and that they equal those of a clean build. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { beforeEach, expect, it } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { parseSearchFile, SEARCH_FILES } from '../../../src/domain/search/search-file.ts'
import { openSearchFiles } from '../../../src/domain/search/search-files.ts'
import type { RebuildOutcome } from '../../../src/builder/rebuild/rebuild.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { renderPlain, runInWorld } from '../../support/rebuild/world.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()
const SELLERS = ['ana', 'bea', 'caro', 'dora', 'eva', 'flor', 'gala', 'hilda']

let documents: readonly SourceDocument[]
beforeEach(() => {
  documents = SELLERS.flatMap((id) => [
    user(id),
    product(`${id}-1`, id, { name: `Bleu de ${id}`, price: 10 }),
  ])
})

const run = (setup: Partial<WorldSetup> = {}): Promise<RebuildOutcome> =>
  runInWorld({ folder: path('site'), documents, switches: { search: true }, ...setup })

/** Runs, and returns the search files that were written. */
async function listWritten(): Promise<readonly string[]> {
  const before = readSearchFiles()
  await run()
  return [...readSearchFiles()].filter(([file, text]) => before.get(file) !== text).map(([file]) => file)
}

/** By path. */
function readSearchFiles(site = 'site'): ReadonlyMap<string, string> {
  const folder = path(`${site}/dist/buscar`)
  const names = existsSync(folder) ? readdirSync(folder).sort() : []
  return new Map(names.map((name) => [`buscar/${name}`, readFileSync(`${folder}/${name}`, 'utf8')]))
}

function find(query: string): readonly string[] {
  const search = openSearchFiles([...readSearchFiles().values()].map(parseSearchFile))
  return search({ query, decants: 'todos' }).products.map(({ seller, price }) => `${seller.id} ${price}`)
}

it('search files are made with the site, and one change writes one of them', async () => {
  expect(await listWritten()).toHaveLength(SEARCH_FILES.few)
  expect(find('bleu')).toHaveLength(SELLERS.length)
  expect(await listWritten()).toEqual([])
  documents = documents.map((one) =>
    one.id === 'eva-1' ? product('eva-1', 'eva', { name: 'Bleu', price: 5 }) : one,
  )
  expect(await listWritten()).toHaveLength(1)
  expect(find('bleu')[0]).toBe('eva 5')
})

it('search files equal those of a clean build after sellers come and go', async () => {
  await run()
  documents = documents.slice(2)
  await run({ options: { isShrinkAllowed: true } })
  documents = [...documents, user('ines'), product('i1', 'ines', { name: 'Bleu' })]
  await run()
  await run({ folder: path('clean') })
  expect(readSearchFiles()).toEqual(readSearchFiles('clean'))
})

it('search files lack a seller whose catalogue fails and has no earlier version', async () => {
  const render: WorldSetup['render'] = (page) => {
    if (page.kind === 'catalogue' && page.catalogue.seller === 'ana') throw new Error('it broke')
    return renderPlain(page)
  }
  await run({ render })
  expect(find('bleu')).toHaveLength(SELLERS.length - 1)
  await run({ options: { sellers: ['ana'] } })
  expect(find('bleu')).toHaveLength(SELLERS.length)
})

it('search files are gone with SEARCH=off, and come back', async () => {
  await run()
  await run({ switches: { search: false } })
  expect([...readSearchFiles()]).toEqual([])
  expect(existsSync(path('site/dist/buscar.html'))).toBe(false)
  await run()
  expect(find('bleu')).toHaveLength(SELLERS.length)
})
