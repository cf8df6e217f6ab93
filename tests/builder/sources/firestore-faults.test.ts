import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import type { Patience } from '../../../src/builder/sources/firestore/firestore-calls.ts'
import { explainFirestore } from '../../../src/builder/sources/firestore/firestore-errors.ts'
import { openFirestore } from '../../../src/builder/sources/firestore/firestore.ts'
import type { Source } from '../../../src/builder/sources/source.ts'
import { SourceError } from '../../../src/builder/sources/source.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import type { FirestoreAnswer } from '../../support/firestore/faulty-firestore.ts'
import { startBreakingProxy, startFaultyFirestore } from '../../support/firestore/faulty-firestore.ts'
import { useFirestoreClock } from '../../support/firestore/firestore-clock.ts'
import { goesOn, useFirestore } from '../../support/firestore/firestore.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { gatherKeys } from './reading.ts'

const path = useTemporaryFolder()
const openProject = useFirestore()

const open = (emulatorHost: string, patience: Partial<Patience> = {}): Promise<Source> =>
  openFirestore({ projectId: 'demo', emulatorHost, credentialsFile: null, patience })

const READS: readonly [string, (source: Source) => Promise<readonly string[]>][] = [
  ['everything', (source) => gatherKeys(source.readAll())],
  ['sellers', (source) => gatherKeys(source.readSellers(['ana', 'luz']))],
  ['documents', (source) => gatherKeys(source.readDocuments([{ collection: 'users', id: 'ana' }]))],
]

async function fail(read: (source: Source) => Promise<unknown>, source: Source): Promise<SourceError> {
  const error = await read(source).then(
    () => null,
    (reason: unknown) => reason,
  )
  source.close()
  expect(error).toBeInstanceOf(SourceError)
  return error as SourceError
}

const LASTING: readonly [FirestoreAnswer & object, RegExp][] = [
  [{ code: 3, details: 'bad request' }, /\(INVALID_ARGUMENT: bad request\): .*native mode/],
  [{ code: 5, details: 'no database' }, /\(NOT_FOUND: no database\): .*FIREBASE_PROJECT_ID/],
  [{ code: 7, details: 'not allowed' }, /\(PERMISSION_DENIED: not allowed\): .*role Cloud Datastore Viewer/],
  [{ code: 9, details: 'no index' }, /\(FAILED_PRECONDITION: no index\): .*index of the field owner\.id/],
  [
    { code: 16, details: 'who are you' },
    /\(UNAUTHENTICATED: who are you\): .*GOOGLE_APPLICATION_CREDENTIALS/,
  ],
]

const PASSING: readonly [string, number][] = [
  ['DEADLINE_EXCEEDED', 4],
  ['RESOURCE_EXHAUSTED', 8],
  ['ABORTED', 10],
  ['INTERNAL', 13],
  ['UNAVAILABLE', 14],
]

describe('a Firestore that refuses calls', () => {
  const clock = useFirestoreClock()

  it.each(LASTING)(
    'reports a permanent failure without another attempt, with what to do: $code',
    async (answer, words) => {
      for (const [, read] of READS) {
        const server = await startFaultyFirestore(answer)
        expect((await fail(read, await open(server.host))).message).toMatch(words)
        // A read in a transaction also ends that.
        expect(server.calls).toBeLessThanOrEqual(2)
      }
    },
  )

  it('is called once for a permanent failure', async () => {
    const server = await startFaultyFirestore({ code: 7, details: 'not allowed' })
    await fail((source) => gatherKeys(source.readAll()), await open(server.host))
    expect(server.calls).toBe(1)
  })

  it.each(PASSING)('is called again after %s', async (_, code) => {
    const server = await startFaultyFirestore({ code, details: 'not now' }, 'empty')
    const source = await open(server.host)
    expect(await gatherKeys(source.readAll())).toEqual([])
    expect(server.calls).toBe(3)
    source.close()
  })

  it.each(PASSING)('fails the read when it keeps returning %s', async (name, code) => {
    const server = await startFaultyFirestore({ code, details: 'not now' })
    const [, [, read]] = READS as [never, (typeof READS)[number]]
    const error = await fail(read, await open(server.host, { failing: 300 }))
    expect(error.message).toContain(`(${name}: not now)`)
    expect(server.calls).toBeLessThan(10)
  })

  it('is never called for a profile whose id it would reject', async () => {
    const server = await startFaultyFirestore('empty')
    const source = await open(server.host)
    expect(await gatherKeys(source.readSellers(['__me__']))).toEqual([])
    expect(server.calls).toBe(1)
    source.close()
  })

  it('fails the read when it does not respond', async () => {
    for (const [, read] of READS) {
      const { host } = await startFaultyFirestore('silence')
      const error = await fail(read, await open(host, { failing: 0, silence: 100 }))
      expect(error.message).toMatch(/DEADLINE_EXCEEDED: no answer for 0\.1 s/)
    }
  })

  it('leaves no caller waiting for an answer when the source is closed', async () => {
    const server = await startFaultyFirestore('silence')
    const source = await open(server.host)
    const failing = fail((closing) => gatherKeys(closing.readAll()), source)
    await expect.poll(() => server.calls).toBe(1)
    source.close()
    expect((await failing).message).toContain('the source was closed')
  })

  it('is not asked again when the source is closed before the next attempt', async () => {
    const server = await startFaultyFirestore({ code: 14, details: 'not now' }, 'silence')
    const source = await open(server.host)
    clock.onDelay = () => source.close()
    const error = await fail((closing) => gatherKeys(closing.readAll()), source)
    expect(error.message).toContain('the source was closed')
  })

  it('may fail again later without failing the read', async () => {
    const down = { code: 14, details: 'not now' }
    // The client waits longer than that before it asks again.
    const patience = { failing: 400 }
    const server = await startFaultyFirestore(down, 'empty', down, 'empty')
    const source = await open(server.host, patience)
    expect(await gatherKeys(source.readAll())).toEqual([])
    source.close()
  })
})

