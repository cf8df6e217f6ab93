/** The rebuild command on Firestore: what it reads, and what it does when Firestore fails. */
import { describe, expect, it } from 'vitest'
import type { RebuildReport } from '../../../src/builder/commands/rebuild/rebuild-report.ts'
import { createSellers, product, user, writeFolder } from '../../support/rebuild/documents.ts'
import { startFaultyFirestore } from '../../support/firestore/faulty-firestore.ts'
import type { FirestoreProject } from '../../support/firestore/firestore.ts'
import { useFirestore } from '../../support/firestore/firestore.ts'
import { readFileStamps } from '../../support/run/files.ts'
import type { RebuildPlace, RebuildRun } from '../../support/rebuild/rebuild.ts'
import { runRebuild } from '../../support/rebuild/rebuild.ts'
import { rebuildHere } from '../../support/rebuild/run-here.ts'
import { startServer } from '../../support/run/servers.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()
const openProject = useFirestore()

function placeOf({ id, options }: FirestoreProject, host = options.emulatorHost ?? ''): RebuildPlace {
  const env = { FIREBASE_PROJECT_ID: id, FIRESTORE_EMULATOR_HOST: host }
  return { source: 'firestore', output: path('dist'), state: path('state'), env }
}

const createDocuments = (sellers: number) => createSellers(sellers, { names: ['a', 'b'] })

/** In this process. */
async function rebuildSite(place: RebuildPlace, ...options: readonly string[]): Promise<RebuildReport> {
  return (await rebuildHere(place, ...options)).report
}

/** Creates a project with `sellers` sellers of two products each, and its site. */
async function createSite(sellers: number): Promise<FirestoreProject> {
  const project = openProject()
  await project.write(createDocuments(sellers))
  await rebuildSite(placeOf(project))
  return project
}

type Run = (
  place: RebuildPlace,
  ...options: readonly string[]
) => Promise<Pick<RebuildRun, 'code' | 'report' | 'stderr'>>

const NOTHING = { written: 0, removed: 0, failed: 0 }

describe('a rebuild from Firestore', () => {
  it('reads each document once, and then finds nothing to do', async () => {
    const project = openProject()
    await project.write([...createDocuments(12), product('alone', 'no-profile')])
    const report = await rebuildSite(placeOf(project))
    expect(report).toMatchObject({ exit: 0, sellers: 13, products: 25, reads: 37, rejected: [], error: null })
    const before = readFileStamps(path('dist'))
    const again = await rebuildHere(placeOf(project))
    expect(again.report).toMatchObject({ reads: 37, pages: NOTHING })
    expect(readFileStamps(path('dist'))).toEqual(before)
  })

  it('reports invalid documents, and publishes everything else', async () => {
    const project = openProject()
    await project.write([
      ...createDocuments(3),
      product('odd', 's1', { price: Number.NaN, photo: new Date(0), _5ml: { price: Infinity } }),
      product('nameless', 's1', { name: Buffer.from('x') }),
      product('owned', '', { owner: project.database.doc('users/s1') }),
      user('a/b'.replace('/', '\\')),
    ])
    const report = await rebuildSite(placeOf(project))
    expect(report).toMatchObject({ exit: 0, sellers: 3, products: 7, reads: 13 })
    expect(report.rejected.map(({ id, field }) => `${id} ${field}`).sort()).toEqual([
      'a\\b ',
      'nameless name',
      'odd _5ml.price',
      'odd photo',
      'odd price',
      'owned owner.id',
    ])
  })

  it('loads the client of Firestore, which looks for no credentials of an emulator; a rebuild from a folder does not', async () => {
    let requests = 0
    const machine = await startServer((_, response) => {
      requests += 1
      response.end()
    })
    const code = `import { createRequire } from 'node:module'
      const { cache } = createRequire(process.execPath)
      const isLoaded = () => Object.keys(cache).some((file) => file.includes('firebase-admin'))
      process.on('exit', () => console.error(isLoaded() ? 'with client' : 'without client'))`
    const watched = {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
      GCE_METADATA_HOST: new URL(machine).host,
      HOME: path('home'),
      CLOUDSDK_CONFIG: path('home'),
    }
    const project = openProject()
    await project.write(createDocuments(3))
    const place = placeOf(project)
    const { report, stderr } = await runRebuild({ ...place, env: { ...place.env, ...watched } })
    expect([report.exit, stderr, requests]).toEqual([0, expect.stringContaining('with client'), 0])
    const source = writeFolder(path('source'), createDocuments(3))
    const other = await runRebuild({ ...place, source, env: watched })
    expect([other.report.exit, other.stderr]).toEqual([0, expect.stringContaining('without client')])
  })
})

