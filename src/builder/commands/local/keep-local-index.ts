/** Updates the search index of the local edge after each rebuild, in the background. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readSentence } from '../../publish/publish-error.ts'
import { compareIndex } from '../../publish/search/compare-index.ts'
import type { SellerResult } from '../../publish/search/put-sellers.ts'
import { createFailureBudget } from '../../publish/coordinator/send-divided.ts'
import { putSellers } from '../../publish/search/put-sellers.ts'
import type { SearchClient } from '../../publish/search/search-client.ts'
import { openSnapshot } from '../../state/snapshot/open-snapshot.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import { SNAPSHOT } from '../rebuild/state-files.ts'
import type { EntriesOptions } from '../search/open-entries.ts'
import { openEntries } from '../search/open-entries.ts'

interface LocalIndex extends EntriesOptions {
  readonly client: SearchClient
  readonly warn: (line: string) => void
  /**
   * Called after each check of the state. If the check starts a comparison, the call comes after the comparison has
   * ended or failed.
   */
  readonly begun?: () => void
  /** Min milliseconds between two checks of the state. After a long comparison, the pause is longer: see `SHARE`. */
  readonly pause?: number
}

const PAUSE = 2_000
/** Min pause after a comparison, as a multiple of its duration. */
const SHARE = 5

/** Resolves when the signal aborts. Retries after a failure. Warns of a failure once for each state of the site. */
export async function keepLocalIndex(local: LocalIndex, signal: AbortSignal): Promise<void> {
  let [known, told] = ['', '']
  while (!signal.aborted) {
    const start = performance.now()
    const present = readPresent(local.state)
    if (present !== known) {
      const problem = await fillLocalIndex(local, signal).then(() => null, readSentence)
      if (problem === null) known = present
      else if (!signal.aborted && told !== present) {
        told = present
        local.warn(`The local search is not up to date: ${problem}`)
      }
    }
    local.begun?.()
    const pause = Math.max(local.pause ?? PAUSE, SHARE * (performance.now() - start))
    await wait(pause, undefined, { signal }).catch(() => {})
  }
}

/** Returns a text that differs after each change of the snapshot; empty without a snapshot. */
function readPresent(state: string): string {
  const file = join(state, SNAPSHOT)
  if (!existsSync(file)) return ''
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })
  return `${statSync(file).mtimeMs} ${log?.mtimeMs ?? 0}`
}

/** Compares the index with the snapshot once, and repairs sellers that differ. Does nothing without a snapshot. */
export async function fillLocalIndex(
  local: Omit<LocalIndex, 'warn' | 'begun' | 'pause'>,
  signal: AbortSignal,
): Promise<void> {
  const file = join(local.state, SNAPSHOT)
  if (!existsSync(file)) return
  const snapshot = openSnapshot(file)
  try {
    const entries = openEntries(local, snapshot)
    await compare(local, { snapshot, ...entries }, signal).finally(entries.close)
  } finally {
    snapshot.close()
  }
}

async function compare(
  { client }: Pick<LocalIndex, 'client'>,
  { snapshot, read }: { readonly snapshot: Snapshot } & Pick<ReturnType<typeof openEntries>, 'read'>,
  signal: AbortSignal,
): Promise<void> {
  // Each put is permitted, because the local index has no other writer.
  const world = { client, read, mayPut: async () => true, budget: createFailureBudget() }
  const repair = async (sellers: readonly string[]): Promise<readonly SellerResult[]> => {
    const all: SellerResult[] = []
    for await (const results of putSellers(sellers, world)) all.push(...results)
    return all
  }
  const { epoch, repaired } = await compareIndex({
    ...world,
    snapshot,
    repair,
    progress: () => {},
    signal,
  })
  await client.endComparison({ epoch, repaired })
}