describe('a connection to Firestore that breaks', () => {
  const openFull = async () => {
    const project = openProject()
    await project.write(Array.from({ length: 60 }, (_, index) => user(`u${index}`, 'x'.repeat(100))))
    await project.write([user('ana'), product('p1', 'ana'), product('p2', 'ana')])
    return project
  }

  it('never shortens a whole read: it completes or fails', async () => {
    const { options } = await openFull()
    const outcomes = new Set<string>()
    for (let bytes = 300; bytes < 40_000; bytes += Math.ceil(bytes / 5)) {
      const { host } = await startBreakingProxy(options.emulatorHost ?? '', bytes)
      const source = await openFirestore({ ...options, emulatorHost: host, patience: { failing: 0 } })
      const read = gatherKeys(source.readAll()).then(
        (keys) => `${keys.length} documents`,
        (error: Error) => error.name,
      )
      outcomes.add(await read)
      source.close()
    }
    expect(outcomes).toEqual(new Set(['SourceError', '63 documents']))
  })

  it.skipIf(goesOn)('says so when it broke in the middle of a query that cannot go on', async () => {
    const { options } = await openFull()
    const { host } = await startBreakingProxy(options.emulatorHost ?? '', 5_000, { isOrderly: true })
    const source = await openFirestore({ ...options, emulatorHost: host })
    const error = await fail((broken) => gatherKeys(broken.readAll()), source)
    expect(error.message).toMatch(
      /the connection broke while the collection users was being read.*then run again/,
    )
  })

  it('does no harm to the read of sellers when it holds the next time', async () => {
    const { options } = await openFull()
    // At once: each waits for a second before it connects again.
    await Promise.all(
      [0, 400, 700, 1_000].map(async (bytes) => {
        const proxy = await startBreakingProxy(options.emulatorHost ?? '', bytes, { times: 1 })
        const patience = { failing: Infinity }
        const source = await openFirestore({ ...options, emulatorHost: proxy.host, patience })
        const keys = await gatherKeys(source.readSellers(['ana']))
        expect(keys).toEqual(['cataloge/p1', 'cataloge/p2', 'users/ana'])
        expect(proxy.connections).toBe(2)
        source.close()
      }),
    )
  })
})

describe('the credentials for Firestore', () => {
  const SECRET = 'c2VjcmV0c2VjcmV0'
  const openWith = (credentialsFile: string): Promise<Source> =>
    openFirestore({ projectId: 'demo', emulatorHost: null, credentialsFile })
  const write = (text: string): string => {
    writeFileSync(path('key.json'), text)
    return path('key.json')
  }

  it.each([
    ['is not JSON', `{"private_key": "-----BEGIN PRIVATE KEY-----${SECRET}`],
    ['has no type', JSON.stringify({ private_key: SECRET })],
    ['has no client_email', JSON.stringify({ type: 'service_account', private_key: SECRET })],
    [
      'has no valid private_key',
      JSON.stringify({ type: 'service_account', client_email: 'a@b', private_key: SECRET }),
    ],
  ])('are refused when their file %s, and nothing of it is told', async (reason, text) => {
    const error = await openWith(write(text)).catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(SourceError)
    const { message, cause } = error as SourceError
    expect(message).toContain(reason)
    expect(message).toMatch(/GOOGLE_APPLICATION_CREDENTIALS, \S+key\.json,.*: download a new key/)
    expect(message + String(cause)).not.toContain(SECRET)
  })

  it('are refused when their file is missing', async () => {
    await expect(openWith(path('missing.json'))).rejects.toThrow(/missing\.json, cannot be read \(ENOENT/)
  })

  it('are taken from a sound file', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
    const sound = { type: 'service_account', project_id: 'demo', client_email: 'a@b', private_key: key }
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', write(JSON.stringify(sound)))
    const source = await openWith(path('key.json'))
    vi.unstubAllEnvs()
    expect(source.label).toBe('the Firestore project demo')
    source.close()
  })

  it('are not needed for an emulator', async () => {
    const place = { projectId: 'demo', emulatorHost: '127.0.0.1:1' }
    const source = await openFirestore({ ...place, credentialsFile: path('missing.json') })
    expect(source.label).toBe('the Firestore project demo on an emulator')
    source.close()
  })

  it('never show in a message', () => {
    const place = { projectId: 'demo', emulatorHost: null }
    const pem = `-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----`
    for (const text of [pem, `token eyJ${SECRET}.x.y`, `token ya29.${SECRET}`, `Bearer ${SECRET}=`])
      expect(explainFirestore(place, new Error(`failed: ${text}`)).message).not.toContain(SECRET)
  })
})
