/** Opens the coordinator of a story on a given SQLite database and clock. Runs in Node and in workerd. */
import type { ChangeLedger, ChangeMessage } from '../../../../src/edge/coordinator/change-ledger.ts'
import { acceptNotice } from '../../../../src/edge/coordinator/accept-notice.ts'
import {
  findChangeTime,
  planMessages,
  takeBackMessages,
} from '../../../../src/edge/coordinator/changes/send-changes.ts'
import { isOpen, waitsForBuilder } from '../../../../src/edge/coordinator/feed-row.ts'
import type { Ledger } from '../../../../src/edge/coordinator/ledger.ts'
import { openLocalLedger } from '../../../../src/edge/coordinator/storage/local-ledger.ts'
import { parseSettings } from '../../../../src/edge/coordinator/coordinator-settings.ts'
import type { ObjectLedger } from '../../../../src/edge/coordinator/object-ledger.ts'
import type { Sql } from '../../../../src/edge/coordinator/storage/sql.ts'
import type { StoryWaiting } from '../edge.ts'
import type { StoryNotice } from '../stories/story-queue.ts'

/** The coordinator's methods that a story's Worker calls. */
export interface StoryLedger extends ObjectLedger, ChangeLedger {
  announce(notice: StoryNotice): Promise<void>
  /**
   * Makes a version live. `isQueue`: whether that version renders changes itself. If the previous version had another
   * value, pending changes move from builders to the Worker, or from the Worker to builders.
   */
  open(isQueue: boolean): Promise<void>
  /** Starts the leases of the messages to send now, and returns these messages. */
  claimDue(): Promise<readonly ChangeMessage[]>
  /** Reports messages that the queue rejected, so that their changes are due again. */
  takeBack(messages: readonly ChangeMessage[]): Promise<void>
  readWaiting(): Promise<StoryWaiting>
}

const { settings } = parseSettings({})

/** `transact` runs its argument and returns the result. On the local runtime, it does so in one transaction. */
export function openStoryLedger(
  sql: Sql,
  now: () => number,
  transact: <Answer>(work: () => Answer) => Answer,
): StoryLedger {
  const calls = openLocalLedger({
    sql,
    now: now(),
    transact: (work) => transact(() => work({ now: now(), random: 0.5, settings })),
  })
  calls.open(true)
  return {
    ...calls,
    open: async (isQueue) => calls.open(isQueue),
    announce: async (notice) => void calls.take(acceptNotice, { ...notice, isFull: false }),
    claimDue: async () => calls.take(planMessages, null),
    takeBack: async (messages) =>
      calls.take(takeBackMessages, { messages, reason: 'the queue fails in this story' }),
    readWaiting: async () => calls.read(readWaiting),
  }
}

/**
 * Returns the status of changes. Throws if the coordinator's counts differ from its rows, or if sellers wait for a
 * builder and none will be started.
 */
function readWaiting(ledger: Ledger): StoryWaiting {
  const { waiting, pending, published, unclaimed } = ledger.readStanding()
  const rows = ledger.listChanged(-1).flatMap((seller) => ledger.findRow(seller) ?? [])
  const counted = [rows.filter(isOpen), rows.filter((row) => waitsForBuilder(row, published))]
  const lengths = counted.map(({ length }) => length).join()
  if (lengths !== `${waiting},${pending}`)
    throw new Error(
      `the coordinator counts ${waiting} pending changes for the Worker and ${pending} for builders, but its rows show ${lengths.replace(',', ' and ')}`,
    )
  if (pending > 0 && unclaimed === null)
    throw new Error(`${pending} sellers wait for a builder, but none will be started`)
  const left = ledger.listPhase('large').filter(({ changed }) => changed > published)
  return { waiting, left: left.map(({ seller }) => seller), nextAt: findChangeTime(ledger) }
}
