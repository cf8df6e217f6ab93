/** The step of publishing, when Cloudflare answers only some of the doctor's calls. */
import { expect, it } from 'vitest'
import { judgePublish } from '../../../../src/builder/commands/doctor/judge-machine.ts'
import { collectFacts } from '../../../../src/builder/commands/doctor/site-facts.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

it('is not called undone while it is not known which version is live', async () => {
  const facts = await collectFacts({ environment: {}, state: path('state') })
  const account = { subdomain: 'example', secrets: [], missing: [] }
  expect(judgePublish({ ...facts, account, hosted: null })).toEqual(['unseen', expect.stringMatching(/live/)])
  const missing = ['the bucket vitrina-pages']
  expect(judgePublish({ ...facts, account: { ...account, missing }, hosted: null })).toEqual([
    'not done',
    'the Worker vitrina lacks the bucket vitrina-pages',
  ])
  const hosted = { live: [], deployed: [], versions: [] }
  expect(judgePublish({ ...facts, account, hosted })).toEqual([
    'not done',
    'the Worker vitrina lacks a published version',
  ])
})
