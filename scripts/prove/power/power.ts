/** Cuts the power at random instants during and after runs, and checks that the next runs repair the site. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Random } from '../../measure/random.ts'
import { createRandom } from '../../measure/random.ts'
import { checkOutput, runWell } from '../faults/check-output.ts'
import { explainDifference, fail } from '../difference.ts'
import type { Cut, PowerPlan } from './cut-power.ts'
import { cutPower } from './cut-power.ts'
import type { Mount } from './disk.ts'
import type { Documents } from '../site/documents.ts'
import { emptyFolder } from '../site/place.ts'
import type { PowerScenario } from './power-scenarios.ts'
import type { PreparedPower } from './prepare-power.ts'
import { createCleanFinder, openDiskSandbox, preparePower } from './prepare-power.ts'
import type { Sandbox } from '../faults/sandboxes.ts'
import { writeSandboxDocuments } from '../faults/sandboxes.ts'

interface PowerOptions {
  readonly scenarios: readonly PowerScenario[]
  /** Cuts in total. */
  readonly cuts: number
  readonly seed: number
  /** Max milliseconds from the end of a run to a cut after the run. */
  readonly window: number
  readonly progress: (text: string) => void
}

interface PowerFigures {
  readonly during: number
  readonly after: number
}

/** Max cuts per run, because the images of all cuts of a run exist at once, usually in memory. */
const CUTS_OF_A_RUN = 5
/** Probability that a run follows a killed run in the same boot. */
const KILLED = 0.3
const MOUNTS: readonly [Mount, Mount] = ['usual', 'harsh']

/** Throws a `Difference` that describes the first cut after which the site is not repaired. */
export async function provePower(sandbox: Sandbox, options: PowerOptions): Promise<PowerFigures> {
  const { scenarios, cuts, seed, window, progress } = options
  const random = createRandom(seed)
  const folder = emptyFolder(join(sandbox.folder, '../power'))
  const tools = { sandbox, folder, findClean: createCleanFinder(sandbox) }
  const figures = { during: 0, after: 0 }
  for (const [index, scenario] of scenarios.entries()) {
    const title = `scenario ${index + 1} of ${scenarios.length}: ${scenario.name}`
    progress(`preparing ${title}`)
    const prepared = await explainDifference(`scenario: ${scenario.name}`, () =>
      preparePower(scenario, tools),
    )
    const share =
      Math.floor((cuts * (index + 1)) / scenarios.length) - Math.floor((cuts * index) / scenarios.length)
    for (let left = share; left > 0; left -= CUTS_OF_A_RUN) {
      const plan = createPlan(Math.min(left, CUTS_OF_A_RUN), { random, ms: prepared.ms, window })
      for await (const { since } of cutAndCheck(prepared, plan, random.pick(MOUNTS))) {
        figures[since === 'start' ? 'during' : 'after'] += 1
        progress(`${figures.during + figures.after} cuts (${title})`)
      }
    }
  }
  return figures
}

// Squares the random delay after the end of the run, so that most of these cuts come soon after the end.
function createPlan(
  count: number,
  { random, ms, window }: { random: Random; ms: number; window: number },
): PowerPlan {
  const cuts = Array.from({ length: count }, (): Cut => {
    if (random.chance(0.5)) return { since: 'start', ms: random.below(Math.ceil(ms)) }
    return { since: 'end', ms: Math.floor((random.below(1000) / 1000) ** 2 * window) }
  })
  return {
    cuts: cuts.sort((a, b) => (a.since === b.since ? a.ms - b.ms : a.since === 'start' ? -1 : 1)),
    killAfter: random.chance(KILLED) ? random.below(Math.ceil(ms)) : null,
  }
}

/** Yields each cut after checking that the next runs repair the site. */
async function* cutAndCheck(prepared: PreparedPower, plan: PowerPlan, mount: Mount): AsyncGenerator<Cut> {
  const opened = openDiskSandbox(prepared, mount)
  const { scenario } = prepared
  const { cuts, killAfter } = plan
  const kill = killAfter === null ? '' : `, after a run that was killed after ${killAfter} ms`
  const where = `scenario: ${scenario.name}, on a disk with ${mount} options${kill}`
  try {
    const images = await explainDifference(where, () => cutPower(prepared, opened, plan))
    for (const [index, cut] of cuts.entries()) {
      opened.disk.insert(images[index] ?? '')
      const words = `${where}\nthe power is cut ${cut.ms} ms after the ${cut.since} of the run`
      await explainDifference(words, () => checkRepair(prepared, { ...opened.sandbox, boot: randomUUID() }))
      yield cut
    }
  } finally {
    opened.disk.eject()
  }
}

/**
 * At the cut, the source has the documents of `before` or of `next`. Runs a rebuild with these documents, then one with
 * the others. Checks both sites.
 */
async function checkRepair({ scenario, findClean }: PreparedPower, sandbox: Sandbox): Promise<void> {
  const { before, next } = scenario
  const run = async (documents: Documents): Promise<void> => {
    await runWell(sandbox, { ...next, documents, args: [] })
    checkOutput(sandbox.place, { clean: await findClean({ ...next, documents }) })
  }
  const found = [next.documents, before.documents].find((documents) => holds(sandbox.place.source, documents))
  if (found === undefined)
    return fail([
      'after the power cut, the source has neither the documents from before the run nor those of the run',
    ])
  await explainDifference('the run with the source as it was at the cut:', () => run(found))
  const other = found === next.documents ? before.documents : next.documents
  await writeSandboxDocuments(sandbox.place, found, other)
  await explainDifference('the second run after the cut, with other documents:', () => run(other))
}

function holds(source: string, documents: Documents): boolean {
  // Opens for writing, because SQLite may have to roll back a journal that remained after the cut.
  const database = new DatabaseSync(source)
  try {
    const rows = database.prepare('SELECT collection, id, data FROM documents').all()
    const isSame = (row: (typeof rows)[number]): boolean =>
      documents.get(`${String(row['collection'])}/${String(row['id'])}`)?.text === row['data']
    return rows.length === documents.size && rows.every(isSame)
  } catch {
    // The cut has damaged the file, or removed it.
    return false
  } finally {
    database.close()
  }
}
