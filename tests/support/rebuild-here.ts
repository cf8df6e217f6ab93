/** Runs a rebuild in this process: what the command does, without its start and its words. */
import { parseCommand } from '../../src/builder/commands/program.ts'
import { openWorld } from '../../src/builder/commands/rebuild/open-world.ts'
import type { RebuildReport } from '../../src/builder/commands/rebuild/rebuild-report.ts'
import { createRebuildReport } from '../../src/builder/commands/rebuild/rebuild-report.ts'
import { command } from '../../src/builder/commands/rebuild/run-rebuild.ts'
import { rebuild } from '../../src/builder/rebuild/rebuild.ts'
import type { RebuildPlace } from './rebuild.ts'
import { listFlags, WITHOUT_PICTURES } from './rebuild.ts'

/** Throws the error with which the command fails. */
export async function rebuildHere(
  place: Omit<RebuildPlace, 'project' | 'signal'>,
  ...options: readonly string[]
): Promise<RebuildReport> {
  const environment = { ...process.env, ...WITHOUT_PICTURES, ...place.env }
  const parsed = parseCommand({ definition: command }, [...listFlags(place), ...options], environment)
  if (parsed === null) throw new Error('the options ask for help only')
  const world = await openWorld(parsed, () => {})
  try {
    return createRebuildReport(await rebuild(world), 0)
  } finally {
    world.close()
  }
}
