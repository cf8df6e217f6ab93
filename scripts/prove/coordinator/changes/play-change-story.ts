/**
 * Plays a story of changes with the real steps of the coordinator, then lets all faults end. Throws at a broken
 * promise.
 */
import { retryHeld } from '../../../../src/edge/coordinator/changes/release-changes.ts'
import { demand } from '../world.ts'
import { waitsForBuilder } from '../../../../src/edge/coordinator/feed-row.ts'
import type { StoryOptions } from '../../find-failing-story.ts'
import { findFailingStory, tellHappenings } from '../../find-failing-story.ts'
import type { ChangeHappening } from './change-happenings.ts'
import { CHANGE_STORIES } from './change-happenings.ts'
import { ChangeWorld } from './change-world.ts'

/** Alarms after which a story without further faults must have ended. */
const MAX_ALARMS = 60

/** Plays random stories until a promise is broken. Returns that story, `null` if there is none. */
export function findBrokenChange(options: StoryOptions): Promise<string | null> {
  return findFailingStory(CHANGE_STORIES, play, options)
}

function play(story: readonly ChangeHappening[], tell: (line: string) => void): void {
  tellHappenings(story, tell)
  const world = new ChangeWorld()
  for (const one of story) {
    world.twin.now += 1
    happen(one, world)
    checkRemembered(world)
  }
  settle(world)
  const { pending, failed, oldest, waiting, changes } = world.twin.status()
  demand(world.listLacking().length === 0, `never went live: ${world.listLacking().join(', ')}`)
  demand(pending === 0 && failed === 0 && oldest === null && !waiting, 'something waits though all is live')
  demand(changes === null || changes.sent === 0, 'a lease is left though all is live')
  world.twin.database.close()
}

function happen(one: ChangeHappening, world: ChangeWorld): void {
  if (one.kind === 'notice') world.notify(one.sellers, one.isRepeated)
  else if (one.kind === 'move') world.move(one.sellers)
  else if (one.kind === 'full') world.askForFull()
  else if (one.kind === 'alarm') world.fire(one.isTaken)
  else if (one.kind === 'deliver') world.deliver(one.at, one.isDoubled)
  else if (one.kind === 'end') world.end(one.at, one.luck, one.isRepeated)
  else if (one.kind === 'claim') world.claim()
  else if (one.kind === 'report') world.report()
  else if (one.kind === 'die') world.die()
  else if (one.kind === 'release') world.twin.take(retryHeld, null)
  else if (one.kind === 'time') world.twin.now += one.ms
  else world.restart(one.kind === 'switch' ? !world.isQueue : world.isQueue)
}

/** Noticed versions that are not live are remembered, the coordinator will act on them, and its counters are right. */
function checkRemembered(world: ChangeWorld): void {
  const { twin } = world
  const open = twin.listOpen()
  const { standing } = twin
  demand(standing.waiting === open.length, `${standing.waiting} wait by count, ${open.length} by rows`)
  const waits = twin.calls.read((ledger) =>
    ledger
      .listChanged(-1)
      .flatMap((seller) => ledger.findRow(seller) ?? [])
      .filter((row) => waitsForBuilder(row, standing.published)),
  )
  demand(
    standing.pending === waits.length,
    `${standing.pending} sellers are counted for a builder, ${waits.length} wait`,
  )
  const isAwaited = world.alarm !== null || standing.lease !== null
  demand(isAwaited || world.listLacking().length === 0, `no alarm is set: ${world.listLacking().join(', ')}`)
}

/** From here on everything works. */
function settle(world: ChangeWorld): void {
  world.report()
  world.messages = []
  while (world.jobs.length > 0) world.end(0, 'put')
  for (let round = 0; round < MAX_ALARMS; round += 1) {
    const lease = world.twin.standing.lease?.until ?? null
    const time = lease ?? world.alarm
    if (time === null) return
    world.twin.now = Math.max(world.twin.now, time)
    world.fire(true)
    while (world.messages.length > 0) world.deliver(0, false)
    while (world.jobs.length > 0) world.end(0, 'put')
    world.claim()
    world.report()
    checkRemembered(world)
  }
  demand(false, `it did not come to rest within ${MAX_ALARMS} alarms`)
}
