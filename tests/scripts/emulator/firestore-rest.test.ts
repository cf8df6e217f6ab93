/** The parts of the emulator's REST API that the reader of sellers does not use. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Emulator } from '../../../scripts/emulator/firestore-emulator.ts'
import { startEmulator } from '../../../scripts/emulator/firestore-emulator.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import type { FirestoreProject } from '../../support/firestore/firestore.ts'
import { openProject } from '../../support/firestore/firestore.ts'

let emulator: Emulator
let project: FirestoreProject

beforeAll(async () => {
  emulator = await startEmulator()
  project = openProject(emulator.host)
  await project.write([user('ana'), product('p1', 'ana')])
})
afterAll(async () => {
  await project.close()
  await emulator.stop()
})

const name = (path: string): string => `projects/${project.id}/databases/(default)/documents/${path}`

async function call(method: string, body: unknown, headers = { authorization: 'Bearer owner' }) {
  const address = `http://${emulator.host}/v1/projects/${project.id}/databases/(default)/documents:${method}`
  const response = await fetch(address, {
    method: 'POST',
    headers: { ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

const refused = (status: string) => [{ error: { status } }]

describe('the REST API of the emulator', () => {
  it('gives found and missing documents, with the fields that are asked for', async () => {
    const documents = [name('users/ana'), name('users/luz')]
    const { body } = await call('batchGet', { documents, mask: { fieldPaths: ['fName'] } })
    expect(body).toEqual([
      { missing: name('users/luz'), readTime: expect.any(String) },
      {
        found: {
          name: name('users/ana'),
          fields: { fName: { stringValue: 'Ana' } },
          createTime: expect.any(String),
          updateTime: expect.any(String),
        },
        readTime: expect.any(String),
      },
    ])
  })

  it('reads in a transaction until it is rolled back', async () => {
    const { body } = await call('beginTransaction', { options: { readOnly: {} } })
    const { transaction } = body as { readonly transaction: string }
    const asked = { documents: [name('cataloge/p2')], transaction }
    await project.write([product('p2', 'ana')])
    expect((await call('batchGet', asked)).body).toMatchObject([{ missing: name('cataloge/p2') }])
    expect((await call('rollback', { transaction })).status).toBe(200)
    expect(await call('batchGet', asked)).toMatchObject({ status: 400, body: refused('INVALID_ARGUMENT') })
  })

  it('refuses what Firestore refuses', async () => {
    const asked = { documents: [name('users/ana')] }
    expect(await call('batchGet', asked, {} as never)).toMatchObject({
      status: 403,
      body: refused('PERMISSION_DENIED'),
    })
    for (const path of ['users/__me__', 'users/a/b', 'users', 'users/..', 'users/x\uD800'])
      expect(await call('batchGet', { documents: [name(path)] }), path).toMatchObject({ status: 400 })
    expect(await call('runQuery', { structuredQuery: {} })).toMatchObject({
      status: 400,
      body: refused('INVALID_ARGUMENT'),
    })
    expect(await call('commit', {})).toMatchObject({ status: 404, body: { error: { status: 'NOT_FOUND' } } })
  })
})
