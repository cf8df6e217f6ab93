/** The contract of every source. Each test file of a source runs it with a fixture of its own. */
import { describe, expect, it } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import type { Source } from '../../../src/builder/sources/source.ts'
import { SourceError } from '../../../src/builder/sources/source.ts'
import { product, user, withNumber, withTime } from '../../support/rebuild/documents.ts'
import { gather, gatherKeys, sortDocuments } from './reading.ts'

export interface SourceFixture {
  /** Opens a source that holds exactly these documents. */
  open(documents: readonly SourceDocument[]): Promise<Source>
  /** A source that fails, when it is opened or when it is first read. */
  openBroken(): Promise<Source>
  /** Set if the place itself stores the time of a write: then any RFC 3339 time is right. */
  readonly keepsTime?: true
  /** Set if the source has a log of changes. */
  readonly hasLog?: true
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
  const use = async <T>(work: (source: Source) => Promise<T>, documents = DOCUMENTS): Promise<T> => {
    const source = await fixture.open(documents)
    try {
      return await work(source)
    } finally {
      await source.close()
    }
  }

  describe(`${name}, as every source,`, () => {
    it('has a readable label and returns every document once, unchanged', async () => {
      expect(await use(async (source) => source.label)).toMatch(/^the .+/)
      const { documents, problems } = await use((source) => gather(source.readAll()))
      expect(documents).toEqual(expected(DOCUMENTS))
      expect(problems).toEqual([])
    })

    it('says which sellers a read has, and gives a cursor only to a read of all changes', async () => {
      await use(async (source) => {
        const { sellers, cursor } = await source.readAll()
        expect([sellers, typeof cursor]).toEqual([null, fixture.hasLog ? 'string' : 'object'])
        const named = await source.readSellers(['luz', 'ana', 'luz'])
        expect([named.sellers, named.cursor]).toEqual([['luz', 'ana'], null])
      })
    })

    it('reads the given sellers only, each once', async () => {
      await use(async (source) => {
        const keys = await gatherKeys(source.readSellers(['no-profile', 'no-products', 'luz', 'luz']))
        expect(keys).toEqual(['cataloge/p3', 'cataloge/p4', 'users/luz', 'users/no-products'])
        expect(await gatherKeys(source.readSellers([]))).toEqual([])
      })
    })

    it('reads nothing of an empty place, and more sellers than fit into one query', async () => {
      expect(await use((source) => gatherKeys(source.readAll()), [])).toEqual([])
      const ids = Array.from({ length: 45 }, (_, index) => `s${index}`)
      const documents = ids.flatMap((id) => [user(id), product(`p-${id}`, id)])
      expect(await use((source) => gatherKeys(source.readSellers(ids)), documents)).toHaveLength(90)
    })

    it('finds nothing by ids that no document can have', async () => {
      await use(async (source) => {
        expect(await gatherKeys(source.readSellers(ODD_IDS))).toEqual([])
        for (const id of ODD_IDS) expect(await gatherKeys(source.readSellers([id]))).toEqual([])
      })
    })

    it('can be left in the middle of a read, read again, and closed twice', async () => {
      const source = await fixture.open(DOCUMENTS)
      for await (const item of (await source.readAll()).items) {
        expect(item.kind).toBe('document')
        break
      }
      expect(await gatherKeys(source.readAll())).toHaveLength(DOCUMENTS.length)
      for await (const _ of (await source.readAll()).items) break
      await source.close()
      await source.close()
    })

    it('cannot tell what changed after a foreign cursor', async () => {
      await use(async (source) => {
        for (const cursor of ['', '{}', 'null', '1/x', '/', 'x/y', '1'])
          expect(await source.readChanges(cursor, ['ana'])).toBeNull()
      })
    })

    it('fails with a SourceError that says more than a code', async () => {
      const failing = fixture.openBroken().then((source) => gather(source.readAll()))
      await expect(failing).rejects.toThrow(SourceError)
      await expect(failing).rejects.toThrow(/\w+ .+: \w+ .+/)
    })
  })
}
