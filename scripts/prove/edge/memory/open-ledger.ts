/** The coordinator of a story over any SQLite, with a clock of the story. Runs in Node and in workerd. */
import type { ChangeLedger, ChangeMessage } from '../../../../src/edge/coordinator/change-ledger.ts'
import { openParts } from '../../../../src/edge/coordinator/coordinator-parts.ts'
import { parseSettings } from '../../../../src/edge/coordinator/coordinator-settings.ts'
import type { ObjectLedger } from '../../../../src/edge/coordinator/object-ledger.ts'
import type { Sql } from '../../../../src/edge/coordinator/sql-ledger.ts'
import type { StoryWaiting } from '../edge.ts'
import type { StoryNotice } from '../stories/story-queue.ts'

/** The calls of a story's Worker. */
export interface StoryLedger extends ObjectLedger, ChangeLedger {
  announce(notice: StoryNotice): Promise<void>
  /** Gives the leases of the messages to send now. */
  claimDue(): Promise<readonly ChangeMessage[]>
  /** Tells that the queue did not take these. */
  takeBack(messages: readonly ChangeMessage[]): Promise<void>
  readWaiting(): Promise<StoryWaiting>
}

const { settings } = parseSettings({})

/** `transact` runs the work in one transaction. */
export function openStoryLedger(
  sql: Sql,
  now: () => number,
  transact: <Answer>(work: () => Answer) => Answer,
): StoryLedger {
  const { ledger, objects, changes } = openParts({
    sql,
    now: now(),
    isQueue: true,
    transact: (work) => transact(() => work({ now: now(), random: 0.5, settings })),
  })
  changes.open()
  return {
    ...objects,
    permit: async (call) => {
      const permission = await objects.permit(call)
      if (call.isShrinkAllowed) changes.retryHeld()
      return permission
    },
    takeChanges: (messages) => changes.takeChanges(messages),
    settleChanges: (settled) => changes.settleChanges(settled),
    noticeChanges: (sellers) => changes.noticeChanges(sellers),
    announce: async (notice) => void changes.accept([{ ...notice, isFull: false }]),
    claimDue: async () => changes.planMessages(),
    takeBack: async (messages) => changes.takeBack({ messages, reason: 'the queue fails in this story' }),
    readWaiting: async () => {
      const { standing, large } = changes.readFacts()
      const builders = new Set(ledger.listChanged(ledger.readStanding().published))
      const left = large.map(({ name }) => name).filter((name) => builders.has(name))
      return { waiting: standing.waiting, left, nextAt: changes.findTime() }
    },
  }
}
