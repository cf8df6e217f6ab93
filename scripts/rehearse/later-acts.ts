/** What comes after the documented path: changes, faults and repairs in the life of a site. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Act } from './acts.ts'
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
import { readSteps } from './read-operate.ts'
import type { Stage } from './stage.ts'

/** In milliseconds, with the start of npm and Node. */
const ROLLBACK_LIMIT = 10_000
const GOOD = "'Inicio'"
const BAD = "'Roto'"
const MESSAGES = 'src/domain/messages.ts'

/** Before the bad code landed. */
let good = ''

export const LATER: readonly Act[] = [
  {
    title: 'a change: trigger, coordinator, workflow, visitor',
    run: async (stage) => {
      await changePrice(stage, 71_002)
      await waitUntil(() => showsPrice(stage, 71_002), 'a visitor sees the changed price')
      return demandGreen(stage)
    },
  },
  {
    title: 'the nightly run finds a change that no notice named',
    run: async (stage) => {
      const { secret } = stage.trigger
      stage.trigger.secret = null
      await changePrice(stage, 71_003)
      stage.trigger.secret = secret
      await stage.site.runSchedule()
      await waitUntil(() => showsPrice(stage, 71_003), 'a visitor sees the price that no notice named')
      await demandGreen(stage)
      await demandSameLive(stage)
    },
  },
  {
    title: 'a full read asked for by hand is done',
    run: async (stage) => {
      const run = await stage.github.startByHand('rebuild.yml', { full: true, 'fresh-state': true })
      demand(run.steps.length > 5, 'the workflow has too few steps')
      const steps = await demandGreen(stage)
      demand((await stage.readStatus()).result?.full === true, 'the last build was no full read')
      return steps
    },
  },
  { title: 'a bad version goes live from the main branch', run: landBadCode },
  { title: 'a changed secret: the old one is accepted too', run: changeSecret },
  { title: 'a rollback over the changed secret', run: rollBack },
  { title: 'released and mended: the next build goes live', run: mend },
  { title: 'a rollback while /api hangs', run: rollBackWhileHanging },
  { title: 'a repair while /api is down', run: repair },
]

async function landBadCode(stage: Stage): Promise<readonly string[]> {
  good = stage.cloudflare.live?.id ?? ''
  edit(stage, GOOD, BAD)
  await stage.github.push()
  const steps = await demandGreen(stage)
  demand(await isBad(stage), 'the home page does not show the code that landed')
  return steps
}

async function changeSecret(stage: Stage): Promise<void> {
  const { values, repository } = stage
  const [worker, people] = readSteps('Change the secret')
  values['REBUILD_SECRET_PREVIOUS'] = values['REBUILD_SECRET'] ?? ''
  values['REBUILD_SECRET'] = createSecret()
  for (const line of worker?.commands ?? []) await follow(stage, line)
  demand(
    people?.settings.includes('REBUILD_SECRET_PREVIOUS') === true,
    'the docs do not say where else the old secret is kept',
  )
  const both = {
    REBUILD_SECRET: values['REBUILD_SECRET'],
    REBUILD_SECRET_PREVIOUS: values['REBUILD_SECRET_PREVIOUS'],
  }
  writeSettings(stage, both)
  Object.assign(repository.secrets, both)
  // The trigger signs with the old secret still.
  await changePrice(stage, 71_004)
  await waitUntil(() => showsPrice(stage, 71_004), 'a notice signed with the old secret arrives')
  await demandGreen(stage)
}

async function rollBack(stage: Stage): Promise<void> {
  await follow(stage, 'npm run deploy -- --versions')
  const { ms } = await follow(stage, `npm run deploy -- --rollback --to ${good}`)
  demand(stage.cloudflare.live?.id === good, 'Cloudflare has another version live')
  demand(!(await isBad(stage)), 'the home page is still the bad one')
  demand(ms <= ROLLBACK_LIMIT, `it took ${Math.round(ms)} ms`)
  const { publishing } = await stage.readStatus()
  demand(publishing.held !== null, 'publishing is not held')
  const said = await follow(stage, 'npm run status', 1)
  demand(/held/i.test(said.text), 'the status does not say that publishing is held')
}

async function mend(stage: Stage): Promise<void> {
  edit(stage, BAD, GOOD)
  await follow(stage, 'npm run deploy -- --release')
  await waitUntil(() => showsPrice(stage, 71_004), 'the pages of before the rollback are live again')
  await demandGreen(stage)
  demand(!(await isBad(stage)), 'the home page shows the bad code')
  const { secrets } = stage.cloudflare.live ?? {}
  demand(
    secrets?.get('REBUILD_SECRET')?.text === stage.values['REBUILD_SECRET'],
    'the new version has the old secret',
  )
  await demandSameLive(stage)
}

async function rollBackWhileHanging(stage: Stage): Promise<void> {
  const before = stage.cloudflare.live?.id
  stage.site.outage = 'hanging'
  try {
    const { ms } = await follow(stage, 'npm run deploy -- --rollback', 1)
    demand(stage.cloudflare.live?.id !== before, 'the version of before is still live')
    demand(ms <= ROLLBACK_LIMIT, `it took ${Math.round(ms)} ms`)
  } finally {
    stage.site.outage = null
  }
  await follow(stage, 'npm run deploy -- --hold')
  await demandSameLive(stage)
  await follow(stage, 'npm run deploy -- --release')
  await waitUntil(async () => !(await isBad(stage)), 'the good pages are live again')
  await demandGreen(stage)
}

async function repair(stage: Stage): Promise<void> {
  stage.site.outage = 'failing'
  try {
    stage.trigger.secret = null
    await changePrice(stage, 71_005)
    await follow(stage, 'npm run rebuild')
    await follow(stage, 'npm run deploy -- --force')
    demand(await showsPrice(stage, 71_005), 'a visitor does not see the repair')
  } finally {
    stage.site.outage = null
    stage.trigger.secret = stage.values['REBUILD_SECRET'] ?? null
  }
  await follow(stage, 'npm run deploy')
  await demandSameLive(stage)
}

/** Whether the home page shows the code of the bad version. */
async function isBad(stage: Stage): Promise<boolean> {
  return (await stage.visit('/')).text.includes(BAD.slice(1, -1))
}

/** Changes a sentence of the site on the main branch. */
function edit({ checkout }: Stage, from: string, to: string): void {
  const file = join(checkout, MESSAGES)
  const text = readFileSync(file, 'utf8')
  demand(text.includes(from), `${MESSAGES} has no ${from}`)
  writeFileSync(file, text.replaceAll(from, to))
}
