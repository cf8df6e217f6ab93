/** After a run that was struck: the next ones must make the sites that clean builds make, whichever data they find. */
import type { Goal } from './check-output.ts'
import { checkOutput, checkWhole, runWell } from './check-output.ts'
import { explain } from './check-run.ts'
import type { Lane } from './lanes.ts'
import { writeLaneDocuments } from './lanes.ts'
import type { Prepared } from './prepare-scenario.ts'
import { readSiteIfThere } from './prepare-scenario.ts'

/** The data of the runs that follow. */
export type Order = readonly ('old' | 'new')[]

export async function checkRecovery(prepared: Prepared, lane: Lane, order: Order): Promise<void> {
  const { before, after, sites } = prepared
  checkWhole(readSiteIfThere(lane.place.output), sites)
  const goals: Record<'old' | 'new', Goal> = { old: before, new: after }
  let written = after.make.documents
  for (const data of order) {
    const goal = goals[data]
    const { documents } = goal.make
    await writeLaneDocuments(lane.place, written, documents)
    written = documents
    await explain(`the run with the ${data} data after it:`, async () => {
      await runWell(lane, goal.make)
      checkOutput(lane.place, goal)
    })
  }
}
