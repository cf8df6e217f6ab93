/** The rows that docs/search.md names are those that the index writes and reads on the real runtime, where rows are billed. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Product } from '../../../src/domain/documents/product.ts'
import { createUpdate, MAX_UPDATES } from '../../../src/domain/search/search-index.ts'
import { parseQuery } from '../../../src/domain/search/words.ts'
import { readDocumentationPage, readTable } from '../../support/run/documentation.ts'
import { createRandom } from '../../../scripts/measure/random.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { useSharedFolder } from '../../support/run/temporary.ts'
import { createEntry, createProduct } from '../../support/search/search-entries.ts'
import type { WorkerRuntime } from '../../support/edge/worker-runtime.ts'
import { startRuntime } from '../../support/edge/worker-runtime.ts'

const WORKER = `
import { DurableObject } from 'cloudflare:workers'
import { openShard } from '${join(ROOT, 'src/edge/search/open-shard.ts')}'
export class Counted extends DurableObject {
  constructor(ctx, environment) {
    super(ctx, environment)
    this.rows = { written: 0, read: 0, most: 0 }
    const exec = (query, ...bindings) => {
      const cursor = ctx.storage.sql.exec(query, ...bindings)
      const rows = cursor.toArray()
      this.rows.written += cursor.rowsWritten
      this.rows.read += cursor.rowsRead
      return { toArray: () => rows }
    }
    const transactionSync = (work) => {
      const before = this.rows.written
      const result = ctx.storage.transactionSync(work)
      this.rows.most = Math.max(this.rows.most, this.rows.written - before)
      return result
    }
    this.shard = openShard({ sql: { exec }, transactionSync })
  }
  async count({ updates, words, isStatus }) {
    const { tags } = await this.shard.see(updates ?? [])
    this.rows = { written: 0, read: 0, most: 0 }
    await this.shard.update((updates ?? []).map((one, at) => ({ ...one, seen: tags[at] })))
    if (isStatus) await this.shard.readState()
    const found = words === undefined ? 0 : (await this.shard.find(words)).products.length
    return { ...this.rows, found }
  }
}
export default {
  async fetch(request, { SHARD }) {
    if (request.method !== 'POST') return new Response('')
    const { shard = 'one', ...body } = await request.json()
    return Response.json(await SHARD.getByName(shard).count(body))
  },
}`

const SELLERS = 200
const PRODUCTS = 5
const HOUSES = ['Chanel', 'Dior', 'Armani', 'Lattafa', 'Versace', 'Carolina Herrera', 'Paco Rabanne'] as const
const NAMES = ['Bleu', 'Sauvage', 'Good Girl', 'Eros', 'Invictus', 'Khamrah', 'Ángel', 'Olympea'] as const

const path = useSharedFolder()
let runtime: WorkerRuntime
beforeAll(async () => {
  writeFileSync(path('worker.js'), WORKER)
  const configuration = path('wrangler.json')
  const settings = {
    name: 'bill',
    main: 'worker.js',
    compatibility_date: '2026-11-01',
    durable_objects: { bindings: [{ name: 'SHARD', class_name: 'Counted' }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['Counted'] }],
  }
  writeFileSync(configuration, JSON.stringify(settings))
  runtime = await startRuntime({ configuration })
})
afterAll(() => runtime.kill())

interface Rows {
  readonly written: number
  readonly read: number
  /** Written in one transaction. */
  readonly most: number
  readonly found: number
}

