/** Files reach the store of the site once. */
import { beforeEach, expect, it } from 'vitest'
import { LARGEST_PUSH, SENT } from '../../../../src/domain/wire/call.ts'
import type { FilesCall, MissingCall } from '../../../../src/domain/wire/object-calls.ts'
import { MAX_FILES, MAX_PATHS } from '../../../../src/domain/wire/object-calls.ts'
import { sendFiles } from '../../../../src/builder/publish/objects/send-files.ts'
import type { SentFiles } from '../../../../src/builder/publish/objects/sent-files.ts'
import { openSentFiles } from '../../../../src/builder/publish/objects/sent-files.ts'
import type { ObjectsTwin } from '../../../support/edge/objects-twin.ts'
import { createObjectsTwin } from '../../../support/edge/objects-twin.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

/** A slow connection: 20 kB a second. */
const BYTES_IN_A_MS = 20

const path = useTemporaryFolder()
let twin: ObjectsTwin
beforeEach(() => void (twin = createObjectsTwin()))

async function send(paths: readonly string[], size = 3, site = 'https://one.do'): Promise<readonly string[]> {
  const sent: SentFiles = openSentFiles(path('sent.sqlite'), site)
  const readFile = (file: string) => (file.includes('lost') ? null : new Uint8Array(size))
  try {
    return [...(await sendFiles(paths, { client: twin.client, sent, readFile }))]
  } finally {
    sent.close()
  }
}

it('sends what the store lacks, and asks for nothing that it is known to have', async () => {
  twin.files.set('fotos/a', '')
  expect(await send(['fotos/a', 'fotos/b'])).toEqual([])
  expect([twin.asked, twin.files.get('fotos/b')]).toEqual([['fotos/a', 'fotos/b'], 'AAAA'])
  await send(['fotos/a', 'fotos/b', 'fotos/c'])
  expect(twin.asked).toEqual(['fotos/a', 'fotos/b', 'fotos/c'])
})

it('asks again for another site', async () => {
  await send(['fotos/a'])
  await send(['fotos/a'], 3, 'https://two.do')
  expect(twin.asked).toEqual(['fotos/a', 'fotos/a'])
})

it('returns the files that are nowhere, and asks for them again the next time', async () => {
  twin.files.set('fotos/lost-here', '')
  expect(await send(['fotos/lost', 'fotos/lost-here'])).toEqual(['fotos/lost'])
  await send(['fotos/lost', 'fotos/lost-here'])
  expect(twin.asked).toEqual(['fotos/lost', 'fotos/lost-here', 'fotos/lost'])
})

it('splits what a slow connection would not send in time, and sends a larger file alone', async () => {
  const paths = Array.from({ length: MAX_PATHS + 1 }, (_, at) => `fotos/${at}`)
  const calls: number[] = []
  const bodies: number[] = []
  const client = {
    findMissing: async (asked: MissingCall) => (calls.push(asked.paths.length), { missing: asked.paths }),
    storeFiles: async (body: FilesCall) => ({ stored: bodies.push(JSON.stringify(body).length) }),
  }
  const readFile = (file: string) => new Uint8Array(file === 'fotos/0' ? 2_000_000 : 20_000)
  await sendFiles(paths, { client, sent: { has: () => false, add: () => {} }, readFile })
  expect(calls).toEqual([MAX_PATHS, 1])
  const [large, ...others] = bodies
  expect(large).toBeLessThanOrEqual(LARGEST_PUSH)
  expect(Math.max(...others)).toBeLessThan(SENT.limits.time * BYTES_IN_A_MS)
  expect(others).toHaveLength(14)
})

it('sends no more files in a call than the site takes, however small they are', async () => {
  const paths = Array.from({ length: MAX_PATHS }, (_, at) => `fotos/${at}`)
  const counts: number[] = []
  const client = {
    findMissing: async (asked: MissingCall) => ({ missing: asked.paths }),
    storeFiles: async ({ files }: FilesCall) => ({ stored: counts.push(files.length) }),
  }
  const readFile = () => new Uint8Array(3)
  await sendFiles(paths, { client, sent: { has: () => false, add: () => {} }, readFile })
  expect(counts).toEqual([MAX_FILES, MAX_FILES, MAX_PATHS - 2 * MAX_FILES])
})
