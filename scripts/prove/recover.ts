/** Checks that the runs after a faulty one make the sites of clean builds, whichever data they find. */
import type { Goal } from './check-output.ts'
import { checkOutput, checkWhole, runWell } from './check-output.ts'
import { explain } from './check-run.ts'
import type { Sandbox } from './sandboxes.ts'
import { writeSandboxDocuments } from './sandboxes.ts'
import type { Prepared } from './prepare-scenario.ts'
import { readSiteIfThere } from './prepare-scenario.ts'

/** The data of the following runs. */
export type Order = readonly ('old' | 'new')[]

export async function checkRecovery(prepared: Prepared, sandbox: Sandbox, order: Order): Promise<void> {
  const { before, after, sites } = prepared
  checkWhole(readSiteIfThere(sandbox.place.output), sites)
  const goals: Record<'old' | 'new', Goal> = { old: before, new: after }
  let written = after.spec.documents
  for (const data of order) {
    const goal = goals[data]
    const { documents } = goal.spec
    await writeSandboxDocuments(sandbox.place, written, documents)
    written = documents
    await explain(`the run with the ${data} data after it:`, async () => {
      await runWell(sandbox, goal.spec)
      checkOutput(sandbox.place, goal)
    })
  }
}
