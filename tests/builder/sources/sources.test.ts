import { describe, expect, it } from 'vitest'
import { openSource } from '../../../src/builder/sources/source-kinds.ts'
import { user, writeFolder } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { makeEmbedded } from './reading.ts'

const path = useTemporaryFolder()

describe('the choice of a source', () => {
  it.each(['data.sqlite', 'data.db', 'DATA.SQLITE', 'data'])('opens %s as its name says', async (name) => {
    if (name === 'data') writeFolder(path(name), [user('ana')])
    else await makeEmbedded(path(name))
    const source = await openSource(path(name))
    expect(source.label).toContain(name === 'data' ? 'folder' : 'database')
    await source.close()
  })

  it('opens the Firestore of a project, which must be named', async () => {
    const source = await openSource('firestore', {
      firestore: { projectId: 'demo', emulatorHost: '127.0.0.1:1', credentialsFile: null },
    })
    expect(source.label).toBe('the Firestore project demo on an emulator')
    await source.close()
    await expect(openSource('firestore')).rejects.toThrow(/set FIREBASE_PROJECT_ID/)
  })
})
