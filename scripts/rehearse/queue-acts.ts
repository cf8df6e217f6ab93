/**
 * The acts for the section "Without a builder" of the docs: the Worker itself reads and stores changed sellers, and a
 * builder does the full reads.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatTime } from '../../src/builder/format-numbers.ts'
import { createCoordinatorClient } from '../../src/builder/publish/coordinator/coordinator-client.ts'
import { createObjectClient } from '../../src/builder/publish/objects/object-client.ts'
import type { Status } from '../../src/domain/wire/coordinator-status.ts'
import type { Scene } from './acts.ts'
import {
  changePrice,
  changeSilently,
  requireThat,
  demandFullRead,
  demandGreen,
  demandSameLive,
  follow,
  showsPrice,
  waitForShownPrice,
  waitForRest,
  waitForWorkflows,
  waitUntil,
  writeSettings,
} from './acts.ts'
import { REHEARSED_SELLERS } from './documents.ts'
import { readValues } from './documented-path.ts'
import { demandAllPages } from './objects-path.ts'
import type { DocumentedStep } from './read-operate.ts'
import { readBeforeQueue, readCommand, readQueueSteps } from './read-operate.ts'
import type { Surroundings } from './surroundings.ts'

const KEY = 'FIREBASE_SERVICE_ACCOUNT'
const KEY_FILE = 'key.json'
/** The queues that the setup must create for `DISPATCH=queue`. */
const QUEUES = ['vitrina-changes', 'vitrina-dead']

export const QUEUE_ACTS: Scene = [
  { title: 'without a builder: the settings, the key, and the setup', run: setUp },
  { title: 'a change is live, and no builder has run', run: changeData },
  { title: 'Firestore refuses: the status says so, and the waiting change is live afterwards', run: refuse },
  { title: 'the key of the service account is replaced', run: replaceKey },
  { title: 'a full read goes to the builder, and finds the same objects', run: readFull },
  { title: 'the nightly read finds a change that no notice named', run: runNightly },
]

async function setUp(around: Surroundings): Promise<void> {
  for (const line of readBeforeQueue()) await follow(around, line)
  const { stores } = around.cloudflare
  for (const queue of QUEUES) stores.queues.delete(queue)
  writeKey(around)
  for (const step of readQueueSteps()) await take(around, step)
  const dead = stores.listConsumers('vitrina').find(({ queue }) => queue === QUEUES[0])?.dead_letter_queue
  requireThat(dead === QUEUES[1], `failed messages go to the queue ${dead} instead of ${QUEUES[1]}`)
  requireThat(
    QUEUES.every((queue) => stores.listConsumers('vitrina').some((one) => one.queue === queue)),
    `${QUEUES.join(' or ')} has no consumer after the setup`,
  )
  requireThat(
    around.cloudflare.live?.secrets.has(KEY) === true,
    'the live version lacks the secret FIREBASE_SERVICE_ACCOUNT',
  )
  // Waits for the build that the end of the setup has started.
  await waitForRest(around)
  const { builder } = await readChanges(around)
  requireThat(builder?.startsWith('GitHub ') === true, `full reads go to ${builder} instead of GitHub`)
  await follow(around, 'npm run status')
  await demandAllPages(around)
  await demandSameLive(around)
}

/**
 * Follows a step as a person does: sets its settings, then runs its commands. Settings of the step "GitHub" are set at
 * GitHub, all others in `.env`.
 */
async function take(around: Surroundings, { title, settings, commands }: DocumentedStep): Promise<void> {
  const set = readValues(around, settings)
  if (title === 'GitHub') Object.assign(around.repository.variables, set)
  else writeSettings(around, set)
  for (const line of commands) await follow(around, line)
}

async function changeData(around: Surroundings): Promise<readonly string[]> {
  const { reads } = around.google
  const ms = await demandNoBuilder(around, () => changeAndSee(around))
  requireThat(around.google.reads > reads, 'the Worker has not read Firestore with its key')
  requireThat(
    around.trigger.problem === null,
    `the trigger could not send its notice: ${around.trigger.problem}`,
  )
  await waitForRest(around)
  return [`from the change of the document to a page that shows it: ${formatTime(ms)}`]
}

