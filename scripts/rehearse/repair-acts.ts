/** Bad code goes live, and the ways back: rollbacks, a mended build, and a repair without leave. */
import {
  changePrice,
  createSecret,
  demand,
  demandGreen,
  demandSameLive,
  follow,
  showsPrice,
  waitUntil,
  writeSettings,
} from './acts.ts'
import type { Act } from './acts.ts'
import { BAD, edit, GOOD, isBad } from './edit-code.ts'
import { readSteps } from './read-operate.ts'
import type { Surroundings } from './surroundings.ts'

/** In milliseconds, with the start of npm and Node. */
const ROLLBACK_LIMIT = 10_000
/** How long each answer of Cloudflare's API may take in a bad hour. */
const SLOW = 500

/** Before the bad code landed. */
let good = ''

export const REPAIRS: readonly Act[] = [
  { title: 'a bad version goes live from the main branch', run: landBadCode },
  { title: 'a changed secret: the old one is accepted too', run: changeSecret },
  { title: 'a rollback over the changed secret', run: rollBack },
  { title: 'released and mended: the next build goes live', run: mend },
  { title: 'a rollback while /api hangs', run: rollBackWhileHanging },
  { title: 'a repair while /api is down', run: repair },
]

async function landBadCode(around: Surroundings): Promise<readonly string[]> {
  good = around.cloudflare.live?.id ?? ''
  edit(around, GOOD, BAD)
  await around.github.push()
  const steps = await demandGreen(around)
  demand(await isBad(around), 'the home page does not show the code that landed')
  return steps
}

async function changeSecret(around: Surroundings): Promise<void> {
  const { values, repository } = around
  const [worker, people] = readSteps('Change the secret')
  values['REBUILD_SECRET_PREVIOUS'] = values['REBUILD_SECRET'] ?? ''
  values['REBUILD_SECRET'] = createSecret()
  for (const line of worker?.commands ?? []) await follow(around, line)
  demand(
    people?.settings.includes('REBUILD_SECRET_PREVIOUS') === true,
    'the docs do not say where else the old secret is kept',
  )
  const both = {
    REBUILD_SECRET: values['REBUILD_SECRET'],
    REBUILD_SECRET_PREVIOUS: values['REBUILD_SECRET_PREVIOUS'],
  }
  writeSettings(around, both)
  Object.assign(repository.secrets, both)
  // The trigger signs with the old secret still.
  await changePrice(around, 71_004)
  await waitUntil(() => showsPrice(around, 71_004), 'a notice signed with the old secret arrives')
  await demandGreen(around)
}

async function rollBack(around: Surroundings): Promise<void> {
  await follow(around, 'npm run deploy -- --versions')
  around.cloudflare.delay = SLOW
  const { ms } = await follow(around, `npm run deploy -- --rollback --to ${good}`).finally(() =>
    around.cloudflare.work(),
  )
  demand(around.cloudflare.live?.id === good, 'Cloudflare has another version live')
  demand(!(await isBad(around)), 'the home page is still the bad one')
  demand(ms <= ROLLBACK_LIMIT, `it took ${Math.round(ms)} ms`)
  const { publishing } = await around.readStatus()
  demand(publishing.held !== null, 'publishing is not held')
  const said = await follow(around, 'npm run status', 1)
  demand(/held/i.test(said.text), 'the status does not say that publishing is held')
}

async function mend(around: Surroundings): Promise<void> {
  edit(around, BAD, GOOD)
  await follow(around, 'npm run deploy -- --release')
  await waitUntil(() => showsPrice(around, 71_004), 'the pages of before the rollback are live again')
  await demandGreen(around)
  demand(!(await isBad(around)), 'the home page shows the bad code')
  const { secrets } = around.cloudflare.live ?? {}
  demand(
    secrets?.get('REBUILD_SECRET')?.text === around.values['REBUILD_SECRET'],
    'the new version has the old secret',
  )
  await demandSameLive(around)
}

async function rollBackWhileHanging(around: Surroundings): Promise<void> {
  const before = around.cloudflare.live?.id
  around.site.outage = 'hanging'
  try {
    const { ms } = await follow(around, 'npm run deploy -- --rollback', 1)
    demand(around.cloudflare.live?.id !== before, 'the version of before is still live')
    demand(ms <= ROLLBACK_LIMIT, `it took ${Math.round(ms)} ms`)
  } finally {
    around.site.outage = null
  }
  await follow(around, 'npm run deploy -- --hold')
  await demandSameLive(around)
  await follow(around, 'npm run deploy -- --release')
  await waitUntil(async () => !(await isBad(around)), 'the good pages are live again')
  await demandGreen(around)
}

/** From a machine that has built what is live: one with older changes is refused, also with force. */
async function repair(around: Surroundings): Promise<void> {
  await follow(around, 'npm run rebuild -- --pending --deploy')
  around.site.outage = 'failing'
  try {
    around.trigger.secret = null
    await changePrice(around, 71_005)
    await follow(around, 'npm run rebuild')
    await follow(around, 'npm run deploy -- --force')
    demand(await showsPrice(around, 71_005), 'a visitor does not see the repair')
  } finally {
    around.site.outage = null
    around.trigger.secret = around.values['REBUILD_SECRET'] ?? null
  }
  await follow(around, 'npm run deploy')
  await waitUntil(async () => {
    const { waiting, running } = await around.readStatus()
    return !waiting && running === null
  }, 'the build that follows a version without leave has ended')
  await demandGreen(around)
  await demandSameLive(around)
}
