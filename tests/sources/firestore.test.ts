import { describe, expect, it } from 'vitest'
import { openFirestore } from '../../src/sources/firestore.ts'
import { findFreePort, useFirestore } from '../support/firestore.ts'
import { describeSource } from './contract.ts'

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
      emulatorHost: `127.0.0.1:${await findFreePort()}`,
      credentialsFile: null,
      patience: { failing: 0 },
    }),
  keepsTime: true,
})
