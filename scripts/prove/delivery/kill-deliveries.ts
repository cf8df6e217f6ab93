/** Kills `rebuild --deploy` at random instants, runs the command again, and compares the site with a clean build. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { formatCatalogueFile, formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import { inLanes } from '../../../src/domain/work/batches.ts'
import { createRandom } from '../../measure/random.ts'
import { fail } from '../difference.ts'
import type { DeliveryEnd, DeliverySite } from './delivery-site.ts'
import { MAX_AGE } from './delivery-site.ts'

interface KillOptions {
  readonly kills: number
  readonly seed: number
  readonly progress: (text: string) => void
}

interface KillFigures {
  readonly kills: number
  /** Kills that had no effect, because the command ended before them. */
  readonly late: number
  /** Kills of a running command that had begun a push of objects. */
  readonly partial: number
}

/** Share of kills timed from the start of the command. The others are timed from its first push. */
const BY_TIME = 0.3
/** Max milliseconds between the beginning of a push and the kill. A push takes about as long. */
const PUSH = 300
/** Max concurrent requests. */
const LANES = 16

export async function killDeliveries(site: DeliverySite, options: KillOptions): Promise<KillFigures> {
  const { kills, seed, progress } = options
  const random = createRandom(seed)
  site.edit(random)
  let usual = (await demandDelivered(site)).ms
  const figures = { kills: 0, late: 0, partial: 0 }
  for (; figures.kills < kills; figures.kills += 1) {
    progress(`${figures.kills} of ${kills} kills`)
    site.edit(random)
    const after = random.chance(BY_TIME) ? 'start' : 'push'
    const ms = random.below(Math.ceil(after === 'start' ? usual : PUSH))
    const { exit, pushes } = await site.deliver({ after, ms })
    if (exit !== null) figures.late += 1
    else if (pushes > 0) figures.partial += 1
    usual = (await demandDelivered(site)).ms
    await checkSite(site)
  }
  return figures
}

/**
 * Checks that a builder that has lost its state sends only the objects that differ from those in the store. Returns the
 * bytes sent after a change of `changed` sellers, and after a change of all sellers.
 */
export async function loseState(
  site: DeliverySite,
  changed: number,
): Promise<{ readonly all: number; readonly changed: number }> {
  rmSync(site.state, { recursive: true, force: true })
  const nothing = readDelivery(await demandDelivered(site))
  if (nothing.stored > 0 || nothing.bytes > 0)
    fail([
      `after the local state was deleted, ${nothing.stored} unchanged objects were sent (${nothing.bytes} bytes)`,
    ])
  rmSync(site.state, { recursive: true, force: true })
  site.editFirst(changed)
  const few = readDelivery(await demandDelivered(site))
  if (few.stored !== changed)
    fail([`after the local state was deleted, ${few.stored} objects were sent, but ${changed} had changed`])
  site.editFirst(site.sellers.length)
  const all = readDelivery(await demandDelivered(site))
  await checkSite(site)
  return { all: all.bytes, changed: few.bytes }
}

async function demandDelivered(site: DeliverySite): Promise<DeliveryEnd> {
  const delivered = await site.deliver()
  if (delivered.exit !== 0) fail([`the delivery ended with exit code ${delivered.exit}: ${delivered.words}`])
  return delivered
}

function readDelivery({ report }: DeliveryEnd): { readonly stored: number; readonly bytes: number } {
  return report?.delivery ?? { stored: 0, bytes: 0 }
}

/**
 * Compares the pages that visitors get with a clean build. Throws if a page differs, is missing or was not removed, or
 * if the coordinator counts a wrong number of sellers.
 */
async function checkSite({ origin, sellers, build }: DeliverySite): Promise<void> {
  const clean = await build()
  // Waits until every cached page has expired.
  await wait(1_000 * MAX_AGE + 100)
  const problems: string[] = []
  let present = 0
  await inLanes(sellers, LANES, async (id) => {
    const file = join(clean, formatCatalogueFile(id))
    const wanted = existsSync(file) ? readFileSync(file) : null
    const response = await fetch(origin + formatCataloguePath(id))
    const bytes = Buffer.from(await response.arrayBuffer())
    if (wanted !== null) present += 1
    if (response.status !== (wanted === null ? 404 : 200))
      problems.push(
        `the page of ${id} has status ${response.status} instead of ${wanted === null ? 404 : 200}`,
      )
    else if (wanted !== null && !bytes.equals(wanted))
      problems.push(`the page of ${id} differs from that of a clean build`)
  })
  const home = await (await fetch(origin)).text()
  if (home !== readFileSync(join(clean, 'index.html'), 'utf8'))
    problems.push('the home page differs from that of a clean build')
  const { sellers: counted } = (await (await fetch(`${origin}/estado.json`)).json()) as { sellers: number }
  if (counted !== present) problems.push(`the coordinator counts ${counted} sellers, but ${present} exist`)
  fail(problems)
}
