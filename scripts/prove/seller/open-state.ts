/** Opens the state of a built site, as a publish does. */
import { openPublishWorld } from '../../../src/builder/commands/deploy/open-publish-world.ts'
import { openEntries } from '../../../src/builder/commands/search/open-entries.ts'
import type { ReadEntry } from '../../../src/builder/publish/search/put-sellers.ts'
import { openSnapshot } from '../../../src/builder/state/snapshot/open-snapshot.ts'
import type { Snapshot } from '../../../src/builder/state/snapshot/snapshot.ts'
import { Difference } from '../difference.ts'
import { findState } from '../site/place.ts'
import { readOptions } from '../site/run-in-process.ts'
import type { RunRequest } from '../site/run-request.ts'

/** A built site: its folders, and the inputs that it was built from. */
export type AttackedState = Pick<RunRequest, 'place' | 'inputs'>

interface OpenState {
  readonly snapshot: Snapshot
  /** Returns the entry that the search index should have for a seller. */
  readonly read: ReadEntry
}

/** Opens the state of the last rebuild, runs `work` with it, and closes it. */
export async function withState<Result>(
  built: AttackedState,
  work: (state: OpenState) => Promise<Result>,
): Promise<Result> {
  const snapshot = openSnapshot(findState(built.place, 'snapshot'))
  const { configuration } = readOptions(built)
  const entries = openEntries({ configuration, state: built.place.state }, snapshot)
  try {
    return await work({ snapshot, read: entries.read })
  } finally {
    entries.close()
    snapshot.close()
  }
}

/** Checks that the site could be published, as `deploy --dry-run` does. */
export async function planDeploy(built: AttackedState): Promise<void> {
  try {
    const options = { ...readOptions(built), environment: {}, isVerify: true }
    const world = openPublishWorld({ ...options, progress: () => {} })
    await world.verify().finally(() => world.close())
  } catch (error) {
    throw new Difference(`the site cannot be published: ${String(error)}`, { cause: error })
  }
}
