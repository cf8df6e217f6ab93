import { GeoPoint, Timestamp, FieldValue } from 'firebase-admin/firestore'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HOSTILE_PRODUCTS, HOSTILE_PROFILES } from '../../../support/edge/hostile.ts'
import { openFirestore } from '../../../../src/builder/sources/firestore/firestore.ts'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import { FIELDS } from '../../../../src/domain/documents/firestore-documents.ts'
import { isRecord } from '../../../../src/domain/documents/json.ts'
import type { FirestoreSourceOptions } from '../../../../src/edge/intake/firestore/firestore-source.ts'
import { openFirestoreSource } from '../../../../src/edge/intake/firestore/firestore-source.ts'
import type { SellerSource } from '../../../../src/edge/intake/seller-source.ts'
import { gather } from '../../../builder/sources/reading.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import type { FirestoreProject } from '../../../support/firestore/firestore.ts'
import { useFirestore } from '../../../support/firestore/firestore.ts'
import { describeSellerReads } from '../../../support/firestore/seller-reads-contract.ts'
import type { Decide, FaultyGate } from '../../../support/firestore/faulty-gate.ts'
import { createFault, startGate } from '../../../support/firestore/faulty-gate.ts'

const openProject = useFirestore()

describeSellerReads('the Worker’s Firestore', {
  open: async (documents) => {
    const project = openProject()
    await project.write(documents)
    return { ...open(project), close: () => {} }
  },
  keepsTime: true,
})

function open({ id, options }: FirestoreProject, more: Partial<FirestoreSourceOptions> = {}): SellerSource {
  return openFirestoreSource({
    projectId: id,
    emulatorHost: options.emulatorHost,
    serviceAccount: null,
    ...more,
  })
}

async function openThrough(
  project: FirestoreProject,
  decide: Decide,
  more: Partial<FirestoreSourceOptions> = {},
): Promise<{ readonly source: SellerSource; readonly gate: FaultyGate }> {
  const gate = await startGate(project.options.emulatorHost ?? '', decide)
  onTestFinished(() => gate.stop())
  return { source: open(project, { emulatorHost: gate.host, ...more }), gate }
}

async function readIds(source: SellerSource, seller: string, known: readonly string[] = []) {
  const read = await source.readSeller(seller, known)
  if (read.kind === 'large') return read.reason
  const list = (documents: readonly SourceDocument[]) => documents.map(({ id }) => id).join(' ')
  return `${list(read.documents)} | ${list(read.elsewhere)}`
}

const products = (count: number): readonly SourceDocument[] =>
  Array.from({ length: count }, (_, index) => product(`p${index}`, 'ana'))

describe('a seller read over REST', () => {
  it('costs two calls, also when products have left', async () => {
    const project = openProject()
    await project.write([user('ana'), ...products(3), product('moved', 'luz')])
    const { source, gate } = await openThrough(project, () => null)
    expect(await readIds(source, 'ana', ['p0', 'moved', 'gone'])).toBe('ana p0 p1 p2 | moved')
    expect(gate.calls.map(({ method }) => method)).toEqual(['runQuery', 'batchGet'])
  })

  it('is one state, with any changes between the calls', async () => {
    const project = openProject()
    await project.write([user('ana', 'Before'), ...products(5), product('moved', 'luz')])
    const change = async () => {
      await project.update({ collection: 'users', id: 'ana' }, { fName: 'After' })
      await project.update({ collection: 'cataloge', id: 'p1' }, { 'owner.id': 'luz' })
      await project.update({ collection: 'cataloge', id: 'moved' }, { 'owner.id': 'ana' })
      await project.remove([{ collection: 'cataloge', id: 'p4' }])
      await project.write([product('p2a', 'ana')])
    }
    const decide: Decide = async ({ number }) => (number === 2 ? (await change(), null) : null)
    const { source, gate } = await openThrough(project, decide, { limits: { page: 2 } })
    const read = await source.readSeller('ana', ['p1', 'moved'])
    expect(read).toMatchObject({
      documents: [
        { id: 'ana', data: { fName: 'Before' } },
        ...[0, 1, 2, 3, 4].map((index) => ({ id: `p${index}`, data: { owner: { id: 'ana' } } })),
      ],
      elsewhere: [{ id: 'moved', data: { owner: { id: 'luz' } } }],
    })
    expect(gate.calls).toHaveLength(4)
    expect(await readIds(source, 'ana', ['p1', 'p4'])).toBe('ana moved p0 p2 p2a p3 | p1')
  })

  // The last page is full, or is not, or is the first.
  it.each([
    [2, 1],
    [8, 3],
    [8, 4],
    [8, 8],
    [8, 9],
  ])('%i products are read in pages of %i, in the order of Firestore', async (count, page) => {
    const project = openProject()
    const ids = ['"', '%2F', 'B', 'a', 'z z', 'ñ', '\uFF5E', '😀'].slice(-count)
    await project.write([user('ana'), ...ids.toReversed().map((id) => product(id, 'ana'))])
    const { source, gate } = await openThrough(project, () => null, { limits: { page } })
    expect(await readIds(source, 'ana')).toBe(`ana ${ids.join(' ')} | `)
    expect(gate.calls).toHaveLength(Math.floor(count / page) + 2)
  })

  it('is left to a builder when it has too many products or bytes', async () => {
    const project = openProject()
    await project.write([user('ana'), ...products(6)])
    const limited = (limits: FirestoreSourceOptions['limits']) => readIds(open(project, { limits }), 'ana')
    expect(await limited({ products: 6, page: 2 })).toContain('ana p0')
    expect(await limited({ products: 5, page: 2 })).toMatch(/more than 5 products/)
    expect(await limited({ bytes: 2_000 })).toMatch(/more than 2000 bytes/)
  })

  it('gives its profile in the look-ups of hundreds of vanished products', async () => {
    const project = openProject()
    await project.write([user('ana')])
    const { source, gate } = await openThrough(project, () => null)
    const known = Array.from({ length: 1_200 }, (_, index) => `gone${index}`)
    expect(await readIds(source, 'ana', known)).toBe('ana | ')
    expect(gate.calls).toHaveLength(4)
  })
})

