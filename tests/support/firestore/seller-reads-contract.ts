/** The contract of each reader of one seller: the sources of a builder, and the Worker's. */
import { describe, expect, it } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import type { SellerSource } from '../../../src/edge/intake/seller-source.ts'
import { product, user, withNumber, withTime } from '../rebuild/documents.ts'

interface SellerReader extends SellerSource {
  close(): void
}

export interface SellerFixture {
  /** Reads from a place that holds exactly these documents. */
  open(documents: readonly SourceDocument[]): Promise<SellerReader>
  /** Set if the place itself stores the time of a write: then any RFC 3339 time is right. */
  readonly keepsTime?: true
}

const TIME = '2026-05-04T03:02:01.000Z'
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

const DOCUMENTS: readonly SourceDocument[] = [
  withNumber(user('ana', 'Ana', 'Núñez'), '809-555-0100'),
  withNumber(user('luz', 'Luz', '李 👩🏽‍🚀'), 8_095_550_101),
  user('no-products'),
  product('p1', 'ana', { price: 1e308, _5ml: { list: [1, { list: [null, { deep: true }] }] } }),
  product('p2', 'ana', { name: 'Ámbar "n.º 5"\n</script>' }),
  product('p3', 'luz'),
  product('p4', 'no-profile'),
  product('p5', '', { owner: 'ana' }),
  product('p6', 'anabel'),
].map((document) => withTime(document, TIME))

/** No document has one of them, and Firestore rejects a lookup of most. */
const ODD_IDS = ['', 'a/b', '.', '..', '__me__', 'x\uD800', '\u0000', 'ñ'.repeat(751)]

export function describeSellerReads(name: string, fixture: SellerFixture): void {
  const read = async (seller: string, known: readonly string[] = []) => {
    const reader = await fixture.open(DOCUMENTS)
    try {
      const result = await reader.readSeller(seller, known)
      if (result.kind === 'large') throw new Error(result.reason)
      return { documents: sort(result.documents), elsewhere: sort(result.elsewhere) }
    } finally {
      reader.close()
    }
  }
  const expected = (...ids: readonly string[]): readonly SourceDocument[] =>
    DOCUMENTS.filter(({ id }) => ids.includes(id)).map((document) =>
      fixture.keepsTime ? withTime(document, expect.stringMatching(RFC_3339) as string) : document,
    )

  describe(`${name}, where one seller is read,`, () => {
    it('returns the profile and the products, unchanged, and no others', async () => {
      expect(await read('ana')).toEqual({ documents: expected('ana', 'p1', 'p2'), elsewhere: [] })
      expect(await read('luz', ['p3'])).toEqual({ documents: expected('luz', 'p3'), elsewhere: [] })
    })

    it('returns what there is of a seller without a profile, without products, or without both', async () => {
      expect((await read('no-profile')).documents).toEqual(expected('p4'))
      expect((await read('no-products')).documents).toEqual(expected('no-products'))
      expect((await read('nobody')).documents).toEqual([])
    })

    it('returns those of the known products that are no longer hers and still exist, each once', async () => {
      const known = ['p1', 'p3', 'p3', 'p5', 'gone']
      expect(await read('ana', known)).toEqual({
        documents: expected('ana', 'p1', 'p2'),
        elsewhere: expected('p3', 'p5'),
      })
      expect((await read('nobody', known)).elsewhere).toEqual(expected('p1', 'p3', 'p5'))
    })

    it('finds nothing by ids that no document can have', async () => {
      for (const id of ODD_IDS) expect(await read(id)).toEqual({ documents: [], elsewhere: [] })
      expect((await read('luz', ODD_IDS)).elsewhere).toEqual([])
    })
  })
}

function sort(documents: readonly SourceDocument[]): readonly SourceDocument[] {
  const key = ({ collection, id }: SourceDocument): string => `${collection === 'users' ? 0 : 1}${id}`
  return documents.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}
