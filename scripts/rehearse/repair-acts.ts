/**
 * Acts in which bad code goes live, a secret changes or a service fails, and the repairs: rollbacks, a mended build,
 * and a publish without the coordinator.
 */
import {
  changePrice,
  changeSilently,
  createSecret,
  requireThat,
  demandGreen,
  demandSameLive,
  follow,
  showsPrice,
  waitForShownPrice,
  writeSettings,
} from './acts.ts'
import type { Scene } from './acts.ts'
import { BAD, editSentence, GOOD, isBad, landBadCode } from './edit-code.ts'
import { formatCount } from '../../src/builder/format-numbers.ts'
import { readSteps } from './read-operate.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * Max calls of a rollback to Cloudflare's API and to the site's own `/api`. The number of calls shows that a rollback
 * is quick; its time would depend on the load of this machine. Each call to `/api` ends after 2.5 s without an answer,
 * and one of the three may fail because the new version resets the coordinator.
 */
const MOST_CALLS = { cloudflare: 5, site: 3 }
/** Delay of each answer of Cloudflare's API during a rollback, in milliseconds. */
const SLOW = 500

/** Commands that call the coordinator, with their exit codes when it cannot be reached. */
const CHALLENGED = [
  ['npm run status', 1],
  ['npm run notify -- <seller>', 3],
  ['npm run deploy', 3],
] as const

export const REPAIRS: readonly Scene[] = [
  [
    { title: 'a bad version goes live from the main branch', run: landBadCode },
    { title: 'a changed secret: the old one is accepted too', run: changeSecret },
    { title: 'a rollback to a version from before the secret was changed', run: rollBack },
    { title: 'the hold ends and the code is mended: the next build goes live', run: mend },
  ],
  [{ title: 'a rollback while /api hangs', run: rollBackWhileHanging }],
  [{ title: 'a repair while /api is down', run: repair }],
  [{ title: 'Cloudflare blocks builders as bots, and every command says so', run: challenge }],
]

async function changeSecret(around: Surroundings): Promise<void> {
  const { values, repository } = around
  const [worker, people] = readSteps('Change the secret')
  values['REBUILD_SECRET_PREVIOUS'] = values['REBUILD_SECRET'] ?? ''
  values['REBUILD_SECRET'] = createSecret()
  for (const line of worker?.commands ?? []) await follow(around, line)
  requireThat(
    people?.settings.includes('REBUILD_SECRET_PREVIOUS') === true,
    'the docs do not say where REBUILD_SECRET_PREVIOUS must be set',
  )
  const both = {
    REBUILD_SECRET: values['REBUILD_SECRET'],
    REBUILD_SECRET_PREVIOUS: values['REBUILD_SECRET_PREVIOUS'],
  }
  writeSettings(around, both)
  Object.assign(repository.secrets, both)
  // Checks that changes still reach visitors: the trigger signs with `NOTICE_SECRET`, which has not changed, and a
  // started builder has the new `REBUILD_SECRET`.
  await changePrice(around)
  await waitForShownPrice(around, 'a visitor sees the price that was changed after the secret')
  await demandGreen(around)
}

async function rollBack(around: Surroundings): Promise<readonly string[]> {
  await follow(around, 'npm run deploy -- --versions')
  around.cloudflare.delay = SLOW
  const calls = await countCalls(around, () =>
    follow(around, `npm run deploy -- --rollback --to ${around.good.version}`),
  ).finally(() => around.cloudflare.work())
  requireThat(
    around.cloudflare.live?.id === around.good.version,
    'the live version at Cloudflare is not the one that the rollback named',
  )
  requireThat(!(await isBad(around)), 'the home page still shows the text of the bad version')
  const { publishing } = await around.readStatus()
  requireThat(publishing.held !== null, 'publishing is not held')
  const said = await follow(around, 'npm run status', 1)
  requireThat(/held/i.test(said.text), 'the status does not say that publishing is held')
  return [calls]
}

/** Throws if the work makes more than `MOST_CALLS`. Returns the numbers of calls as text. */
async function countCalls({ cloudflare, site }: Surroundings, work: () => Promise<unknown>): Promise<string> {
  const before = { cloudflare: cloudflare.calls, site: site.calls }
  await work()
  const made = { cloudflare: cloudflare.calls - before.cloudflare, site: site.calls - before.site }
  const text = `${formatCount(made.cloudflare, 'call')} to Cloudflare, ${formatCount(made.site, 'call')} to /api`
  requireThat(
    made.cloudflare <= MOST_CALLS.cloudflare && made.site <= MOST_CALLS.site,
    `the rollback made too many calls: ${text}, but at most ${MOST_CALLS.cloudflare} and ${MOST_CALLS.site} are permitted`,
  )
  return text
}

async function mend(around: Surroundings): Promise<void> {
  editSentence(around, BAD, GOOD)
  await follow(around, 'npm run deploy -- --release')
  await demandGreen(around)
  requireThat(await showsPrice(around), 'the pages from before the rollback are not live again')
  requireThat(!(await isBad(around)), 'the home page still shows the text of the bad version')
  const { secrets } = around.cloudflare.live ?? {}
  requireThat(
    secrets?.get('REBUILD_SECRET')?.text === around.values['REBUILD_SECRET'],
    'the new version has the old secret',
  )
  await demandSameLive(around)
}

async function rollBackWhileHanging(around: Surroundings): Promise<readonly string[]> {
  const before = around.cloudflare.live?.id
  around.site.outage = 'hanging'
  const calls = await countCalls(around, () => follow(around, 'npm run deploy -- --rollback', 1)).finally(
    () => (around.site.outage = null),
  )
  requireThat(around.cloudflare.live?.id !== before, 'the rollback did not replace the live version')
  await follow(around, 'npm run deploy -- --hold')
  await demandSameLive(around)
  await follow(around, 'npm run deploy -- --release')
  await demandGreen(around)
  requireThat(!(await isBad(around)), 'the good pages are not live again')
  return [calls]
}

/**
 * Repairs the site from the machine that built the live version, because a machine with an older state is refused, even
 * with `--force`.
 */
async function repair(around: Surroundings): Promise<void> {
  await follow(around, 'npm run rebuild -- --pending --deploy')
  around.site.outage = 'failing'
  try {
    await changeSilently(around)
    await follow(around, 'npm run rebuild')
    await follow(around, 'npm run deploy -- --force')
    requireThat(await showsPrice(around), 'a visitor does not see the repair')
  } finally {
    around.site.outage = null
  }
  await follow(around, 'npm run deploy')
  // Waits for the build that starts because the forced version may lack changes that were published before it.
  await demandGreen(around)
  await demandSameLive(around)
}

/** Throws unless each command names Bot Fight Mode when Cloudflare blocks its call. */
async function challenge(around: Surroundings): Promise<void> {
  around.site.outage = 'challenging'
  try {
    for (const [line, code] of CHALLENGED) {
      const { text } = await follow(around, line, code)
      requireThat(
        text.includes('Bot Fight Mode'),
        `\`${line}\` must name Bot Fight Mode, but it says:\n${text}`,
      )
    }
  } finally {
    around.site.outage = null
  }
  await follow(around, 'npm run status')
}
