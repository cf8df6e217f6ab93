import { expect, it } from 'vitest'
import { findSourceProblems, parseSourceSettings } from '../../../src/edge/coordinator/source-settings.ts'
import { openSellerSource } from '../../../src/edge/intake/open-seller-source.ts'

const KEY = '{"private_key":"canary"}'
const WHOLE = { FIREBASE_PROJECT_ID: ' vitrina-1a2b3 ', FIREBASE_SERVICE_ACCOUNT: KEY }

it('the settings of the source are the project, its key or an emulator', () => {
  expect(parseSourceSettings(WHOLE)).toEqual({
    projectId: 'vitrina-1a2b3',
    serviceAccount: KEY,
    emulatorHost: null,
  })
  expect(findSourceProblems(WHOLE)).toEqual([])
  expect(findSourceProblems({ FIREBASE_PROJECT_ID: 'p', FIRESTORE_EMULATOR_HOST: 'localhost:1' })).toEqual([])
})

it.each([
  [{ FIREBASE_SERVICE_ACCOUNT: KEY }, 'FIREBASE_PROJECT_ID, which is not set'],
  [{ FIREBASE_PROJECT_ID: 'p' }, 'npx wrangler secret put FIREBASE_SERVICE_ACCOUNT'],
])('without one of them the status and each read say what is missing', async (variables, problem) => {
  const problems = findSourceProblems(variables)
  expect(problems).toEqual([expect.stringContaining(problem)])
  expect(problems.join()).not.toContain('canary')
  const [reason] = problems
  const trouble = { name: 'SourceTrouble', kind: 'denied', message: reason }
  await expect(openSellerSource(variables).readSeller('ana', [])).rejects.toMatchObject(trouble)
})
