/** The rebuild command on a folder and on a database: what it renders, keeps, removes and reports. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { importFolder } from '../../../src/builder/sources/embedded/interchange.ts'
import { createSellers, product, user, writeFolder } from '../../support/rebuild/documents.ts'
import { readOutput as readFolder } from '../../support/rebuild/output.ts'
import type { RebuildPlace } from '../../support/rebuild/rebuild.ts'
import { runRebuild } from '../../support/rebuild/rebuild.ts'
import { rebuildHere } from '../../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

const place = (source = path('source')): RebuildPlace => ({
  source,
  output: path('dist'),
  state: path('state'),
})

const createDocuments = (sellers: number) => createSellers(sellers, { names: ['a', 'b'] })

const readOutput = (folder = path('dist')) => readFolder(folder)

function listCatalogues(): readonly string[] {
  return [...readOutput().keys()].filter((file) => /^catalogo\/(?!404)/.test(file)).sort()
}

const COUNTS = { rendered: 0, unchanged: 0, removed: 0, failed: 0 }

describe('a rebuild from a folder', () => {
  it('renders a page for every seller, and then finds nothing to do and writes nothing', async () => {
    writeFolder(path('source'), createDocuments(30))
    const first = await runRebuild(place())
    expect(first.report).toMatchObject({ exit: 0, sellers: 30, products: 60, reads: 90, error: null })
    expect(first.report.pages).toEqual({ ...COUNTS, rendered: 30 })
    expect(listCatalogues()).toEqual(Array.from({ length: 30 }, (_, i) => `catalogo/s${i}.html`).sort())
    const before = readOutput()
    const second = await runRebuild(place())
    expect(second.report.pages).toEqual({ ...COUNTS, unchanged: 30 })
    expect(second.stderr).toContain('Nothing to do')
    expect(readOutput()).toEqual(before)
  })

  it('renders nothing when a field that no page shows changed, nor when lines and keys change their order', async () => {
    const documents = createDocuments(5)
    writeFolder(path('source'), documents)
    await rebuildHere(place())
    const shuffled = documents.toReversed().map((document) => {
      const data = Object.fromEntries(Object.entries(document.data as object).toReversed())
      return { ...document, data: { ...data, stock: 7 } }
    })
    writeFolder(path('source'), shuffled)
    const { report } = await runRebuild({ ...place(), env: { TZ: 'Asia/Tokyo', LANG: 'de_DE.UTF-8' } })
    expect(report.pages).toEqual({ ...COUNTS, unchanged: 5 })
  })

  it('reports a malformed line and documents of wrong types, plainly, and publishes everything else', async () => {
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
    expect(report.pages.rendered).toBe(3)
    const named = report.rejected.map(({ collection, id, field }) => `${collection}/${id}/${field}`)
    expect(named).toEqual(
      expect.arrayContaining(['cataloge/odd/name', 'cataloge/odd/owner.id', 'cataloge/dear/price']),
    )
    expect(
      report.rejected.some(({ collection, reason }) => collection === 'users' && reason.includes('line')),
    ).toBe(true)
    expect(readOutput().get('catalogo/s0.html')?.bytes).toContain('--')
  })

  it('never confuses similar ids, and rejects those that cannot have an address', async () => {
    const ids = ['404', 'index', 'a/b', 'perfumería', 'perfumería'.normalize('NFD'), '..', 'Ana', 'ana']
    writeFolder(
      path('source'),
      ids.map((id, index) => user(id, `Nombre${index}`, '')),
    )
    const { report } = await rebuildHere(place())
    expect(report.exit).toBe(0)
    expect(report.rejected.map(({ id }) => id).sort()).toEqual(
      ['404', 'index', 'a/b', 'perfumería'.normalize('NFD'), '..'].sort(),
    )
    expect(listCatalogues()).toEqual(['catalogo/Ana.html', 'catalogo/ana.html', 'catalogo/perfumería.html'])
    expect(readOutput().get('catalogo/perfumería.html')?.bytes).toContain('Nombre3')
  })

  it('changes nothing and takes no lock in a dry run, and names each page with its reason', async () => {
    const documents = createDocuments(4)
    writeFolder(path('source'), documents)
    await rebuildHere(place())
    const before = [readOutput(), readOutput(path('state'))]
    const others = documents.slice(3).filter(({ id }) => id !== 'p3a')
    writeFolder(path('source'), [...others, product('new', 'fresh'), product('p3a', 's3', { price: 1 })])
    for (const flag of ['--dry-run', '--explain']) {
      const { code, stdout } = await rebuildHere(place(), flag, '--allow-shrink')
      expect(code).toBe(0)
      expect(stdout).toMatch(/render {2}catalogo\/fresh\.html {2}\(not rendered before\)/)
      expect(stdout).toMatch(/render {2}catalogo\/s3\.html {2}\(its data changed\)/)
      expect(stdout).toMatch(/remove {2}catalogo\/s0\.html {2}\(its seller is gone\)/)
    }
    expect([readOutput(), readOutput(path('state'))]).toEqual(before)
  })
})

describe('a rebuild that fails', () => {
  it('exits 2 with a hint on a wrong flag, and 3 on a missing folder with the site as it was', async () => {
    writeFolder(path('source'), createDocuments(2))
    await rebuildHere(place())
    const before = readOutput()
    const wrong = await runRebuild(place(), '--dryrun')
    expect(wrong.report).toMatchObject({
      exit: 2,
      error: expect.stringContaining('Did you mean --dry-run?') as string,
    })
    const missing = await runRebuild(place(path('nowhere')))
    expect(missing.report).toMatchObject({ exit: 3, error: expect.stringContaining('nowhere') as string })
    expect([wrong.code, missing.code]).toEqual([2, 3])
    expect(readOutput()).toEqual(before)
  })

  it('refuses a first build on an empty source', async () => {
    writeFolder(path('source'), [])
    const { report } = await rebuildHere(place())
    expect(report.exit).toBe(4)
  })

  it('does not change a folder with foreign files', async () => {
    writeFolder(path('source'), createDocuments(2))
    writeFolder(path('dist'), [])
    const { report } = await rebuildHere(place())
    expect(report).toMatchObject({ exit: 2, error: expect.stringContaining('--out') as string })
    expect([...readOutput().keys()].sort()).toEqual(['cataloge.ndjson', 'users.ndjson'])
  })
})

describe('a rebuild after something was lost', () => {
  it('repairs an older output folder and a damaged state', async () => {
    writeFolder(path('source'), createDocuments(6))
    await rebuildHere(place())
    cpSync(path('dist'), path('old'), { recursive: true })
    writeFolder(path('source'), [...createDocuments(6), product('more', 's2')])
    await rebuildHere(place())
    const before = toBytes(readOutput())
    rmSync(path('dist'), { recursive: true })
    cpSync(path('old'), path('dist'), { recursive: true })
    expect((await rebuildHere(place())).report.exit).toBe(0)
    expect(readBytes()).toEqual(before)
    for (const name of ['snapshot.sqlite', 'record.sqlite']) {
      writeFileSync(
        join(path('state'), name),
        'this is no database, but long enough to be looked at as if it were one',
      )
      expect((await rebuildHere(place())).report).toMatchObject({ exit: 0, sellers: 6 })
      expect(readBytes()).toEqual(before)
    }
    const pictures = join(path('state'), 'pictures.sqlite')
    writeFileSync(pictures, 'kept whatever happens to the other files')
    const record = join(path('state'), 'record.sqlite')
    writeFileSync(record, readFileSync(record).fill(7, 4096))
    writeFileSync(join(path('state'), 'lock.sqlite'), 'garbage'.repeat(999))
    const { report, stderr } = await rebuildHere(place())
    expect(report).toMatchObject({ exit: 0, sellers: 6 })
    expect(stderr).toContain('damaged')
    expect(readFileSync(join(path('state'), 'pictures.kept-1.sqlite'), 'utf8')).toMatch(/^kept/)
    expect(readBytes()).toEqual(before)
  })
})

describe('a rebuild from the embedded database', () => {
  async function createDatabase(): Promise<DatabaseSync> {
    writeFolder(path('source'), createDocuments(10))
    await importFolder(path('source'), path('shop.sqlite'), {})
    await rebuildHere(place(path('shop.sqlite')))
    return new DatabaseSync(path('shop.sqlite'))
  }

  /** Fills the first page of a table or an index of the snapshot, so that nothing can be read through it. */
  function spoilSnapshot(name: string): void {
    const file = join(path('state'), 'snapshot.sqlite')
    const database = new DatabaseSync(file)
    const root = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name)
    const size = Number(database.prepare('PRAGMA page_size').get()?.['page_size'])
    database.close()
    const end = Number(root?.['rootpage']) * size
    writeFileSync(file, readFileSync(file).fill(0xff, end - size, end))
  }

  it.each(['entries', 'entries_seller', 'sellers', 'meta'])(
    'recreates a snapshot whose %s are damaged, with the same site',
    async (name) => {
      ;(await createDatabase()).close()
      const before = readBytes()
      spoilSnapshot(name)
      const { report, stderr } = await rebuildHere(place(path('shop.sqlite')), '--full')
      expect([report.exit, stderr]).toEqual([0, expect.stringContaining('the state is damaged')])
      expect(readBytes()).toEqual(before)
    },
  )

  it.each([0, 1])(
    'finds a text of the snapshot that was changed on the disk with --verify (copy %i)',
    async (copy) => {
      ;(await createDatabase()).close()
      const before = readBytes()
      const file = join(path('state'), 'snapshot.sqlite')
      const bytes = readFileSync(file)
      const [name, other] = ['"Perfume p7a"', '"Perfume p7c"']
      const first = bytes.indexOf(name)
      bytes.write(other, copy === 0 ? first : bytes.indexOf(name, first + 1))
      writeFileSync(file, bytes)
      const { report, stderr } = await rebuildHere(place(path('shop.sqlite')), '--full', '--verify')
      expect([report.exit, stderr]).toEqual([0, expect.stringContaining('the state is damaged')])
      expect(readBytes()).toEqual(before)
    },
  )

  it('reads only what an outside client changed', async () => {
    const client = await createDatabase()
    client.exec("UPDATE documents SET data = json_set(data, '$.price', 777) WHERE id = 'p4a'")
    client.close()
    const { report } = await rebuildHere(place(path('shop.sqlite')))
    expect(report.reads).toBe(1)
    expect(report.pages).toEqual({ ...COUNTS, rendered: 1, unchanged: 9 })
    expect(readOutput().get('catalogo/s4.html')?.bytes).toContain('RD$777')
    expect((await rebuildHere(place(path('shop.sqlite')))).report).toMatchObject({
      reads: 0,
      pages: { unchanged: 10 },
    })
  })

  it('keeps a page whose name is the id of a profile', async () => {
    const client = await createDatabase()
    client.exec("INSERT INTO documents (collection, id, data) VALUES ('users', '404', '{}')")
    client.close()
    const { report } = await rebuildHere(place(path('shop.sqlite')))
    expect(report.rejected.map(({ id }) => id)).toEqual(['404'])
    expect(report.pages).toEqual({ ...COUNTS, unchanged: 10 })
    expect([...readOutput().keys()]).toContain('catalogo/404.html')
  })
})

function toBytes(files: ReturnType<typeof readOutput>): ReadonlyMap<string, string> {
  return new Map([...files].map(([file, { bytes }]): [string, string] => [file, bytes]).sort())
}

function readBytes(): ReadonlyMap<string, string> {
  return toBytes(readOutput())
}
