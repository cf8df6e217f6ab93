/** The site learns which code is live, once, and gets its assets before. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { beforeEach, expect, it } from 'vitest'
import type { Announcement } from '../../../../src/builder/publish/objects/announce-code.ts'
import { CallError } from '../../../../src/builder/publish/coordinator-client.ts'
import { announceCode } from '../../../../src/builder/publish/objects/announce-code.ts'
import type { ObjectClient } from '../../../../src/builder/publish/objects/object-client.ts'
import { openSentFiles } from '../../../../src/builder/publish/objects/sent-files.ts'
import { createObjectsTwin } from '../../../support/objects-twin.ts'
import { useTemporaryFolder } from '../../../support/temporary.ts'

const path = useTemporaryFolder()
const CODE = 'a'.repeat(32)

let said: string[]
let answers: string[]
let client: ObjectClient
beforeEach(() => {
  mkdirSync(path('dist/_astro'), { recursive: true })
  writeFileSync(path('dist/_astro/app.js'), 'app')
  said = []
  answers = [`${CODE}-order`]
  const twin = createObjectsTwin()
  client = {
    ...twin.client,
    readTags: async (call) => {
      const code = answers.length > 1 ? (answers.shift() ?? '') : (answers[0] ?? '')
      if (code === 'none') throw new CallError('has no objects', 404)
      return { ...(await twin.client.readTags(call)), worker: { code, intake: '', format: 1 } }
    },
    storeFiles: async ({ files }) => ({ stored: said.push(...files.map((file) => file.path)) }),
    goLive: async ({ code }) => (said.push(code), { refill: 'started' }),
  }
})

async function announce(change: Partial<Announcement> = {}): Promise<readonly string[]> {
  const sent = openSentFiles(path('sent.sqlite'), 'https://one.do')
  try {
    return await announceCode({
      client,
      sent,
      output: path('dist'),
      code: CODE,
      isNew: false,
      pauses: [1, 1],
      ...change,
    })
  } finally {
    sent.close()
  }
}

it('tells the whole name of the code, after its assets, and only once', async () => {
  expect(await announce()).toEqual(['  code        pages of other code are rendered again'])
  expect(said).toEqual(['_astro/app.js', `${CODE}-order`])
  expect(await announce()).toEqual([])
  expect(said).toHaveLength(2)
})

it('tells it again after a switch of versions', async () => {
  await announce()
  await announce({ isNew: true })
  expect(said.filter((one) => one.startsWith(CODE))).toHaveLength(2)
})

it('waits while the Worker of a site of files still answers', async () => {
  answers = ['none', `${CODE}-order`]
  await announce()
  expect(said.at(-1)).toBe(`${CODE}-order`)
})

it('waits until the code answers, and says that it does not', async () => {
  answers = ['old', 'old', `${CODE}-order`]
  await announce()
  expect(said.at(-1)).toBe(`${CODE}-order`)
  answers = ['old']
  const lines = await announce({ isNew: true })
  expect(lines[0]).toContain('does not answer yet')
})

it('takes whatever answers on this machine', async () => {
  answers = ['local']
  await announce({ code: null })
  await announce({ code: null })
  expect(said.filter((one) => one === 'local')).toEqual(['local'])
})
