import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { GeoPoint, Timestamp } from 'firebase-admin/firestore'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openFirestore } from '../../../src/builder/sources/firestore/firestore.ts'
import type { Items, LookedUp, Source } from '../../../src/builder/sources/source.ts'
import { holdClosedHost } from '../../support/run/closed-host.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import type { FirestoreProject } from '../../support/firestore/firestore.ts'
import { useFirestore } from '../../support/firestore/firestore.ts'
import { describeSource } from './contract.ts'
import { gather, gatherKeys } from './reading.ts'

const openProject = useFirestore()

describeSource('Firestore', {
  open: async (documents) => {
    const project = openProject()
    await project.write(documents)
    return openFirestore(project.options)
  },
  openBroken: async () =>
    openFirestore({
      projectId: 'demo',
      emulatorHost: await holdClosedHost(),
      credentialsFile: null,
      patience: { failing: 0 },
    }),
  keepsTime: true,
})

/** Each item in the order in which it comes: `users/ana`, or `no users/ana`. */
async function list(items: Items<LookedUp>): Promise<readonly string[]> {
  const found: string[] = []
  for await (const item of items) {
    const { collection, id } =
      item.kind === 'document' ? item.document : item.kind === 'missing' ? item.key : item.problem
    found.push(`${item.kind === 'missing' ? 'no ' : ''}${collection}/${id}`)
  }
  return found
}

async function withSource<T>(project: FirestoreProject, work: (source: Source) => Promise<T>): Promise<T> {
  const source = await openFirestore(project.options)
  try {
    return await work(source)
  } finally {
    source.close()
  }
}

describe('Firestore', () => {
  it('reports each requested document that does not exist', async () => {
    const project = openProject()
    await project.write([user('ana'), product('p1', 'ana'), product('p2', 'luz')])
    await withSource(project, async (source) => {
      expect(await list(source.readSellers(['ana', 'luz', 'nobody']))).toEqual([
        'users/ana',
        'cataloge/p1',
        'no users/luz',
        'cataloge/p2',
        'no users/nobody',
      ])
      const keys = ['p1', 'gone', 'p2'].map((id) => ({ collection: 'cataloge', id }) as const)
      expect(await list(source.readDocuments(keys))).toEqual([
        'cataloge/p1',
        'no cataloge/gone',
        'cataloge/p2',
      ])
    })
  })

  it('reads many sellers and many documents, in the order requested', async () => {
    const project = openProject()
    const ids = Array.from({ length: 250 }, (_, index) => `s${index}`).toReversed()
    await project.write(ids.map((id) => user(id)))
    await withSource(project, async (source) => {
      const expected = ids.map((id) => `users/${id}`)
      expect(await list(source.readSellers(ids))).toEqual(expected)
      const keys = ids.map((id) => ({ collection: 'users', id }) as const)
      expect(await list(source.readDocuments(keys))).toEqual(expected)
    })
  })

  it('never looks up ids that no document can have, and reads their products', async () => {
    const project = openProject()
    await project.write([product('p1', '__me__')])
    await withSource(project, async (source) => {
      expect(await list(source.readSellers(['__me__']))).toEqual(['no users/__me__', 'cataloge/p1'])
      const keys = ['', 'a/b', '.', '..', '__x__', 'x\uD800', 'ñ'.repeat(751)]
      const asked = keys.map((id) => ({ collection: 'users', id }) as const)
      expect(await list(source.readDocuments(asked))).toEqual(keys.map((id) => `no users/${id}`))
    })
  })

  it('returns documents with values of its own types', async () => {
    const project = openProject()
    const reference = project.database.doc('users/ana')
    await project.write([
      product('p1', 'ana', { price: Number.NaN, at: Timestamp.now(), where: new GeoPoint(1, 2) }),
      product('p2', 'ana', { owner: { id: 'ana', reference }, bytes: Buffer.from('abc') }),
    ])
    const { documents } = await withSource(project, (source) => gather(source.readAll()))
    expect(documents.map(({ data }) => data)).toMatchObject([
      { price: { type: 'NaN' }, at: { type: 'Timestamp' }, where: { type: 'GeoPoint' } },
      { owner: { id: 'ana', reference: { type: 'DocumentReference' } }, bytes: { type: 'Buffer' } },
    ])
  })

  it('gives the later of two versions the greater time', async () => {
    const project = openProject()
    const read = async () => (await withSource(project, (source) => gather(source.readAll()))).documents[0]
    await project.write([user('ana')])
    const before = (await read())?.updateTime ?? ''
    await expect.poll(Date.now, { interval: 1 }).toBeGreaterThan(Date.parse(before))
    await project.update({ collection: 'users', id: 'ana' }, { fName: 'Luz' })
    expect((await read())?.updateTime?.localeCompare(before)).toBe(1)
  })

  it('has no change log', async () => {
    const source = await openFirestore({
      projectId: 'demo',
      emulatorHost: '127.0.0.1:1',
      credentialsFile: null,
    })
    expect(source.readChanges('anything')).toEqual({
      kind: 'whole',
      reason: 'Firestore has no change log',
    })
    expect(source.readCursor()).toBeNull()
    source.close()
  })

  it('does not keep the process alive, even after an abandoned read', async () => {
    const project = openProject()
    const long = 'x'.repeat(2_000)
    await project.write(Array.from({ length: 400 }, (_, index) => user(`u${index}`, long)))
    // Kept alive, it never ends: what closes the client much later is left out.
    const code = `
      const { setTimeout } = globalThis
      globalThis.setTimeout = (work, ms) => (ms === 10_000 ? { unref() {} } : setTimeout(work, ms))
      import { openFirestore } from './src/builder/sources/firestore/firestore.ts'
      const source = await openFirestore(${JSON.stringify(project.options)})
      for await (const item of source.readAll()) break
      source.close()`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' })
    onTestFinished(() => void child.kill())
    const [status] = (await once(child, 'exit')) as [number]
    expect(status).toBe(0)
    expect(await withSource(project, (source) => gatherKeys(source.readAll()))).toHaveLength(400)
  })
})
