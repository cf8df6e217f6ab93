/** The acts of a live site of objects. The rehearsal plays them after the ten documented steps that set up the site. */
import type { Scene } from './acts.ts'
import {
  changePrice,
  changeSilently,
  requireThat,
  demandFullRead,
  demandGreen,
  demandNoFailure,
  demandSameLive,
  findFailure,
  follow,
  showsPrice,
  waitForShownPrice,
  waitForRest,
  waitForWorkflows,
  waitUntil,
} from './acts.ts'
import { BAD, editSentence, GOOD, isBad, landBadCode } from './edit-code.ts'
import { MOVES } from './move-acts.ts'
import { demandAllPages } from './objects-path.ts'
import { QUEUE_ACTS } from './queue-acts.ts'
import { SEARCH_ACTS } from './search-acts.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * Commands of docs/operate.md: one for a builder whose state may be older than the live site, and one that reads and
 * compares everything.
 */
const PENDING = 'npm run rebuild -- --pending --deploy'
const FULL = 'npm run rebuild -- --full --deploy'

export const OBJECT_ACTS: readonly Scene[] = [
  [{ title: 'a change: trigger, coordinator, workflow, visitor; nothing is deployed', run: changeData }],
  SEARCH_ACTS,
  [
    { title: 'changed code: every page shows it at once', run: changeCode },
    { title: 'a rollback: the earlier code over the newest data', run: rollBack },
    { title: 'while publishing is held, data is delivered', run: deliverHeld },
    { title: 'an upload fails: data is delivered all the same', run: failUpload },
    { title: 'the hold ends and the code is mended: the next build goes live', run: mend },
  ],
  [{ title: 'the nightly run finds a change that no notice named', run: runNightly }],
  [{ title: 'objects deleted by hand are restored: those of sellers, then all', run: heal }],
  MOVES,
  QUEUE_ACTS,
]

async function changeData(around: Surroundings): Promise<readonly string[]> {
  const { length } = around.cloudflare.versions
  await changePrice(around)
  await waitForShownPrice(around, 'a visitor sees the changed price')
  const steps = await demandGreen(around)
  requireThat(around.cloudflare.versions.length === length, 'a version was uploaded for a change of data')
  const { objects } = await around.readStatus()
  requireThat(
    (objects?.latency.count ?? 0) > 0,
    'the status does not show how long a change took from its accepted notice to its live page',
  )
  return steps
}

async function changeCode(around: Surroundings): Promise<readonly string[]> {
  const steps = await landBadCode(around)
  requireThat(around.cloudflare.live?.id !== around.good.version, 'no version was put live')
  await demandSameLive(around)
  return steps
}

async function rollBack(around: Surroundings): Promise<void> {
  await changePrice(around)
  await waitForShownPrice(around, 'a visitor sees the changed price')
  await demandGreen(around)
  await follow(around, `npm run deploy -- --rollback --to ${around.good.version}`)
  requireThat(
    around.cloudflare.live?.id === around.good.version,
    'the live version at Cloudflare is not the one that the rollback named',
  )
  requireThat(!(await isBad(around)), 'the home page still shows the text of the bad version')
  requireThat(await showsPrice(around), 'the rollback brought old data back')
}

async function deliverHeld(around: Surroundings): Promise<void> {
  await changePrice(around)
  await waitForShownPrice(around, 'a visitor sees the changed price')
  await demandGreen(around)
  requireThat(around.cloudflare.live?.id === around.good.version, 'a version was put live during the hold')
}

/**
 * Releases the hold while uploads fail, then changes a price: during the hold, the change alone would start a workflow.
 * The workflow builds with changed data and mended code, and must deliver the data although its upload fails.
 */
async function failUpload(around: Surroundings): Promise<void> {
  const { cloudflare, github } = around
  const { length } = github.runs
  editSentence(around, BAD, GOOD)
  cloudflare.fail('version')
  try {
    await follow(around, 'npm run deploy -- --release')
    await changePrice(around)
    await waitUntil(around, () => github.runs.length > length, 'a workflow ran')
    const [run] = github.runs.slice(length)
    const said = run === undefined ? '' : findFailure(run)?.said
    requireThat(
      said?.includes('delivered all the same') === true,
      `the workflow must report that data was delivered although the upload failed, but its output is: ${said}`,
    )
    await waitForShownPrice(around, 'a visitor sees the changed price')
    requireThat(
      cloudflare.live?.id === around.good.version,
      'a version was put live although its upload failed',
    )
    await waitForWorkflows(around)
  } finally {
    cloudflare.work()
  }
}

async function mend(around: Surroundings): Promise<void> {
  const { length } = around.github.runs
  await follow(around, PENDING)
  requireThat(around.cloudflare.live?.id !== around.good.version, 'no version was put live')
  requireThat(!(await isBad(around)), 'the home page still shows the text of the bad version')
  await waitForRest(around)
  demandNoFailure(around.github.runs.slice(length))
  await demandAllPages(around)
  await demandSameLive(around)
}

async function runNightly(around: Surroundings): Promise<readonly string[]> {
  await changeSilently(around)
  return demandFullRead(around, async () => {
    await around.site.versions.runSchedule()
    await waitForShownPrice(around, 'a visitor sees the price that no notice named')
  })
}

async function heal(around: Surroundings): Promise<void> {
  for (const prefix of ['sellers/', '']) {
    requireThat(
      (await around.site.versions.deleteObjects('PAGES', prefix)) > 0,
      'the bucket has no objects to delete',
    )
    const seesNothing = async (): Promise<boolean> => (await around.visit('/catalogo/ana')).status === 404
    await waitUntil(around, seesNothing, 'the page of a deleted object answers with status 404')
    await follow(around, FULL)
    await waitForShownPrice(around, 'a visitor sees the page again')
  }
  await demandAllPages(around)
}