describe('a rebuild when Firestore fails', () => {
  const SELLERS = 30

  /** Runs the command, and checks that nothing changed. */
  async function checkHarmless(run: Run, place: RebuildPlace, ...options: readonly string[]) {
    const before = readFileStamps(path('dist'))
    const { code, report, stderr } = await run(place, ...options)
    expect(readFileStamps(path('dist'))).toEqual(before)
    expect(stderr).toContain(report.error)
    expect(stderr).not.toMatch(/\n\s+at /)
    return { code, error: report.error ?? '' }
  }

  const expectHarmless = (place: RebuildPlace, ...options: readonly string[]) =>
    checkHarmless(rebuildHere, place, ...options)

  async function expectSound(project: FirestoreProject): Promise<void> {
    const report = await rebuildSite(placeOf(project))
    expect(report).toMatchObject({ exit: 0, sellers: SELLERS, pages: NOTHING })
  }

  it('changes nothing when no server listens, and reports where one should', async () => {
    const project = await createSite(SELLERS)
    // No process is given a port below 1024 by chance.
    const place = placeOf(project, '127.0.0.1:1')
    for (const { code, error } of [
      // A process, which ends although calls have failed.
      await checkHarmless(runRebuild, place),
      await expectHarmless(place, '--seller', 's3'),
    ]) {
      expect(code).toBe(3)
      expect(error).toMatch(/check that an emulator runs at 127\.0\.0\.1:\d+/)
    }
    await expectSound(project)
  })

  // The other codes have tests of the source.
  it('changes nothing when every call fails for a while, or lacks a permission', async () => {
    const project = await createSite(SELLERS)
    for (const [code, details, words, options] of [
      [14, 'down for an hour', /UNAVAILABLE: down for an hour.*then run again/, []],
      [7, 'not allowed', /PERMISSION_DENIED: not allowed.*role Cloud Datastore Viewer/, ['--seller', 's3']],
    ] as const) {
      const { host } = await startFaultyFirestore({ code, details })
      const failed = await expectHarmless(placeOf(project, host), ...options)
      expect(failed.code).toBe(3)
      expect(failed.error).toMatch(words)
    }
    await expectSound(project)
  })

  it('changes nothing when the collections are empty, and when all products are gone, but no profile', async () => {
    const project = await createSite(SELLERS)
    const { host } = await startFaultyFirestore('empty')
    const empty = await expectHarmless(placeOf(project, host))
    expect(empty.code).toBe(4)
    expect(empty.error).toMatch(/has no sellers/)
    await project.remove(createDocuments(SELLERS).filter(({ collection }) => collection === 'cataloge'))
    const { code, error } = await expectHarmless(placeOf(project))
    expect(code).toBe(4)
    expect(error).toMatch(/has no products.*--allow-shrink/)
    await project.write(createDocuments(SELLERS))
    await expectSound(project)
  })
})

describe('a rebuild without what Firestore needs', () => {
  const place = (env: Readonly<Record<string, string>>): RebuildPlace => ({
    source: 'firestore',
    output: path('dist'),
    state: path('state'),
    env: { FIREBASE_PROJECT_ID: '', FIRESTORE_EMULATOR_HOST: '', GOOGLE_APPLICATION_CREDENTIALS: '', ...env },
  })

  it.each([
    [{}, /FIREBASE_PROJECT_ID is not set: set it to the id of the Firebase project/],
    [{ FIREBASE_PROJECT_ID: 'a b' }, /FIREBASE_PROJECT_ID must be the id of a Firebase project/],
    [{ FIREBASE_PROJECT_ID: 'demo', FIRESTORE_EMULATOR_HOST: 'http://localhost' }, /a host and a port/],
  ])('says what to set: %o', async (env, words) => {
    expect(await rebuildSite(place(env))).toMatchObject({
      exit: 2,
      error: expect.stringMatching(words) as string,
    })
  })

  it('says how to give it credentials', async () => {
    // It must find no file in the home folder. Google's library warns of a metadata server that fails.
    const failing = await startServer((_, response) => void response.writeHead(500).end())
    const none = {
      HOME: path('home'),
      CLOUDSDK_CONFIG: path('home'),
      GCE_METADATA_HOST: new URL(failing).host,
    }
    const { report, stderr } = await runRebuild(place({ FIREBASE_PROJECT_ID: 'demo', ...none }))
    expect(stderr).not.toContain('Warning')
    expect(report).toMatchObject({
      exit: 3,
      error: expect.stringMatching(/name the key file of a service account/) as string,
    })
  })
})
