/** Plays a story, then lets all faults end and checks every address. Throws a `Difference`. */
import type { StoryEdge } from './edge.ts'
import type { Happening, Story } from './happenings.ts'
import type { Stage } from './players.ts'
import { Players } from './players.ts'
import { comeToRest } from './rest.ts'
import type { Task } from './traffic.ts'
import { listKeys, World } from './world.ts'

export async function playStory(story: Story, edge: StoryEdge): Promise<void> {
  const world = new World(story)
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

async function fill({ world, players }: Stage): Promise<void> {
  world.source.edit({ profile: '1', name: 'Eva' }, false)
  world.source.edit({ product: 'p1', owner: '1', price: 1 }, false)
  for (const builder of players.builders.values())
    await world.traffic.proceed(players.build(builder, true), null)
  await world.traffic.proceed(players.switchTo('a'), null)
}

async function happen(one: Happening, stage: Stage): Promise<void> {
  const { world, players } = stage
  const task = 'steps' in one ? start(one, stage) : null
  if (task !== null && 'steps' in one)
    return world.traffic.proceed(task, one.steps, 'fate' in one ? one.fate : 'good')
  if (one.kind === 'edit') world.source.edit(one.edit, one.isSilent)
  else if (one.kind === 'die' || one.kind === 'hang up') {
    const builder = players.builders.get(one.builder)
    if (one.kind === 'die' && builder !== undefined) await players.die(builder)
    else if (builder?.task != null) await world.traffic.hangUp(builder.task)
  } else if (one.kind === 'switch is through') world.answering = [world.code]
  else if (one.kind === 'store fails' || one.kind === 'store works')
    world.isStoreDown = one.kind === 'store fails'
  else if (one.kind === 'lose') world.messages.splice(one.pick % Math.max(1, world.messages.length), 1)
  else if (one.kind === 'evict') world.evict()
  else if (one.kind === 'crash') await players.crash()
  else if (one.kind === 'time') world.now += one.ms
}

/** `null`: there is nothing to start, or to go on with. */
function start(one: Extract<Happening, { steps: unknown }>, { world, players }: Stage): Task | null {
  if (one.kind === 'visit') return players.visit(one.path, world.by(one.center, one.isOlder))
  if (one.kind === 'repeat') return players.repeat(one.pick, one.center)
  if (one.kind === 'switch') return players.switchTo(one.code)
  if (one.kind === 'message') return players.message(one.pick, one)
  if (one.kind === 'go') {
    const { waiting } = world.traffic
    return waiting.at(one.pick % Math.max(1, waiting.length)) ?? null
  }
  const builder = players.builders.get(one.builder)
  return builder === undefined ? null : players.build(builder, one.isWhole)
}
