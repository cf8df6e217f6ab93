/** The acts of a live site of objects: changes of data and code, faults, repairs. */
import type { Act } from './acts.ts'
import { changePrice, demand, demandGreen, demandSameLive, follow, showsPrice, waitUntil } from './acts.ts'
import { BAD, edit, GOOD, isBad } from './edit-code.ts'
import { MOVES } from './move-acts.ts'
import { demandAllPages } from './objects-path.ts'
import { QUEUE_ACTS } from './queue-acts.ts'
import { SEARCH_ACTS } from './search-acts.ts'
import type { Surroundings } from './surroundings.ts'

/** With the home page. */
const OBJECTS = 4
/** As docs/operate.md says for a state that may be older than the live site. */
const PENDING = 'npm run rebuild -- --pending --deploy'
const FULL = 'npm run rebuild -- --full --deploy'

/** Before the bad code landed. */
let good = ''

export const OBJECT_ACTS: readonly Act[] = [
  { title: 'a change: trigger, coordinator, workflow, visitor; nothing is deployed', run: changeData },
  ...SEARCH_ACTS,
  { title: 'changed code: right at once, then every object is rendered again', run: changeCode },
  { title: 'a rollback: the earlier code over the newest data', run: rollBack },
  { title: 'while publishing is held, data is delivered', run: deliverHeld },
  { title: 'an upload fails: data is delivered all the same', run: failUpload },
  { title: 'released and mended: the next build goes live', run: mend },
  { title: 'the nightly run finds a change that no notice named', run: runNightly },
  { title: 'an object and then the bucket deleted by hand are healed', run: heal },
  ...MOVES,
  ...QUEUE_ACTS,
]

async function changeData(around: Surroundings): Promise<readonly string[]> {
  const { length } = around.cloudflare.versions
  await changePrice(around, 72_002)
  await waitUntil(() => showsPrice(around, 72_002), 'a visitor sees the changed price')
  const steps = await demandGreen(around)
  demand(around.cloudflare.versions.length === length, 'a version was uploaded for a change of data')
  const { objects } = await around.readStatus()
  demand((objects?.latency.count ?? 0) > 0, 'the status knows no time from accepted to live')
  return steps
}

async function changeCode(around: Surroundings): Promise<readonly string[]> {
  good = around.cloudflare.live?.id ?? ''
  edit(around, GOOD, BAD)
  await around.github.push()
  const steps = await demandGreen(around)
  demand(around.cloudflare.live?.id !== good, 'no version was put live')
  demand(await isBad(around), 'the home page does not show the code that landed')
  await waitForRefill(around)
  await demandSameLive(around)
  return steps
}

async function rollBack(around: Surroundings): Promise<void> {
  await changePrice(around, 72_003)
  await waitUntil(() => showsPrice(around, 72_003), 'a visitor sees the changed price')
  await demandGreen(around)
  await follow(around, `npm run deploy -- --rollback --to ${good}`)
  demand(around.cloudflare.live?.id === good, 'Cloudflare has another version live')
  demand(!(await isBad(around)), 'the home page is still the bad one')
  demand(await showsPrice(around, 72_003), 'the rollback brought old data back')
  await waitForRefill(around)
}

async function deliverHeld(around: Surroundings): Promise<void> {
  await changePrice(around, 72_004)
  const { text } = await follow(around, 'npm run rebuild -- --deploy')
  demand(text.includes('publishing is held'), 'the command does not say that publishing is held')
  await waitUntil(() => showsPrice(around, 72_004), 'a visitor sees the changed price')
  demand(around.cloudflare.live?.id === good, 'a version was put live during the hold')
}

async function failUpload(around: Surroundings): Promise<void> {
  const { cloudflare } = around
  edit(around, BAD, GOOD)
  cloudflare.fail('version')
  try {
    await follow(around, 'npm run deploy -- --release')
    await changePrice(around, 72_005)
    const { text } = await follow(around, PENDING, 1)
    demand(text.includes('delivered all the same'), `the command says: ${text}`)
    await waitUntil(() => showsPrice(around, 72_005), 'a visitor sees the changed price')
    demand(cloudflare.live?.id === good, 'a version was put live')
    await around.github.rest()
  } finally {
    cloudflare.work()
  }
}

async function mend(around: Surroundings): Promise<void> {
  await follow(around, PENDING)
  demand(around.cloudflare.live?.id !== good, 'no version was put live')
  demand(!(await isBad(around)), 'the home page shows the bad code')
  await waitUntil(async () => {
    const { waiting, running } = await around.readStatus()
    return !waiting && running === null
  }, 'what waited is built')
  await demandGreen(around)
  await waitForRefill(around)
  await demandAllPages(around)
  await demandSameLive(around)
}

async function runNightly(around: Surroundings): Promise<readonly string[]> {
  const { trigger, site } = around
  const { secret } = trigger
  trigger.secret = null
  await changePrice(around, 72_006)
  trigger.secret = secret
  await site.runSchedule()
  await waitUntil(() => showsPrice(around, 72_006), 'a visitor sees the price that no notice named')
  const steps = await demandGreen(around)
  demand((await around.readStatus()).result?.full === true, 'the last build was no full read')
  return steps
}

async function heal(around: Surroundings): Promise<void> {
  for (const prefix of ['sellers/', '']) {
    demand((await around.site.deleteObjects('PAGES', prefix)) > 0, 'there was nothing to delete')
    const seesNothing = async (): Promise<boolean> => (await around.visit('/catalogo/ana')).status === 404
    await waitUntil(seesNothing, 'a visitor misses the page')
    await follow(around, FULL)
    await waitUntil(() => showsPrice(around, 72_006), 'a visitor sees the page again')
  }
  await demandAllPages(around)
}

async function waitForRefill(around: Surroundings): Promise<void> {
  await waitUntil(async () => {
    const { objects } = await around.readStatus()
    const refill = objects?.refill
    return refill != null && refill.done === refill.of && refill.failed === 0 && refill.rendered <= OBJECTS
  }, 'every object is rendered again')
}