describe('hostile documents', () => {
  const values = (project: FirestoreProject): readonly unknown[] => [
    Timestamp.fromMillis(0),
    new GeoPoint(18.5, -69.9),
    Buffer.from('abc'),
    Number.NaN,
    Infinity,
    -Infinity,
    -0,
    2 ** 53 - 1,
    1e308,
    5e-324,
    project.database.doc('users/ana'),
    FieldValue.vector([1, 2]),
    null,
    [],
    {},
    [1, 'two', { three: [null] }],
    { constructor: { name: 'x' }, toString: 'x' },
  ]

  it('are the same as through the builder’s client', async () => {
    const project = openProject()
    // Firestore stores neither such a field nor half of a surrogate pair.
    const parsed = (texts: readonly string[]) =>
      texts.map((text): unknown => JSON.parse(text.replaceAll(/__proto__|\\ud\w{3}/g, 'x'))).filter(isRecord)
    const bodies = [
      ...parsed(HOSTILE_PRODUCTS.map((create) => create('ana'))),
      ...parsed(HOSTILE_PROFILES),
      ...values(project).map((value) => ({
        name: value,
        price: value,
        _5ml: { price: value, deep: [value] },
      })),
    ]
    await project.write([
      ...bodies.map((body, index) => ({
        ...product(`p${index}`, 'ana'),
        data: { ...body, owner: { id: 'ana' }, other: 'x'.repeat(100) },
      })),
      user('ana'),
    ])
    const builders = await openFirestore(project.options)
    const { documents } = await gather(builders.readSellers(['ana']))
    builders.close()
    const read = await open(project).readSeller('ana', [])
    expect(read.kind === 'read' && read.documents.length).toBe(bodies.length + 1)
    const byId = (a: SourceDocument, b: SourceDocument) => (a.id < b.id ? -1 : 1)
    expect(read.kind === 'read' && read.documents.toSorted(byId)).toEqual(
      documents.map((document) => ({ ...document, data: pickFields(document.data) })).toSorted(byId),
    )
  })
})

function pickFields(data: unknown): unknown {
  return Object.fromEntries(Object.entries(Object(data)).filter(([field]) => FIELDS.includes(field)))
}

describe('a read that is disturbed', () => {
  const openAna = async (decide: Decide, more: Partial<FirestoreSourceOptions> = {}) => {
    const project = openProject()
    await project.write([user('ana'), ...products(3)])
    return openThrough(project, decide, { limits: { page: 2 }, ...more })
  }

  it.each([
    ['is aborted', createFault(409, 'ABORTED')],
    ['loses its transaction', createFault(400, 'INVALID_ARGUMENT', 'The referenced transaction has expired')],
    ['meets an error of the server', createFault(503, 'UNAVAILABLE')],
    ['breaks off', { kind: 'cut', bytes: 40 } as const],
  ])('begins again when it %s', async (_, fault) => {
    for (const failing of [1, 2, 3]) {
      const { source, gate } = await openAna(({ number }) => (number === failing ? fault : null))
      expect(await readIds(source, 'ana')).toBe('ana p0 p1 p2 | ')
      expect(gate.calls).toHaveLength(failing + 3)
      const [first] = gate.calls.slice(failing)
      expect(JSON.parse(first?.body ?? '')).toMatchObject({ newTransaction: { readOnly: {} } })
    }
  })

  it('gives up after three attempts', async () => {
    const { source, gate } = await openAna(() => createFault(409, 'ABORTED'))
    await expect(source.readSeller('ana', [])).rejects.toMatchObject({ kind: 'unavailable' })
    expect(gate.calls).toHaveLength(3)
  })
})
