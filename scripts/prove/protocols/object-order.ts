/**
 * Model of how several writers keep one object in R2 up to date without locks, clocks or sequences: a writer sees the
 * object, then reads the source, then puts if the object is still the one that it saw. Documents change with a notice
 * that may be late, or without a notice; messages are lost, duplicated or delayed; writers stall at any step. At the
 * end, the object has the newest data.
 */
import type { Random } from '../../measure/random.ts'
import { type Protocol, playRandomly, takeRandom } from './protocol.ts'

const RULES = {
  'a put is conditional': 1087,
  'the object is seen before the source is read': 10224,
  'a writer puts its data even if the object has the same data': 1921,
  'a writer whose put is rejected begins again': 84,
  'a writer clears only changes noticed before its message was sent': 290715,
  'the bytes of an object hold a version': 38875,
}
type Rule = keyof typeof RULES

export const objectOrder: Protocol<Rule> = { name: 'writers of an object', rules: RULES, play }

type Step = 'see' | 'read' | 'put' | 'end'

interface StoredObject {
  readonly data: number
  readonly version: number
}

interface Writer {
  readonly kind: 'worker' | 'builder'
  /** Sequence of the last change that the writer's message covers. */
  readonly upTo: number
  /** Index of the writer's next step in the order of steps. */
  step: number
  seen: StoredObject
  data: number
}

interface World {
  source: number
  /** Whether there is an edit without a notice that no builder has read yet. */
  isUnnoticed: boolean
  /** Number of notices that have not arrived yet. */
  notices: number
  /**
   * `changes`: sequence of the last notice at the coordinator. `pending`: the same until a writer whose message covers
   * that notice has ended; then `null`.
   */
  changes: number
  pending: number | null
  object: StoredObject
  readonly messages: number[]
  readonly writers: Writer[]
}

/** Few different values, so that an older value often returns. */
const VALUES: readonly [number, ...number[]] = [0, 1, 0, 1, 2, 0]
const ROUNDS_TO_REST = 300

function play(random: Random, without: Rule | null): boolean {
  const object = { data: 0, version: 0 }
  const world: World = {
    source: 0,
    isUnnoticed: false,
    notices: 0,
    changes: 0,
    pending: null,
    object,
    messages: [],
    writers: [],
  }
  const happenings = createHappenings(world, random, without)
  playRandomly(
    happenings,
    ['write', 'edit', 'notice', 'send', 'deliver', 'build', 'advance', 'advance', 'advance'],
    50,
    random,
  )
  comeToRest(world, random, happenings)
  return world.object.data === world.source
}

function createHappenings(world: World, random: Random, without: Rule | null) {
  const advance = createAdvance(world, without)
  return {
    write: () => {
      world.source = random.pick(VALUES)
      world.notices += 1
    },
    edit: () => {
      world.source = random.pick(VALUES)
      world.isUnnoticed = true
    },
    notice: () => {
      if (world.notices === 0) return
      world.notices -= 1
      world.changes += 1
      world.pending = world.changes
    },
    send: () => {
      if (world.pending !== null) world.messages.push(world.changes)
    },
    deliver: () => {
      const upTo = takeRandom(world.messages, random)
      if (upTo === undefined) return
      if (random.below(3) === 0) world.messages.push(upTo)
      if (random.below(5) > 0) startWriter(world, 'worker', upTo)
    },
    build: () => startWriter(world, 'builder', 0),
    advance: () => {
      const writer = world.writers[random.below(world.writers.length)]
      if (writer !== undefined) advance(writer)
    },
  }
}

function startWriter(world: World, kind: Writer['kind'], upTo: number): void {
  world.writers.push({ kind, upTo, step: 0, seen: world.object, data: 0 })
}

function createAdvance(world: World, without: Rule | null): (writer: Writer) => void {
  const order: readonly Step[] =
    without === 'the object is seen before the source is read'
      ? ['read', 'see', 'put', 'end']
      : ['see', 'read', 'put', 'end']
  const steps: Record<Step, (writer: Writer) => void> = {
    see: (writer) => {
      writer.seen = world.object
    },
    read: (writer) => {
      writer.data = world.source
      if (writer.kind === 'builder') world.isUnnoticed = false
    },
    put: (writer) => {
      if (!put(world, writer, without) && without !== 'a writer whose put is rejected begins again')
        writer.step = -1
    },
    end: (writer) => {
      world.writers.splice(world.writers.indexOf(writer), 1)
      if (writer.kind === 'builder' || world.pending === null) return
      const isCovered = world.pending <= writer.upTo
      if (isCovered || without === 'a writer clears only changes noticed before its message was sent')
        world.pending = null
    },
  }
  return (writer) => {
    steps[order[writer.step] ?? 'end'](writer)
    writer.step += 1
  }
}

/**
 * With all rules, returns `false` if another writer has changed the object since this writer saw it. R2's tag is a hash
 * of the bytes, so a put of the same data changes the tag only because the bytes hold a version.
 */
function put(world: World, { seen, data }: Writer, without: Rule | null): boolean {
  if (without === 'a writer puts its data even if the object has the same data' && seen.data === data)
    return true
  const isTagSame =
    without === 'the bytes of an object hold a version'
      ? world.object.data === seen.data
      : world.object.version === seen.version
  if (!isTagSame && without !== 'a put is conditional') return false
  world.object = { data, version: world.object.version + 1 }
  return true
}

/**
 * Delivers all notices, sends pending changes until they are done, starts builders for edits without a notice, and lets
 * all writers end.
 */
function comeToRest(world: World, random: Random, happenings: ReturnType<typeof createHappenings>): void {
  for (let round = 0; round < ROUNDS_TO_REST; round += 1) {
    happenings.notice()
    if (world.isUnnoticed && !world.writers.some(({ kind }) => kind === 'builder')) happenings.build()
    if (world.messages.length === 0 && world.writers.length === 0) happenings.send()
    const upTo = world.messages.shift()
    if (upTo !== undefined) startWriter(world, 'worker', upTo)
    for (let step = 0; step < 12 && random.below(12) > 0; step += 1) happenings.advance()
  }
  while (world.writers.length > 0) happenings.advance()
}
