/** The acts after the documented path: changes, faults and repairs of a live site. */
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
import { readCommands } from './read-operate.ts'
import { REPAIRS } from './repair-acts.ts'
import { SEARCH_ACTS } from './search-acts.ts'
import type { Surroundings } from './surroundings.ts'

export const LATER: readonly Act[] = [
  {
    title: 'a change: trigger, coordinator, workflow, visitor',
    run: async (around) => {
      await changePrice(around, 71_002)
      await waitUntil(() => showsPrice(around, 71_002), 'a visitor sees the changed price')
      demand(around.trigger.problem === null, `the trigger says: ${around.trigger.problem}`)
      return demandGreen(around)
    },
  },
  ...SEARCH_ACTS,
  {
    title: 'the nightly run finds a change that no notice named',
    run: async (around) => {
      const { secret } = around.trigger
      around.trigger.secret = null
      await changePrice(around, 71_003)
      around.trigger.secret = secret
      await around.site.runSchedule()
      await waitUntil(() => showsPrice(around, 71_003), 'a visitor sees the price that no notice named')
      await demandGreen(around)
      await demandSameLive(around)
    },
  },
  {
    title: 'a full read asked for by hand is done',
    run: async (around) => {
      const run = await around.github.startByHand('rebuild.yml', { full: true, 'fresh-state': true })
      demand(run.steps.length > 5, 'the workflow has too few steps')
      const steps = await demandGreen(around)
      demand((await around.readStatus()).result?.full === true, 'the last build was no full read')
      return steps
    },
  },
  { title: 'an upload fails: the site stays, and the next try publishes', run: failUpload },
  ...REPAIRS,
  { title: 'staging: a second site beside this one', run: stageSite },
]

async function failUpload(around: Surroundings): Promise<void> {
  const { cloudflare, github } = around
  const { length } = github.runs
  cloudflare.fail('version')
  try {
    await changePrice(around, 71_010)
    await waitUntil(() => github.runs.length > length, 'a workflow ran')
    demand(github.runs.at(-1)?.steps.some(({ isDone }) => !isDone) === true, 'the failed upload is green')
    demand(!(await showsPrice(around, 71_010)), 'a visitor sees what was not uploaded')
  } finally {
    cloudflare.work()
  }
  await follow(around, 'npm run notify -- <seller>')
  await waitUntil(() => showsPrice(around, 71_010), 'the next try publishes')
  await demandGreen(around)
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
  demand(status === 200 && text.includes('Staging'), `the home page of staging answers ${status}`)
  demand(await showsPrice(around, 71_005, staging), 'the catalogue of staging has another price')
  demand(cloudflare.live?.id === production, 'the production site was touched')
  await demandSameLive(around)
}
