/** The rows that docs/search.md names are those that the index writes and reads on the real runtime, where rows are billed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Product } from '../../../src/domain/documents/product.ts'
import { createUpdate, MAX_UPDATES } from '../../../src/domain/search/search-index.ts'
import { parseQuery } from '../../../src/domain/search/words.ts'
import { readPage, readTable } from '../../support/documentation.ts'
import { ROOT } from '../../support/rebuild.ts'
import { createEntry, createProduct } from '../../support/search-entries.ts'
import type { WorkerRuntime } from '../../support/worker-runtime.ts'
import { startRuntime } from '../../support/worker-runtime.ts'

const WORKER = `
import { DurableObject } from 'cloudflare:workers'
import { openShard } from '${join(ROOT, 'src/edge/search/open-shard.ts')}'
export class Counted extends DurableObject {
  constructor(ctx, environment) {
    super(ctx, environment)
    this.rows = { written: 0, read: 0 }
    const exec = (query, ...bindings) => {
      const cursor = ctx.storage.sql.exec(query, ...bindings)
      const rows = cursor.toArray()
      this.rows.written += cursor.rowsWritten
      this.rows.read += cursor.rowsRead
      return { toArray: () => rows }
    }
    const transactionSync = (work) => ctx.storage.transactionSync(work)
    this.shard = openShard({ sql: { exec }, transactionSync })
  }
  async count({ updates, words }) {
    this.rows = { written: 0, read: 0 }
    await this.shard.update(updates ?? [])
    const found = words === undefined ? 0 : this.shard.find(words).products.length
    return { ...this.rows, found }
  }
}
export default {
  async fetch(request, { SHARD }) {
    if (request.method !== 'POST') return new Response('')
    return Response.json(await SHARD.getByName('one').count(await request.json()))
  },
}`

const SELLERS = 200
const PRODUCTS = 5
const HOUSES = ['Chanel', 'Dior', 'Armani', 'Lattafa', 'Versace', 'Carolina Herrera', 'Paco Rabanne'] as const
const NAMES = ['Bleu', 'Sauvage', 'Good Girl', 'Eros', 'Invictus', 'Khamrah', 'Ángel', 'Olympea'] as const

let folder = ''
let runtime: WorkerRuntime
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrina-search-bill-'))
  writeFileSync(join(folder, 'worker.js'), WORKER)
  const configuration = join(folder, 'wrangler.json')
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
afterAll(async () => {
  await runtime.kill()
  rmSync(folder, { recursive: true, force: true })
})

interface Rows {
  readonly written: number
  readonly read: number
  readonly found: number
}

async function count(body: object): Promise<Rows> {
  return (await fetch(runtime.origin, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<Rows>
}

function create(seller: number, sequence: number, change: Partial<Product> = {}) {
  const products = Array.from({ length: PRODUCTS }, (_, at) => {
    const number = seller * PRODUCTS + at
    const [house, name] = [HOUSES[number % HOUSES.length], NAMES[(number * 3) % NAMES.length]]
    const made = createProduct(`p${at}`, `${house} ${name} EDP ${50 + (number % 4) * 25} ml`, {
      price: 1_000 + ((number * 37) % 90) * 100,
    })
    return at === 0 ? { ...made, ...change } : made
  })
  return createUpdate(`s${seller}`, createEntry(`s${seller}`, `Tienda ${seller}`, products), { sequence })
}

it('writes and reads the rows that are documented', async () => {
  let [written, read] = [0, 0]
  for (let from = 0; from < SELLERS; from += MAX_UPDATES) {
    const updates = await Promise.all(
      Array.from({ length: Math.min(MAX_UPDATES, SELLERS - from) }, (_, at) => create(from + at, 1)),
    )
    const rows = await count({ updates })
    ;[written, read] = [written + rows.written, read + rows.read]
  }
  const products = SELLERS * PRODUCTS
  const update = async (sequence: number, change?: Partial<Product>): Promise<Rows> =>
    count({ updates: [await create(7, sequence, change)] })
  const search = (query: string): Promise<Rows> => count({ words: parseQuery(query) })
  const counted: Readonly<Record<string, Pick<Rows, 'written' | 'read'>>> = {
    'first fill, for each product': { written: written / products, read: read / products },
    'another price of a product': await update(2, { price: 5 }),
    'another name of a product': await update(3, { name: 'Dior Homme Intense EDT 100 ml', price: 5 }),
    'equal data': await update(4, { name: 'Dior Homme Intense EDT 100 ml', price: 5 }),
    'a name that some products have': await search('invictus'),
    'two words': await search('armani 100ml'),
    'a word that all have': await search('edp'),
    'a misspelt word': await search('invictsu'),
    'nothing found': await search('zzz'),
  }
  const table = readTable(
    readPage('docs/search.md'),
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
