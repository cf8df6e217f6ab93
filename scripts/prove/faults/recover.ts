/** Checks that the runs after a faulty run, with the old or the new data, produce the same sites as clean builds. */
import type { Goal } from './check-output.ts'
import { EXIT } from '../../../src/builder/commands/exit-codes.ts'
import { formatCatalogueFile } from '../../../src/domain/pages/paths.ts'
import { checkOutput, checkWhole, runWell } from './check-output.ts'
import { explainDifference, fail } from '../difference.ts'
import type { Sandbox } from './sandboxes.ts'
import { runInSandbox, writeSandboxDocuments } from './sandboxes.ts'
import type { Prepared } from './prepare-scenario.ts'
import { readSiteIfThere } from './prepare-scenario.ts'

/** The data that the source has at each run after the faulty one, in order. */
export type RecoveryOrder = readonly ('old' | 'new')[]

export async function checkRecovery(
  prepared: Prepared,
  sandbox: Sandbox,
  order: RecoveryOrder,
): Promise<void> {
  const { before, after, sites } = prepared
  checkWhole(readSiteIfThere(sandbox.place.output), sites)
  const goals: Record<'old' | 'new', Goal> = { old: before, new: after }
  let written = after.spec.documents
  for (const data of order) {
    const goal = goals[data]
    const { documents } = goal.spec
    await writeSandboxDocuments(sandbox.place, written, documents)
    written = documents
    await explainDifference(`the run with the ${data} data after the faulty run:`, async () => {
      await runToEnd(sandbox, goal)
      checkOutput(sandbox.place, goal)
    })
  }
}

/**
 * Runs the rebuild of the goal. If the faulty run has completed the removal of a named seller, the rebuild refuses the
 * name as unknown. In that case, runs it again with the remaining names.
 */
async function runToEnd(sandbox: Sandbox, { spec, clean }: Goal): Promise<void> {
  const run = await runInSandbox(sandbox, spec)
  if (run.exit === EXIT.done) return
  const { args } = spec
  const isSettled = (seller: string | undefined): boolean => !clean.has(formatCatalogueFile(seller ?? ''))
  const remaining = args.filter(
    (arg, index) =>
      !(arg === '--seller' && isSettled(args[index + 1])) &&
      !(args[index - 1] === '--seller' && isSettled(arg)),
  )
  if (run.exit !== EXIT.usage || remaining.length === args.length)
    fail([`a run without a fault ended with exit code ${run.exit}: ${run.words.trim()}`])
  await runWell(sandbox, { ...spec, args: remaining })
}
