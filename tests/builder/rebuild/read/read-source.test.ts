/** The snapshot after reading a source, for any kind of source. */
import { describe, expect, it } from 'vitest'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import { readSource } from '../../../../src/builder/rebuild/read/read-source.ts'
import type { Snapshot } from '../../../../src/builder/state/snapshot/snapshot.ts'
import type { Source } from '../../../../src/builder/sources/source.ts'
import { ReadAgainError, SourceError } from '../../../../src/builder/sources/source.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { createMemorySource } from '../../../support/rebuild/memory-source.ts'
import { withSnapshot } from '../../../support/rebuild/snapshot-content.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

const DOCUMENTS: readonly SourceDocument[] = [
  user('ana'),
  user('luz'),
  product('p1', 'ana'),
  product('p2', 'ana'),
  product('p3', 'luz'),
]

const read = (source: Source, snapshot: Snapshot, ...sellers: readonly string[]) =>
  readSource(source, snapshot, {
    sellers,
    isFull: false,
    intake: '',
    accept: () => {},
    progress: () => {},
  })

const listProducts = (snapshot: Snapshot, seller: string) =>
  snapshot.readCatalogue(seller)?.products.map(({ id }) => id)

describe('the snapshot', () => {
  it('is the same after a repeated read as after one without a disturbance', () =>
    withSnapshot(path('snapshot.sqlite'), async (snapshot) => {
      const memory = createMemorySource(DOCUMENTS)
      let disturbances = 3
      const source: Source = {
        ...memory,
        confirm: () => {
          disturbances -= 1
          memory.hold(disturbances > 0 ? [user('torn')] : [user('ana'), product('p1', 'ana')])
          if (disturbances >= 0) throw new ReadAgainError('the memory')
        },
      }
      await read(source, snapshot)
      expect(snapshot.readTotals()).toEqual({ sellers: 1, profiles: 1, products: 1 })
      expect(snapshot.hasSeller('torn')).toBe(false)
    }))

  it('is the same from a source whose every method waits', () =>
    withSnapshot(path('snapshot.sqlite'), async (snapshot) => {
      const memory = createMemorySource(DOCUMENTS)
      let cursor = 1
      const source: Source = {
        ...memory,
        readChanges: async (since) =>
          since === null
            ? { kind: 'whole', reason: 'no cursor' }
            : {
                kind: 'sellers',
                sellers: [],
                documents: [{ collection: 'cataloge', id: 'p1' }],
                isExact: true,
              },
        readCursor: async () => String(cursor),
        divide: async () => null,
        confirm: async () => {
          cursor += 1
          if (cursor === 3) throw new ReadAgainError('the memory')
        },
        close: async () => {},
      }
      expect(await read(source, snapshot)).toMatchObject({ reads: 5, wholeReason: 'first read' })
      expect(snapshot.readPosition()?.cursor).toBe('1')
      memory.hold([user('ana'), user('luz'), product('p2', 'ana'), product('p3', 'luz')])
      expect(await read(source, snapshot)).toMatchObject({ reads: 0, wholeReason: null })
      expect(snapshot.readPosition()?.cursor).toBe('3')
      expect(listProducts(snapshot, 'ana')).toEqual(['p2'])
    }))

  it('stays as it was when the source fails in the middle', () =>
    withSnapshot(path('snapshot.sqlite'), async (snapshot) => {
      const source = createMemorySource(DOCUMENTS)
      await read(source, snapshot)
      source.hold([user('ana', 'Otra'), product('p1', 'luz')])
      source.failAfter(1)
      await expect(read(source, snapshot)).rejects.toThrow(SourceError)
      await expect(read(source, snapshot, 'ana', 'luz')).rejects.toThrow(SourceError)
      expect(snapshot.readTotals()).toEqual({ sellers: 2, profiles: 2, products: 3 })
      expect(snapshot.readCatalogue('ana')?.name).toBe('Ana Pérez')
      expect(listProducts(snapshot, 'ana')).toEqual(['p1', 'p2'])
    }))

  it('names unknown sellers, but not those just deleted or those with invalid documents', () =>
    withSnapshot(path('snapshot.sqlite'), async (snapshot) => {
      const source = createMemorySource(DOCUMENTS)
      expect((await read(source, snapshot, 'luz', 'typo')).unknownSellers).toEqual(['typo'])
      source.hold([user('ana'), product('bad', 'eva', { name: 7 })])
      expect((await read(source, snapshot, 'luz', 'ana', 'eva', 'typo')).unknownSellers).toEqual(['typo'])
      expect((await read(source, snapshot, 'luz')).unknownSellers).toEqual(['luz'])
      expect((await read(source, snapshot)).unknownSellers).toEqual([])
    }))

  it('counts a missing document as read', () =>
    withSnapshot(path('snapshot.sqlite'), async (snapshot) => {
      const memory = createMemorySource(DOCUMENTS)
      await read(memory, snapshot)
      const source: Source = {
        ...memory,
        async *readSellers(sellers) {
          for (const id of sellers) yield { kind: 'missing', key: { collection: 'users', id } }
        },
        async *readDocuments(keys) {
          for (const key of keys) yield { kind: 'missing', key }
        },
      }
      expect((await read(source, snapshot, 'ana')).reads).toBe(3)
      expect(snapshot.hasSeller('ana')).toBe(false)
      expect(snapshot.readTotals()).toEqual({ sellers: 1, profiles: 1, products: 1 })
    }))
})
