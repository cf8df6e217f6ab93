/** The contract of every source. Each test file of a source runs it with a fixture of its own. */
import { describe, expect, it } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import type { Source } from '../../../src/builder/sources/source.ts'
import { SourceError } from '../../../src/builder/sources/source.ts'
import { product, user, withNumber, withTime } from '../../support/rebuild/documents.ts'
import { gather, gatherKeys, sortDocuments } from './reading.ts'

export interface SourceFixture {
  /** A source that holds exactly these documents. */
  open(documents: readonly SourceDocument[]): Promise<Source>
  /** A source that fails, when it is opened or when it is first read. */
  openBroken(): Promise<Source>
  /** Set if the place itself stores the time of a write: then any RFC 3339 time is right. */
  readonly keepsTime?: true
}

const TIME = '2026-05-04T03:02:01.000Z'

const DOCUMENTS: readonly SourceDocument[] = [
  withTime(withNumber(user('ana', 'Ana', 'Núñez'), '809-555-0100'), TIME),
  withTime(withNumber(user('luz', 'Luz', '李 👩🏽‍🚀'), 8_095_550_101), TIME),
  withTime(user('no-products'), TIME),
  withTime(
    product('p1', 'ana', { price: 1e308, nested: { list: [1, { list: [null, { deep: true }] }] } }),
    TIME,
  ),
  withTime(product('p2', 'ana', { name: 'Ámbar "n.º 5"\n</script>' }), TIME),
  withTime(product('p3', 'luz'), TIME),
  withTime(product('p4', 'no-profile'), TIME),
  withTime(product('p5', '', { owner: 'ana' }), TIME),
]

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** No document has one of them, and Firestore rejects a lookup of most. */
const ODD_IDS = ['', 'a/b', '.', '..', '__me__', 'x\uD800', '\u0000', 'ñ'.repeat(751)]

export function describeSource(name: string, fixture: SourceFixture): void {
  const expected = (documents: readonly SourceDocument[]): readonly SourceDocument[] =>
    sortDocuments(documents).map((document) =>
      fixture.keepsTime ? withTime(document, expect.stringMatching(RFC_3339) as string) : document,
    )
  describe(`${name}, as every source,`, () => {
    const read = async <T>(work: (source: Source) => Promise<T>, documents = DOCUMENTS): Promise<T> => {
      const source = await fixture.open(documents)
      try {
        return await work(source)
      } finally {
        source.close()
      }
    }

    it('returns every document once, unchanged', async () => {
      const { documents, problems } = await read((source) => gather(source.readAll()))
      expect(documents).toEqual(expected(DOCUMENTS))
      expect(problems).toEqual([])
    })

    it('reads an empty place as nothing', async () => {
      expect(await read((source) => gatherKeys(source.readAll()), [])).toEqual([])
    })

    it('reads the given sellers only', async () => {
      expect(await read((source) => gatherKeys(source.readSellers(['no-profile', 'no-products'])))).toEqual([
        'cataloge/p4',
        'users/no-products',
      ])
    })

    it('reads a seller that is named twice once', async () => {
      expect(await read((source) => gatherKeys(source.readSellers(['luz', 'luz'])))).toEqual([
        'cataloge/p3',
        'users/luz',
      ])
    })

    it('finds nothing when no seller is named', async () => {
      expect(await read((source) => gatherKeys(source.readSellers([])))).toEqual([])
    })

    it('reads the documents named that exist, each once', async () => {
      const keys = [
        { collection: 'cataloge', id: 'p5' },
        { collection: 'users', id: 'luz' },
        { collection: 'users', id: 'luz' },
        { collection: 'users', id: 'p5' },
        { collection: 'cataloge', id: 'gone' },
      ] as const
      expect(await read((source) => gatherKeys(source.readDocuments(keys)))).toEqual([
        'cataloge/p5',
        'users/luz',
      ])
    })

    it('finds nothing by ids that no document can have', async () => {
      const keys = ODD_IDS.map((id) => ({ collection: 'cataloge', id }) as const)
      expect(await read((source) => gatherKeys(source.readDocuments(keys)))).toEqual([])
      for (const id of ODD_IDS)
        expect(await read((source) => gatherKeys(source.readSellers([id])))).toEqual([])
    })

    it('can be left in the middle of a read and read again', async () => {
      await read(async (source) => {
        for await (const item of source.readAll()) {
          expect(item.kind).toBe('document')
          break
        }
        expect(await gatherKeys(source.readAll())).toHaveLength(DOCUMENTS.length)
      })
    })

    it('can be closed in the middle of a read, and twice', async () => {
      const source = await fixture.open(DOCUMENTS)
      for await (const item of source.readAll()) {
        expect(item).toBeDefined()
        break
      }
      source.close()
      expect(() => source.close()).not.toThrow()
    })

    it('confirms reads that nothing disturbed, again and again', async () => {
      await read(async (source) => {
        await gather(source.readAll())
        source.confirm()
        await gather(source.readSellers(['ana']))
        expect(() => source.confirm()).not.toThrow()
      })
    })

    it('requires a whole read without a cursor', async () => {
      expect((await read(async (source) => source.readChanges(null))).kind).toBe('whole')
    })

    it('requires a whole read with a foreign cursor', async () => {
      for (const cursor of ['', '{}', 'null', '{"sequence":1,"nonce":"x"}', '[1]'])
        expect((await read(async (source) => source.readChanges(cursor))).kind).toBe('whole')
    })

    it('has a readable label', async () => {
      expect(await read(async (source) => source.label)).toMatch(/^the .+/)
    })

    it('fails with a SourceError that says more than a code', async () => {
      const failing = fixture.openBroken().then((source) => gather(source.readAll()))
      await expect(failing).rejects.toThrow(SourceError)
      await expect(failing).rejects.toThrow(/\w+ .+: \w+ .+/)
    })
  })
}
