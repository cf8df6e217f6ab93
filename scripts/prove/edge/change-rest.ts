/**
 * Ends a story in which the Worker renders changes: delivers all notices and messages, permits refused removals, and
 * fires alarms until no change is pending. Then checks the objects.
 */
import { Difference } from '../difference.ts'
import type { EdgeStage } from './players.ts'
import { STORY_NAMES } from './stories/source.ts'
import { findIntake, takeIn } from './stories/story-renderer.ts'
import { digestValue } from './values.ts'
import { CODES } from './stories/happenings.ts'

/** Max alarms after all faults have ended; by then, every change must be settled. */
const MAX_ROUNDS = 200

export async function finishChanges(stage: EdgeStage): Promise<void> {
  const { world, players, edge } = stage
  const { queue, traffic } = world
  queue.trouble = null
  const notices = queue.notices.slice()
  for (const notice of notices) await traffic.proceed(players.changes.notice(notice, false), null)
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    await deliverAll(stage)
    const { waiting, nextAt } = await edge.readWaiting(world.now)
    if (waiting === 0 && queue.changes.length === 0) return
    if (waiting > 0 && nextAt === null) throw new Difference(`${waiting} changes wait, and no alarm is set`)
    // Allows the removals that the guard has refused, as a person would.
    if (round > 0) await traffic.proceed(players.allow(), null)
    world.now = Math.max(world.now + 1, nextAt ?? 0)
    await traffic.proceed(players.changes.alarm(), null)
  }
  const { waiting } = await edge.readWaiting(world.now)
  throw new Difference(`${waiting} changes still wait after ${MAX_ROUNDS} alarms`)
}

/** Delivers each message once. A message that is not acknowledged stays in the queue for the next round. */
async function deliverAll({ world, players }: EdgeStage): Promise<void> {
  const { queue, traffic } = world
  for (let left = queue.changes.length; left > 0; left -= 1) {
    const task = players.changes.deliver({
      pick: left - 1,
      count: 1,
      isRepeated: false,
      isOlder: false,
      next: undefined,
    })
    if (task !== null) await traffic.proceed(task, null)
  }
}

/**
 * Checks the data of each object: it must be what a version's intake makes of the documents after the object's last
 * reported edit, or after a later edit. An object that is left to a builder may have older data.
 */
export async function checkObjects({ world, edge }: EdgeStage): Promise<void> {
  const { source } = world
  const { result, ended } = edge.run('tags', { names: STORY_NAMES }, null, world.by('east'))
  const { objects } = await result
  await ended
  const { left } = await edge.readWaiting(world.now)
  for (const { name, digest } of objects) {
    const told = source.findNoticed(name)
    // No notice has reported an edit of this object, so its data may be outdated.
    if (told === 0) continue
    const values = source.listValues(name, told)
    const wanted = values.flatMap((value) => CODES.map((code) => takeIn(value, findIntake(code))))
    if (wanted.some((value) => digestValue(value) === digest)) continue
    if (world.queue.left.has(name) && left.includes(name)) continue
    const shown = JSON.stringify(world.held.find(name)?.value ?? null)
    throw new Difference(
      `once every change was settled, the object ${JSON.stringify(name)} has ${shown}\n  instead of ${wanted.map((value) => JSON.stringify(value)).join('\n  or ')}`,
    )
  }
}