async function count(body: object): Promise<Rows> {
  return (await fetch(runtime.origin, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<Rows>
}

function create(seller: number, change: Partial<Product> = {}) {
  const products = Array.from({ length: PRODUCTS }, (_, at) => {
    const number = seller * PRODUCTS + at
    const [house, name] = [HOUSES[number % HOUSES.length], NAMES[(number * 3) % NAMES.length]]
    const made = createProduct(`p${at}`, `${house} ${name} EDP ${50 + (number % 4) * 25} ml`, {
      price: 1_000 + ((number * 37) % 90) * 100,
    })
    return at === 0 ? { ...made, ...change } : made
  })
  return createUpdate(`s${seller}`, createEntry(`s${seller}`, `Tienda ${seller}`, products), '')
}

it('writes and reads the rows that are documented', async () => {
  let [written, read] = [0, 0]
  for (let from = 0; from < SELLERS; from += MAX_UPDATES) {
    const updates = await Promise.all(
      Array.from({ length: Math.min(MAX_UPDATES, SELLERS - from) }, (_, at) => create(from + at)),
    )
    const rows = await count({ updates })
    ;[written, read] = [written + rows.written, read + rows.read]
  }
  const products = SELLERS * PRODUCTS
  const update = async (change?: Partial<Product>): Promise<Rows> =>
    count({ updates: [await create(7, change)] })
  const search = (query: string): Promise<Rows> => count({ words: parseQuery(query) })
  const counted: Readonly<Record<string, Pick<Rows, 'written' | 'read'>>> = {
    'first fill, for each product': { written: written / products, read: read / products },
    'another price of a product': await update({ price: 5 }),
    'another name of a product': await update({ name: 'Dior Homme Intense EDT 100 ml', price: 5 }),
    'equal data': await update({ name: 'Dior Homme Intense EDT 100 ml', price: 5 }),
    'a name that some products have': await search('invictus'),
    'two words': await search('armani 100ml'),
    'a word that all have': await search('edp'),
    'a misspelt word': await search('invictsu'),
    'nothing found': await search('zzz'),
    'a look at its state': await count({ isStatus: true }),
  }
  const table = readTable(
    readDocumentationPage('docs/search.md'),
    'operation',
    'rows written at most',
    'rows read at most',
  )
  expect(table.map(([name]) => name)).toEqual(Object.keys(counted))
  for (const [name = '', most, mostRead] of table) {
    const rows = counted[name] ?? { written: Infinity, read: Infinity }
    expect(rows.written, name).toBeLessThanOrEqual(Number(most))
    expect(rows.read, name).toBeLessThanOrEqual(Number(mostRead))
    // Figures that are far too large are wrong, too.
    expect(rows.written, name).toBeGreaterThanOrEqual(Number(most) / 3)
    expect(rows.read, name).toBeGreaterThanOrEqual(Number(mostRead) / 3)
  }
})

/** Names that make an index large, and cheaper copies of what others sell. */
function createHostile() {
  const random = createRandom(1)
  const name = (at: number): string => {
    if (at % 4 === 0) return Array.from({ length: 30 }, () => random.id(12)).join(' ')
    return at % 4 === 1 ? `<!--apart:${at}-->` : 'Chanel Bleu EDP 100 ml'
  }
  const photo = `https://a.example/${'a'.repeat(1_900)}`
  const products = Array.from({ length: 140 }, (_, at) =>
    createProduct(`b${at}`, name(at), { price: 1, photo }),
  )
  return createUpdate('bad', createEntry('bad', 'Ana', products), '')
}

it('a hostile seller among 60 makes other searches no dearer, and is written in small transactions', async () => {
  const honest = await Promise.all(Array.from({ length: 59 }, (_, at) => create(at)))
  for (const shard of ['without', 'with']) await count({ shard, updates: honest })
  const { written, most } = await count({ shard: 'with', updates: [await createHostile()] })
  expect(written).toBeGreaterThan(2_000)
  expect(most).toBeLessThanOrEqual(2_000)
  const search = async (query: string): Promise<number> => {
    const words = parseQuery(query)
    const without = await count({ shard: 'without', words })
    return (await count({ shard: 'with', words })).read / without.read
  }
  for (const query of ['invictus', 'armani', 'invictsu', 'dior eros', 'tienda 7', 'zzz'])
    expect(await search(query), query).toBeLessThanOrEqual(1.3)
  // Her results are the best ones, so the shard looks once more without her.
  for (const query of ['chanel', 'edp', 'eau de parfum'])
    expect(await search(query), query).toBeLessThanOrEqual(2.1)
})
