import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ensureSample } from '../../../src/builder/sources/embedded/bundled-sample.ts'
import { SourceError } from '../../../src/builder/sources/source.ts'
import { isSample, openSource } from '../../../src/builder/sources/open-source.ts'
import { product, user, writeFolder } from '../../support/documents.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'
import { edit, makeEmbedded } from './embedded-fixture.ts'
import { gatherKeys } from './reading.ts'

const path = useTemporaryFolder()

describe('the choice of a source', () => {
  it.each(['data.sqlite', 'data.db', 'DATA.SQLITE'])('opens %s as a database', async (name) => {
    await makeEmbedded(path(name), [user('ana')])
    const source = await openSource(path(name))
    expect(source.label).toContain('database')
    expect(isSample(source)).toBe(false)
    source.close()
  })

  it('opens anything else as a folder', async () => {
    const source = await openSource(writeFolder(path('data'), [user('ana')]))
    expect(source.label).toContain('folder')
    expect(isSample(source)).toBe(false)
  })

  it('opens the Firestore of a project, which must be named', async () => {
    const source = await openSource('firestore', {
      projectId: 'demo',
      emulatorHost: '127.0.0.1:1',
      credentialsFile: null,
    })
    expect(source.label).toBe('the Firestore project demo on an emulator')
    source.close()
    await expect(openSource('firestore')).rejects.toThrow(/set FIREBASE_PROJECT_ID/)
  })
})

describe('the bundled sample', () => {
  it('is made on first use, and known as the sample', async () => {
    writeFolder(path('sample'), [user('ana'), product('p1', 'ana')])
    expect(await ensureSample(path('vitrina.sqlite'), path('sample'))).toBe(true)
    const source = await openSource(path('vitrina.sqlite'))
    expect(isSample(source)).toBe(true)
    expect(await gatherKeys(source.readAll())).toEqual(['cataloge/p1', 'users/ana'])
    source.close()
  })

  it('never touches a file that is there', async () => {
    await makeEmbedded(path('vitrina.sqlite'), [user('ana')])
    edit(path('vitrina.sqlite'), `DELETE FROM documents`)
    const before = readFileSync(path('vitrina.sqlite'))
    expect(await ensureSample(path('vitrina.sqlite'), path('missing'))).toBe(false)
    expect(readFileSync(path('vitrina.sqlite')).equals(before)).toBe(true)
  })

  it('leaves nothing behind when the sample cannot be read', async () => {
    await expect(ensureSample(path('vitrina.sqlite'), path('missing'))).rejects.toThrow(SourceError)
    expect(existsSync(path('vitrina.sqlite'))).toBe(false)
  })
})
