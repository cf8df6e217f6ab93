/** A delivery waits for the published code, and stores the assets that its pages name. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { beforeEach, expect, it } from 'vitest'
import { CallError } from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import { completeCode, describeNewFormat } from '../../../../src/builder/publish/objects/await-code.ts'
import type { ObjectClient } from '../../../../src/builder/publish/objects/object-client.ts'
import { openSentFiles } from '../../../../src/builder/publish/objects/sent-files.ts'
import { FORMAT } from '../../../../src/domain/objects/object-data.ts'
import { createObjectsTwin } from '../../../support/edge/objects-twin.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()
const CODE = 'a'.repeat(32)

let stored: string[]
let answers: string[]
let format: number
let client: ObjectClient
beforeEach(() => {
  mkdirSync(path('dist/_astro'), { recursive: true })
  writeFileSync(path('dist/_astro/app.js'), 'app')
  stored = []
  format = FORMAT
  const twin = createObjectsTwin()
  client = {
    ...twin.client,
    readTags: async (call) => {
      const code = answers.length > 1 ? (answers.shift() ?? '') : (answers[0] ?? '')
      if (code === 'none') throw new CallError('has no objects', 404)
      return { ...(await twin.client.readTags(call)), worker: { code, intake: '', format } }
    },
    storeFiles: async ({ files }) => ({ stored: stored.push(...files.map((file) => file.path)) }),
  }
})

async function complete(): Promise<readonly string[]> {
  const sent = openSentFiles(path('sent.sqlite'), 'https://one.do')
  try {
    return await completeCode({ client, sent }, { output: path('dist'), code: CODE }, [1, 1])
  } finally {
    sent.close()
  }
}

it.each([
  ['answers', []],
  ['answers after the code before it', ['old', 'old']],
  ['answers after the Worker of a site of files', ['none']],
])('stores the assets of the code, once, when it %s', async (_, before) => {
  answers = [...before, `${CODE}-order`]
  expect(await complete()).toEqual([])
  expect(await complete()).toEqual([])
  expect(stored).toEqual(['_astro/app.js'])
})

it('says that the code does not answer', async () => {
  answers = ['old']
  expect(await complete()).toEqual([expect.stringContaining('does not answer yet')])
  expect(stored).toEqual([])
})

it('says before a deployment that no rollback goes behind it, if the data gets another format', async () => {
  answers = ['old']
  expect(await describeNewFormat(client)).toEqual([])
  format = FORMAT - 1
  expect(await describeNewFormat(client)).toEqual([
    expect.stringMatching(/from format \d+ to \d+, so do not roll back to an earlier version/),
  ])
  answers = ['none']
  expect(await describeNewFormat(client)).toEqual([])
})
