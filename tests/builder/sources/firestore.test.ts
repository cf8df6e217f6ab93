import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { explainFirestore } from '../../../src/builder/sources/firestore/firestore-client.ts'
import { openFirestore } from '../../../src/builder/sources/firestore/firestore.ts'
import type { Source } from '../../../src/builder/sources/source.ts'
import { SourceError } from '../../../src/builder/sources/source.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import type { FirestoreAnswer } from '../../support/firestore/faulty-firestore.ts'
import { startBreakingProxy, startFaultyFirestore } from '../../support/firestore/faulty-firestore.ts'
import { useFirestore } from '../../support/firestore/firestore.ts'
import { holdClosedHost } from '../../support/run/servers.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { describeSource } from './contract.ts'
import { gatherKeys } from './reading.ts'

const path = useTemporaryFolder()
const openProject = useFirestore()

const open = (emulatorHost: string, patience = 10_000): Promise<Source> =>
  openFirestore({ projectId: 'demo', emulatorHost, credentialsFile: null, patience })

describeSource('Firestore', {
  open: async (documents) => {
    const project = openProject()
    await project.write(documents)
    return openFirestore(project.options)
  },
  openBroken: async () => open(await holdClosedHost(), 100),
  keepsTime: true,
})

describe('Firestore', () => {
  it('does not keep the process alive, even after an abandoned read', async () => {
    const project = openProject()
    const long = 'x'.repeat(2_000)
    await project.write(Array.from({ length: 400 }, (_, index) => user(`u${index}`, long)))
    // Kept alive, it never ends: what closes the client much later is left out.
    const code = `
      const { setTimeout } = globalThis
      globalThis.setTimeout = (work, ms) => (ms === 10_000 ? { unref() {} } : setTimeout(work, ms))
      import { openFirestore } from './src/builder/sources/firestore/firestore.ts'
      const source = await openFirestore(${JSON.stringify({ ...project.options, patience: 9_000 })})
      for await (const item of source.readAll().items) break
      source.close()`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' })
    onTestFinished(() => void child.kill())
    const [status] = (await once(child, 'exit')) as [number]
    expect(status).toBe(0)
  })
})

it('Firestore is asked again after a fault that passes', async () => {
  const server = await startFaultyFirestore({ code: 14, details: 'not now' }, 'empty')
  const source = await open(server.host)
  expect(await gatherKeys(source.readAll())).toEqual([])
  await source.close()
})

const READS: readonly [string, (source: Source) => Promise<readonly string[]>][] = [
  ['everything', (source) => gatherKeys(source.readAll())],
  ['sellers', (source) => gatherKeys(source.readSellers(['ana', 'luz']))],
]

async function fail(read: (source: Source) => Promise<unknown>, source: Source): Promise<string> {
  const error = await read(source).catch((reason: unknown) => reason)
  await source.close()
  expect(error).toBeInstanceOf(SourceError)
  return error instanceof Error ? error.message : ''
}

const LASTING: readonly [FirestoreAnswer & object, RegExp][] = [
  [{ code: 3, details: 'bad request' }, /\(INVALID_ARGUMENT: bad request\): .*native mode/],
  [{ code: 5, details: 'no database' }, /\(NOT_FOUND: no database\): .*FIREBASE_PROJECT_ID/],
  [{ code: 7, details: 'not allowed' }, /\(PERMISSION_DENIED: not allowed\): .*role Cloud Datastore Viewer/],
  [{ code: 8, details: 'no quota' }, /\(RESOURCE_EXHAUSTED: no quota\): .*quota is used up/],
  [{ code: 9, details: 'no index' }, /\(FAILED_PRECONDITION: no index\): .*index of the field owner\.id/],
  [
    { code: 16, details: 'who are you' },
    /\(UNAUTHENTICATED: who are you\): .*GOOGLE_APPLICATION_CREDENTIALS/,
  ],
]

describe.each(READS)('a read of %s from a Firestore with a fault', (_, read) => {
  it.each(LASTING)('fails at once with what to do after code $code', async (answer, words) => {
    const server = await startFaultyFirestore(answer)
    expect(await fail(read, await open(server.host))).toMatch(words)
    expect(server.calls).toBeLessThanOrEqual(2)
  })

  it('fails if a fault does not pass, or if nothing answers', async () => {
    const down = await startFaultyFirestore({ code: 14, details: 'not now' })
    expect(await fail(read, await open(down.host, 200))).toContain('check that an emulator runs')
    const silent = await startFaultyFirestore('silence')
    expect(await fail(read, await open(silent.host, 100))).toContain('no answer for 0.1 s')
  })

  it('fails when the source is closed', async () => {
    const server = await startFaultyFirestore('silence')
    const source = await open(server.host)
    const failing = fail(read, source)
    await expect.poll(() => server.calls).toBeGreaterThan(0)
    await source.close()
    expect(await failing).toContain('the source was closed')
  })

  it('is complete or fails when the connection breaks', async () => {
    const { options, write } = openProject()
    await write(Array.from({ length: 60 }, (__, index) => product(`p${index}`, 'ana')))
    for (const bytes of [500, 3_000, 8_000]) {
      const emulatorHost = await startBreakingProxy(options.emulatorHost ?? '', bytes)
      const source = await openFirestore({ ...options, emulatorHost, patience: 300 })
      const outcome = await read(source).then(
        (keys) => keys.length,
        (error: Error) => error.name,
      )
      expect(['SourceError', 60]).toContain(outcome)
      await source.close()
    }
  })
})

describe('the credentials for Firestore', () => {
  const SECRET = 'c2VjcmV0c2VjcmV0'
  const openWith = (credentialsFile: string): Promise<Source> =>
    openFirestore({ projectId: 'demo', emulatorHost: null, credentialsFile })
  const write = (text: string): string => {
    writeFileSync(path('key.json'), text)
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', path('key.json'))
    onTestFinished(() => void vi.unstubAllEnvs())
    return path('key.json')
  }

  it('are refused when their file is missing or no JSON, and nothing of it is told', async () => {
    await expect(openWith(path('missing.json'))).rejects.toThrow(/missing\.json, which is not a file/)
    const error = await openWith(write(`{"private_key": "${SECRET}`)).catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(SourceError)
    expect(String(error)).toContain('GOOGLE_APPLICATION_CREDENTIALS')
    expect(String(error)).not.toContain(SECRET)
  })

  it('are taken from a sound file, and not needed for an emulator', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
    const sound = { type: 'service_account', project_id: 'demo', client_email: 'a@b', private_key: key }
    const source = await openWith(write(JSON.stringify(sound)))
    expect(source.label).toBe('the Firestore project demo')
    await source.close()
    await (await open('127.0.0.1:1')).close()
  })

  it('never show in a message', () => {
    const place = { projectId: 'demo', emulatorHost: null }
    for (const text of [
      `-----BEGIN PRIVATE KEY-----\n${SECRET}`,
      `token eyJ${SECRET}.x.y`,
      `Bearer ${SECRET}=`,
    ])
      expect(explainFirestore(place, new Error(`failed: ${text}`)).message).not.toContain(SECRET)
  })
})
