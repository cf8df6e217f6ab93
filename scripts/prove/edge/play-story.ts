/** Plays random stories. At the end of each, ends all faults and checks the answer of every address. */
import type { StoryOptions } from '../find-failing-story.ts'
import { findFailingStory, reportHappenings } from '../find-failing-story.ts'
import type { StoryEdge } from './edge.ts'
import { createStories } from './stories/create-stories.ts'
import type { EdgeHappening, EdgeStory } from './stories/happenings.ts'
import type { EdgeStage } from './players.ts'
import { Players } from './players.ts'
import { comeToRest } from './rest.ts'
import type { Task } from './traffic.ts'
import { listKeys, EdgeWorld } from './world.ts'

interface EdgeSetup {
  /** Max parts of a story. A part is one happening or one scene. */
  readonly length: number
  readonly areCrashesCheap: boolean
  readonly openEdge: () => Promise<StoryEdge>
}

/** Plays random stories until a check fails. Returns that story; `null` if all stories pass. */
export function findWrongAnswer(
  { length, areCrashesCheap, openEdge }: EdgeSetup,
  options: StoryOptions,
): Promise<string | null> {
  const play = async (story: EdgeStory, tell: (line: string) => void): Promise<void> => {
    const { happenings, ...kind } = story
    tell(`begin: ${JSON.stringify(kind)}`)
    reportHappenings(happenings, tell)
    const edge = await openEdge()
    await playStory(story, edge).finally(() => edge.close())
  }
  return findFailingStory(createStories(length, areCrashesCheap), play, options)
}

async function playStory(story: EdgeStory, edge: StoryEdge): Promise<void> {
  const world = new EdgeWorld(story)
  const players = new Players(world, edge, await listKeys())
  const stage = { world, players, edge }
  if (story.isFilled) await fill(stage)
  for (const one of story.happenings) {
    world.now += 1
    await happen(one, stage)
    await world.traffic.quiet()
  }
  await comeToRest(stage)
}

async function fill({ world, players, edge }: EdgeStage): Promise<void> {
  const edits = [
    { profile: '1', name: 'Eva' },
    { product: 'p1', owner: '1', price: 1 },
  ] as const
  for (const made of edits)
    await edit(
      { kind: 'edit', edit: made, isSilent: false, isHalf: false, isLate: false },
      { world, players, edge },
    )
  for (const builder of players.builders.values())
    await world.traffic.proceed(players.build(builder, true), null)
}

async function happen(one: EdgeHappening, stage: EdgeStage): Promise<void> {
  const { world, players } = stage
  if ('steps' in one) {
    const task = start(one, stage)
    if (task === null) return
    await world.traffic.proceed(task, one.steps, 'fate' in one ? one.fate : 'good')
    if ('next' in one && one.next !== undefined)
      await world.traffic.proceed(task, one.next.steps, one.next.fate)
  } else if (one.kind === 'edit') await edit(one, stage)
  else if (one.kind === 'die' || one.kind === 'hang up') {
    const builder = players.builders.get(one.builder)
    if (one.kind === 'die' && builder !== undefined) await players.die(builder)
    else if (builder?.task != null) await world.traffic.hangUp(builder.task)
  } else if (one.kind === 'crash') await players.crash()
  else if (one.kind === 'allow') await world.traffic.proceed(players.allow(), null)
  else if (one.kind === 'hand over') await players.handOver(one.isQueue)
  else change(one, world)
}

/** Applies a happening that concerns no task. */
function change(one: EdgeHappening, world: EdgeWorld): void {
  const { queue } = world
  if (one.kind === 'switch') world.switchTo(one.code)
  else if (one.kind === 'switch is through') world.answering = [world.code]
  else if (one.kind === 'store fails' || one.kind === 'store works')
    world.isStoreDown = one.kind === 'store fails'
  else if (one.kind === 'evict') world.evict()
  else if (one.kind === 'time') world.now += one.ms
  else if (one.kind === 'source fails') queue.trouble = one
  else if (one.kind === 'source works') queue.trouble = null
  else if (one.kind === 'grow') queue.large.add(one.seller)
  else if (one.kind === 'shrink') queue.large.delete(one.seller)
  else if (one.kind === 'lose change') queue.take(one.pick, 1).forEach((message) => queue.forget(message))
  else if (one.kind === 'bury change') queue.take(one.pick, 1).forEach((message) => (message.isBuried = true))
}

async function edit(
  { edit: made, isLate = false, ...telling }: Extract<EdgeHappening, { kind: 'edit' }>,
  { world, players }: EdgeStage,
): Promise<void> {
  const notice = world.queue.announce(world.source.edit(made, telling))
  if (notice === null || !world.isQueued || isLate) return
  await world.traffic.proceed(players.changes.notice(notice, false), null)
}

type Started = Extract<EdgeHappening, { steps: unknown }>

/** Starts a task, or finds the one to continue; returns `null` if there is none. */
function start(one: Started, { world, players }: EdgeStage): Task | null {
  const { traffic, queue } = world
  if (one.kind === 'visit') return players.visit(one.path, world.by(one.center, one.isOlder))
  if (one.kind === 'repeat') return players.repeat(one.pick, one.center)
  if (one.kind === 'go') return traffic.waiting.at(one.pick % Math.max(1, traffic.waiting.length)) ?? null
  if (one.kind === 'alarm') return players.changes.alarm()
  if (one.kind === 'deliver') return players.changes.deliver(one)
  if (one.kind === 'notice') {
    const notice = queue.notices[one.pick % Math.max(1, queue.notices.length)]
    return notice === undefined ? null : players.changes.notice(notice, one.isRepeated)
  }
  const builder = players.builders.get(one.builder)
  return builder === undefined ? null : players.build(builder, one.isWhole)
}