async function refuse(around: Surroundings): Promise<readonly string[]> {
  const { google } = around
  const before = around.prices.last
  let lines: readonly string[] = []
  await demandNoBuilder(around, async () => {
    google.isAllowed = false
    try {
      await changePrice(around)
      await waitUntil(
        around,
        async () => (await readChanges(around)).trouble !== null,
        'the status reports trouble',
      )
      const { text } = await follow(around, 'npm run status', 1)
      requireThat(
        /cannot read the Firestore project/.test(text) && text.includes('PERMISSION_DENIED'),
        `the status must report that Firestore refuses to be read, but it says:\n${text}`,
      )
      requireThat(
        await showsPrice(around, around.site, before),
        'the page no longer shows the previous price',
      )
      lines = text.split('\n').slice(0, 1)
    } finally {
      google.isAllowed = true
    }
    await waitForShownPrice(around, 'a visitor sees the change that waited for Firestore')
  })
  await waitForRest(around)
  await follow(around, 'npm run status')
  return lines
}

async function replaceKey(around: Surroundings): Promise<void> {
  around.google.replaceKey()
  await changePrice(around)
  await waitUntil(around, async () => (await readChanges(around)).trouble !== null, 'the old key is refused')
  writeKey(around)
  await follow(around, readCommand(KEY))
  await waitForShownPrice(around, 'a visitor sees the change that waited for the new key')
  await waitForRest(around)
}

async function readFull(around: Surroundings): Promise<readonly string[]> {
  const before = await readDigests(around)
  const steps = await demandFullRead(around, () => follow(around, 'npm run notify -- --full'))
  requireThat(
    (await readDigests(around)) === before,
    'the objects after the full read differ from those that the Worker had stored',
  )
  return steps
}

async function runNightly(around: Surroundings): Promise<void> {
  const { site, github } = around
  const { length } = github.runs
  await changeSilently(around)
  await site.versions.runSchedule()
  await waitForShownPrice(around, 'a visitor sees the changed price, although no notice named the seller')
  await demandGreen(around)
  requireThat(
    github.runs.length === length + 1,
    `${github.runs.length - length} workflows have run instead of one`,
  )
  await demandNoBuilder(around, () => changeAndSee(around))
  await waitForRest(around)
  await follow(around, 'npm run status')
  await demandAllPages(around)
}

/** Changes the price. Returns the time until a visitor sees the change, in milliseconds. */
async function changeAndSee(around: Surroundings): Promise<number> {
  const start = performance.now()
  await changePrice(around)
  await waitForShownPrice(around, 'a visitor sees the changed price')
  return performance.now() - start
}

/** Throws if the work starts a workflow or uploads a version. */
async function demandNoBuilder<Result>(around: Surroundings, work: () => Promise<Result>): Promise<Result> {
  const { github, cloudflare } = around
  const [{ length: runs }, { length: versions }] = [github.runs, cloudflare.versions]
  const result = await work()
  await waitForWorkflows(around)
  requireThat(github.runs.length === runs, 'a workflow was started, although the change needs no builder')
  requireThat(
    cloudflare.versions.length === versions,
    'a version was uploaded, although the change needs no builder',
  )
  return result
}

async function readChanges(around: Surroundings): Promise<NonNullable<Status['changes']>> {
  const { changes } = await around.readStatus()
  requireThat(
    changes != null,
    'the status has no field "changes": the Worker does not run with DISPATCH=queue yet',
  )
  return changes
}

/** Returns the names and data digests of all sellers' objects as JSON. Throws if an object is missing. */
async function readDigests({ site, values }: Surroundings): Promise<string> {
  const secrets = [values['REBUILD_SECRET'] ?? '']
  const { readTags } = createObjectClient(createCoordinatorClient({ url: site.origin, secrets }))
  const { objects } = await readTags({ names: REHEARSED_SELLERS })
  requireThat(
    objects.every(({ digest }) => digest !== null),
    'a seller has no object in the bucket',
  )
  return JSON.stringify(objects.map(({ name, digest }) => [name, digest]))
}

/**
 * Stores the current key of the service account in the key file, as a person downloads it from the console of the
 * Firebase project, and in `values`.
 */
function writeKey({ checkout, google, values }: Surroundings): void {
  values[KEY] = google.keyFile
  writeFileSync(join(checkout, KEY_FILE), google.keyFile)
}
