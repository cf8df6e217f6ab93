/**
 * The acts of a live site of files, after the documented path: changes, faults, repairs, and a second site for staging.
 */
import type { Scene } from './acts.ts'
import {
  changePrice,
  changeSilently,
  createSecret,
  requireThat,
  demandFullRead,
  demandGreen,
  demandNoFailure,
  demandSameLive,
  findFailure,
  follow,
  showsPrice,
  waitForShownPrice,
  waitForRun,
  waitForWorkflows,
  waitUntil,
  writeSettings,
} from './acts.ts'
import { DOMAIN_ACTS } from './domain-acts.ts'
import { readCommands } from './read-operate.ts'
import { REPAIRS } from './repair-acts.ts'
import { SEARCH_ACTS } from './search-acts.ts'
import type { Surroundings } from './surroundings.ts'

export const LATER: readonly Scene[] = [
  [{ title: 'a change: trigger, coordinator, workflow, visitor', run: changeData }],
  SEARCH_ACTS,
  [{ title: 'the nightly run finds a change that no notice named', run: runNightly }],
  [{ title: 'a full read that is started by hand is published', run: readFull }],
  [{ title: 'an upload fails: the site stays, and the next try publishes', run: failUpload }],
  ...REPAIRS,
  DOMAIN_ACTS,
  [{ title: 'staging: a second site next to this one', run: stageSite }],
]

async function changeData(around: Surroundings): Promise<readonly string[]> {
  await changePrice(around)
  await waitForShownPrice(around, 'a visitor sees the changed price')
  requireThat(
    around.trigger.problem === null,
    `the trigger could not send its notice: ${around.trigger.problem}`,
  )
  return demandGreen(around)
}

async function runNightly(around: Surroundings): Promise<void> {
  // Deletes the saved state, because the nightly run must succeed without it.
  around.github.evictState()
  await changeSilently(around)
  await around.site.versions.runSchedule()
  await waitForShownPrice(around, 'a visitor sees the price that no notice named')
  await demandGreen(around)
  await demandSameLive(around)
}

function readFull(around: Surroundings): Promise<readonly string[]> {
  const inputs = { full: true, 'fresh-state': true }
  return demandFullRead(around, async () => {
    demandNoFailure([await waitForRun(around, around.github.startByHand(inputs))])
  })
}

async function failUpload(around: Surroundings): Promise<void> {
  const { cloudflare, github } = around
  const { length } = github.runs
  cloudflare.fail('version')
  try {
    await changePrice(around)
    await waitUntil(around, () => github.runs.length > length, 'a workflow ran')
    const [run] = github.runs.slice(length)
    requireThat(
      run !== undefined && findFailure(run) !== undefined,
      'the workflow succeeded although its upload failed',
    )
    requireThat(!(await showsPrice(around)), 'a visitor sees the changed price, although its upload failed')
    await waitForWorkflows(around)
  } finally {
    cloudflare.work()
  }
  const tried = github.runs.length
  await follow(around, 'npm run notify -- <seller>')
  await waitForShownPrice(around, 'a visitor sees the changed price after the next try')
  await demandGreen(around, tried)
}

async function stageSite(around: Surroundings): Promise<void> {
  const { staging, values, cloudflare } = around
  const production = cloudflare.live?.id
  const secret = createSecret()
  values['REBUILD_SECRET --env staging'] = secret
  const settings = { SITE_URL: staging.origin, SITE_NAME: 'Staging', REBUILD_SECRET: secret }
  writeSettings(around, settings, '.env.staging')
  for (const line of readCommands('Staging')) await follow(around, line)
  const { status, text } = await around.visit('/', staging)
  requireThat(
    status === 200 && text.includes('Staging'),
    `the home page of staging must have status 200 and contain "Staging"; its status is ${status}`,
  )
  requireThat(await showsPrice(around, staging), 'the catalogue of staging does not show the last price')
  requireThat(
    cloudflare.live?.id === production,
    'publishing staging changed the live version of the production site',
  )
  await demandSameLive(around)
}
