/** The fake of a Worker at Cloudflare: its versions, its secrets, and what the real one refuses. */
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeWorker } from '../../../scripts/fakes/fake-worker.ts'

const CODE = { main: 'worker.js', modules: new Map(), date: null, assets: {} }
const UPLOAD = { files: new Map(), code: null, tag: '', message: '', keepsSecrets: true }

/** With one live version. */
function createWorker(): { worker: FakeWorker; first: string } {
  const worker = new FakeWorker('vitrina')
  const { id } = worker.upload(UPLOAD)
  worker.putLive(id, '', false)
  return { worker, first: id }
}

describe('a secret of a Worker', () => {
  it('is a version of its own, live at once, with the files of the version before', () => {
    const { worker, first } = createWorker()
    worker.changeSecret('REBUILD_SECRET', 'one')
    expect(worker.versions).toHaveLength(2)
    expect(worker.live?.id).not.toBe(first)
    expect(worker.live?.secrets.get('REBUILD_SECRET')?.text).toBe('one')
  })

  it('is kept by the next upload, which need not be forced', () => {
    const { worker } = createWorker()
    worker.changeSecret('REBUILD_SECRET', 'one')
    const { id, secrets } = worker.upload(UPLOAD)
    worker.putLive(id, '', false)
    expect(secrets.get('REBUILD_SECRET')?.text).toBe('one')
  })

  it('that changed since a version stops its deployment with code 10220, unless it is forced', () => {
    const { worker, first } = createWorker()
    worker.changeSecret('REBUILD_SECRET', 'one')
    const changed = { code: 10220, message: expect.stringContaining('REBUILD_SECRET') as string }
    expect(() => worker.putLive(first, '', false)).toThrow(expect.objectContaining(changed))
    worker.putLive(first, '', true)
    expect(worker.live?.id).toBe(first)
  })

  it('cannot be changed with code 10215 while the newest version is not the live one', () => {
    const { worker } = createWorker()
    worker.upload(UPLOAD)
    expect(() => worker.changeSecret('REBUILD_SECRET', 'one')).toThrow(
      expect.objectContaining({ code: 10215 }),
    )
    worker.changeLatest({ REBUILD_SECRET: 'one' }, '', '')
    expect(worker.live?.secrets.size).toBe(0)
  })
})

describe('the classes of Durable Objects of a Worker', () => {
  const bindings = [{ type: 'durable_object_namespace', name: 'COORDINATOR', class_name: 'Old' }]
  const old = { new_tag: 'v1', steps: [{ new_sqlite_classes: ['Old'] }] }
  let worker: FakeWorker
  beforeEach(() => {
    worker = new FakeWorker('vitrina')
    worker.migrate(old, { exported: ['Old'] })
    const code = { ...CODE, exported: ['Old'], bindings }
    worker.putLive(worker.upload({ ...UPLOAD, code }).id, '', false)
  })

  it('cannot be deleted with code 10061 while the live version has a binding to one', () => {
    const steps = [{ new_sqlite_classes: ['New'], deleted_classes: ['Old'] }]
    const migrate = (): void => worker.migrate({ new_tag: 'v2', steps }, { exported: ['New'] })
    expect(migrate).toThrow(expect.objectContaining({ code: 10061 }))
    expect([worker.migration, ...worker.classes]).toEqual(['v1', 'Old'])
    const code = { ...CODE, exported: ['Old'], bindings: [] }
    worker.putLive(worker.upload({ ...UPLOAD, code }).id, '', false)
    migrate()
    expect([worker.migration, ...worker.classes]).toEqual(['v2', 'New'])
  })

  it('must all be exported, with code 10064', () => {
    expect(() => worker.migrate(null, { exported: ['New'] })).toThrow(
      expect.objectContaining({ code: 10064 }),
    )
    worker.migrate(null, { exported: ['New', 'Old'] })
  })
})

describe('the lists of a Worker', () => {
  it('hold ten versions and deployments, the newest first', () => {
    const { worker } = createWorker()
    for (let count = 0; count < 12; count += 1) worker.putLive(worker.upload(UPLOAD).id, '', false)
    expect(worker.listDeployments()).toHaveLength(10)
    expect(worker.listVersions(1, 0)).toHaveLength(10)
    expect(worker.listVersions(1, 0)[0]).toBe(worker.versions.at(-1))
    expect(worker.listVersions(2, 0)).toHaveLength(3)
  })
})
