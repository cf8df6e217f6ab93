/**
 * Plays random stories with the real steps of the coordinator. Checks its guarantees during each story, and again after
 * all faults have ended.
 */
import type { StoryOptions } from '../find-failing-story.ts'
import { findFailingStory, reportHappenings } from '../find-failing-story.ts'
import { BuilderTwin } from './builder-twin.ts'
import type { Happening } from './happenings.ts'
import { BUILDERS, COORDINATOR_STORIES } from './happenings.ts'
import { checkRemembered, checkSettled } from './promises.ts'
import { demand, CoordinatorWorld } from './world.ts'

/** Max alarms that may fire after all faults have ended. */
const MAX_ALARMS = 40

interface Stage {
  readonly world: CoordinatorWorld
  readonly builders: ReadonlyMap<string, BuilderTwin>
  /**
   * `dispatch`: id of the build whose dispatch has no outcome yet; `null` for none. `sentAt`: time of the last dispatch
   * if it succeeded; `null` otherwise. A claim clears both.
   */
  dispatch: string | null
  sentAt: number | null
}

/** Plays random stories until one violates a guarantee of the coordinator. Returns that story; `null` if all pass. */
export function findBrokenPromise(options: StoryOptions): Promise<string | null> {
  return findFailingStory(COORDINATOR_STORIES, play, options)
}

function play(story: readonly Happening[], tell: (line: string) => void): void {
  reportHappenings(story, tell)
  const world = new CoordinatorWorld()
  const builders = new Map(BUILDERS.map((name) => [name, new BuilderTwin(world, name)]))
  const stage: Stage = { world, builders, dispatch: null, sentAt: null }
  for (const one of story) {
    world.twin.now += 1
    happen(one, stage)
    checkRemembered(world)
  }
  settle(stage)
  checkSettled(world)
  world.twin.database.close()
}

function happen(one: Happening, stage: Stage): void {
  const { world, builders } = stage
  const builder = 'builder' in one ? builders.get(one.builder) : undefined
  if (one.kind === 'work') builder?.work(one.luck, one.failing)
  else if (one.kind === 'build') builder?.build()
  else if (one.kind === 'renew') builder?.renew()
  else if (one.kind === 'die') builder?.die()
  else if (one.kind === 'restore') builder?.restore(one.age)
  else if (one.kind === 'deploy') builder?.deploy()
  else if (one.kind === 'force') builder?.force()
  else if (one.kind === 'notice') world.notify(one.sellers, one.isRepeated)
  else if (one.kind === 'silence') world.change(one.sellers)
  else if (one.kind === 'full') world.askForFull()
  else if (one.kind === 'report force') world.reportForced()
  else if (one.kind === 'hold') world.hold()
  else if (one.kind === 'release') world.release()
  else if (one.kind === 'roll back') world.rollBack(one.age, one.isPatient)
  else if (one.kind === 'alarm') ring(stage)
  else if (one.kind === 'dispatched') settleDispatch(stage, one.isSent, one.retryAfter)
  else if (one.kind === 'time') world.twin.now += one.ms
  else world.twin.restart()
  // A lease means that a builder has claimed, so no dispatch is pending.
  if (world.twin.standing.lease !== null) Object.assign(stage, { dispatch: null, sentAt: null })
}

/** Fires the alarm if its time has come. */
function ring(stage: Stage): void {
  const { twin } = stage.world
  if (twin.alarm === null || twin.alarm > twin.now) return
  const build = twin.planDispatch()
  if (build === null) return
  demand(twin.standing.lease === null, 'a builder was started during a build')
  const isEarly = stage.sentAt !== null && twin.now - stage.sentAt < twin.settings.start
  demand(!isEarly, 'a second builder was started before the first could claim')
  stage.dispatch = build
  stage.sentAt = null
}

function settleDispatch(stage: Stage, isSent: boolean, retryAfter: number): void {
  const { twin } = stage.world
  if (stage.dispatch === null) return
  twin.settleDispatch(stage.dispatch, isSent ? { isSent } : { isSent, reason: 'no', retryAfter })
  stage.sentAt = isSent ? twin.now : null
  stage.dispatch = null
}

/** Ends all faults, then fires alarms and runs builds until no alarm is set. */
function settle(stage: Stage): void {
  const { world, builders } = stage
  const { twin } = world
  for (const builder of builders.values()) builder.die()
  world.reportForced()
  world.release()
  for (let round = 0; round < MAX_ALARMS; round += 1) {
    if (twin.alarm === null) return
    twin.now = Math.max(twin.now, twin.alarm)
    ring(stage)
    settleDispatch(stage, true, 0)
    const builder = builders.get(BUILDERS[round % BUILDERS.length] ?? '')
    if (twin.standing.dispatch.sentAt === null || builder === undefined) continue
    builder.build()
    builder.die()
    stage.sentAt = null
    checkRemembered(world)
  }
  demand(false, `${MAX_ALARMS} alarms have fired since all faults ended, and an alarm is still set`)
}
