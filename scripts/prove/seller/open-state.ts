/** A site of the proof: it is built by the command's own code, and feeds an index as a publish does. */
import { parseCommand } from '../../../src/builder/commands/program.ts'
import type { BuildOptions } from '../../../src/builder/commands/options.ts'
import { command } from '../../../src/builder/commands/rebuild/run-rebuild.ts'
import { openEntries } from '../../../src/builder/commands/search/open-entries.ts'
import type { ReadEntry } from '../../../src/builder/publish/search/put-sellers.ts'
import { openSnapshot } from '../../../src/builder/state/snapshot/open-snapshot.ts'
import type { Snapshot } from '../../../src/builder/state/snapshot/snapshot.ts'
import type { SitePlace } from '../site/place.ts'
import { findState } from '../site/place.ts'
import type { StoryInputs } from '../site/run-request.ts'

export interface OpenState {
  readonly snapshot: Snapshot
  /** Reads what the index should have of a seller. */
  readonly read: ReadEntry
}

/** Returns the options of a rebuild at this place. */
export function readOptions(place: SitePlace, { settings }: Pick<StoryInputs, 'settings'>): BuildOptions {
  const flags = ['--source', place.source, '--out', place.output, '--state', place.state]
  const options = parseCommand({ definition: command }, flags, settings)
  if (options === null) throw new Error('the options ask for help only')
  return options
}

/** Opens the state that a rebuild has left. */
export async function withState<Result>(
  place: SitePlace,
  { configuration }: BuildOptions,
  work: (state: OpenState) => Promise<Result>,
): Promise<Result> {
  const snapshot = openSnapshot(findState(place, 'snapshot'))
  const entries = openEntries({ configuration, state: place.state }, snapshot)
  try {
    return await work({ snapshot, read: entries.read })
  } finally {
    entries.close()
    snapshot.close()
  }
}
