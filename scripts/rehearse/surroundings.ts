/**
 * Starts, on this machine, the stand-ins for Cloudflare, GitHub, and Firestore with its trigger, and creates the person
 * who follows the docs.
 */
import { randomBytes } from 'node:crypto'
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { PassingError, sendNotice } from '../../functions/firestore-trigger/src/send-notice.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'
import type { Shop } from '../emulator/shop.ts'
import { openShop } from '../emulator/shop.ts'
import { startEmulator } from '../emulator/firestore-emulator.ts'
import type { EdgeSite } from '../fakes/edge-site.ts'
import { FakeCloudflare } from '../fakes/fake-cloudflare.ts'
import { FakeGitHub } from '../fakes/fake-github.ts'
import { FakeGoogle } from '../fakes/fake-google.ts'
import type { Repository, RunnerOptions } from '../fakes/workflow-run.ts'
import { createRuntimeServer } from '../fakes/runtime-server.ts'
import type { LocalPlace } from '../local/open-place.ts'
import { openPlace } from '../local/open-place.ts'
import { copyProject, WITH_TESTS } from '../measure/copy-project.ts'
import { writeRehearsedDocuments } from './documents.ts'
import { createMachine, createRunner } from './machines.ts'
import type { Person, RehearsalWorld } from './person.ts'
import { createPerson } from './person.ts'

interface DeployedTrigger {
  /** The secret that the trigger signs notices with; `null` if the trigger is not deployed. */
  secret: string | null
  /** Why the most recently completed notice failed; `null` if it was accepted, or if none was sent. */
  problem: string | null
  /** Number of writes so far, counted even while the trigger is not deployed. */
  writes: number
  /** Number of notices that are being sent or retried. */
  open: number
}

export interface Surroundings extends RehearsalWorld, Person {
  readonly shop: Shop
  /** Secrets and variables of the repository at GitHub. */
  readonly repository: { secrets: Record<string, string>; variables: Record<string, string> }
  readonly trigger: DeployedTrigger
  readonly prices: { last: number }
  /** `version`: id of the version that was live before the most recent bad code; empty before any. */
  readonly good: { version: string }
  /** Number of workflow runs that were finished when the act began. */
  readonly runsBefore: number
  close(): Promise<void>
}

const PARTS = [...WITH_TESTS.filter((part) => part !== 'tests'), '.github', '.env.example']
/** Changed prices count up from this value, so that no price occurs twice. */
const FIRST_PRICE = 71_000
/** Max tries of a notice, and the pause before each retry, in milliseconds. */
const TRIES = 10
const RETRY = 1_000
const PRODUCTION = 'vitrina'
const STAGING = 'vitrina-staging'

interface SurroundingsOptions {
  /**
   * True if the runner's first checkout installs its packages, as at GitHub. All other checkouts link the packages of
   * this project.
   */
  readonly installs: boolean
  readonly progress: (text: string) => void
  /** Aborting it ends commands, visits and retries in progress. */
  readonly end: AbortSignal
}

export function openSurroundings(options: SurroundingsOptions): Promise<Surroundings> {
  return openPlace('rehearse', (place) => open(place, options))
}

async function open(
  { folder, later }: LocalPlace,
  { installs, progress, end }: SurroundingsOptions,
): Promise<Omit<Surroundings, 'close'>> {
  progress('Copying the project')
  const checkout = join(folder, 'checkout')
  copyProject(checkout, PARTS)
  progress('Starting Firestore')
  const emulator = await startEmulator()
  later(() => emulator.stop())
  const shop = await openShop(emulator.host, writeRehearsedDocuments(join(folder, 'documents')))
  later(() => shop.close())
  const google = new FakeGoogle(emulator.host)
  await google.start()
  later(() => google.stop())
  progress('Starting the stand-ins for Cloudflare and GitHub')
  const hosts: Record<string, string> = { 'https://firestore.googleapis.com': google.origin }
  const cloudflare = await startCloudflare(folder, hosts)
  later(() => cloudflare.stop())
  // Leaves the token and the account's id out of `network`, because the person and the repository set them as the docs
  // say.
  const { CLOUDFLARE_API_TOKEN = '', CLOUDFLARE_ACCOUNT_ID = '', ...api } = cloudflare.environment
  const network = { ...api, FIRESTORE_EMULATOR_HOST: emulator.host }
  const repository = { folder: checkout, secrets: {}, variables: {} }
  const token = `github_pat_${randomBytes(12).toString('hex')}`
  const github = new FakeGitHub(createRunnerOptions(folder, { repository, network, installs }), token)
  await github.start()
  hosts['https://api.github.com'] = github.origin
  // GitHub is stopped before Cloudflare and Firestore, because a running workflow uses both.
  later(() => github.stop())
  const site = cloudflare.findSite(PRODUCTION)
  const values = {
    SITE_URL: site.origin,
    SITE_NAME: 'Rehearsal',
    HOSTING: 'objects',
    DISPATCH: 'queue',
    DISPATCH_FULL: 'github',
    FIREBASE_PROJECT_ID: shop.project,
    GOOGLE_APPLICATION_CREDENTIALS: join(folder, 'google.json'),
    GOOGLE_CREDENTIALS: '{}',
    CLOUDFLARE_API_TOKEN,
    CLOUDFLARE_ACCOUNT_ID,
    DISPATCH_GITHUB_TOKEN: token,
    DISPATCH_GITHUB_REPOSITORY: 'owner/name',
  }
  const trigger: DeployedTrigger = { secret: null, problem: null, writes: 0, open: 0 }
  await followWrites(shop, site, { trigger, end })
  const staging = await cloudflare.openSite(STAGING)
  const world = { checkout, cloudflare, site, staging, github, google, values }
  const person = createPerson(world, { environment: createMachine(folder, network), end })
  const noted = { prices: { last: FIRST_PRICE }, good: { version: '' }, runsBefore: 0 }
  return { ...world, shop, repository, trigger, ...noted, ...person }
}

async function startCloudflare(
  folder: string,
  hosts: Readonly<Record<string, string>>,
): Promise<FakeCloudflare> {
  const cloudflare = new FakeCloudflare({
    serve: (name, assets, stores) =>
      createRuntimeServer({
        folder: join(folder, 'edge', name),
        assets,
        listConsumers: () => stores.listConsumers(name),
        hosts: () => hosts,
      }),
  })
  await cloudflare.start()
  return cloudflare
}

interface RunnerSetup {
  readonly repository: Repository
  readonly network: Readonly<Record<string, string>>
  readonly installs: boolean
}

function createRunnerOptions(folder: string, { repository, network, installs }: RunnerSetup): RunnerOptions {
  let isLinked = !installs
  return {
    repository,
    checkOut: (place) => {
      copyRepository(repository.folder, place, isLinked)
      isLinked = true
    },
    environment: createRunner(folder, network),
    folder: join(folder, 'runner'),
  }
}

/**
 * Copies the repository as GitHub has it, without generated files and `.env`. `isLinked`: the copy gets a link to the
 * packages of this project.
 */
function copyRepository(checkout: string, place: string, isLinked: boolean): void {
  for (const part of PARTS) cpSync(join(checkout, part), join(place, part), { recursive: true })
  if (isLinked) symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'))
}

interface Followed {
  readonly trigger: DeployedTrigger
  readonly end: AbortSignal
}

/**
 * For each write, sends a notice with the trigger's own code if the trigger is deployed. Retries temporary failures as
 * Cloud Functions does, but with at most `TRIES` tries.
 */
async function followWrites(shop: Shop, site: EdgeSite, { trigger, end }: Followed): Promise<void> {
  await shop.follow((sellers) => {
    trigger.writes += 1
    const { secret } = trigger
    if (secret === null) return
    const notice = { id: `write_${randomBytes(8).toString('hex')}`, sellers }
    trigger.open += 1
    const settle = (problem: string | null): void => {
      trigger.problem = problem
      trigger.open -= 1
    }
    const send = (tries: number): Promise<string | null> =>
      sendNotice({ site: site.origin, secret }, notice).catch(async (error: unknown) => {
        if (!(error instanceof PassingError) || tries === 1) throw error
        await wait(RETRY, undefined, { signal: end })
        return send(tries - 1)
      })
    send(TRIES).then(settle, (error: unknown) => settle(String(error)))
  })
}
