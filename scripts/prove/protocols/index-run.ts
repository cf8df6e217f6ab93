/** Model of a run, step by step: a builder reads the source, publishes, and feeds the index. */
import type { Random } from '../../measure/random.ts'
import {
  type Builder,
  type BuilderState,
  createRun,
  type IndexRule,
  type Put,
  putRow,
  type Run,
  type RunStep,
  INDEXED_SELLERS,
  type IndexWorld,
} from './index-world.ts'

interface Turn {
  readonly builder: Builder
  readonly state: BuilderState
  readonly run: Run
  readonly world: IndexWorld
  readonly random: Random
  readonly without: IndexRule | null
}

/** Takes the next step of the builder's run. Begins a run first if there is none. */
export function advanceRun(
  builder: Builder,
  world: IndexWorld,
  random: Random,
  without: IndexRule | null,
): void {
  builder.run ??= createRun(false)
  const { state, run } = builder
  const next = STEPS[run.next]({ builder, state, run, world, random, without })
  if (next === null) builder.run = null
  else run.next = next
}

/** Each function returns the step that follows; `null` ends the run. */
const STEPS: Record<RunStep, (turn: Turn) => RunStep | null> = {
  claim: ({ state, run, world, random }) => {
    world.sequence += 1
    run.upTo = world.sequence
    run.isFull =
      run.isForced || (world.hasFullReads && random.below(4) === 0) || state.claimed < world.fullReadAt
    run.named = INDEXED_SELLERS.filter((seller) => (world.noticed[seller] ?? 0) > state.claimed)
    return 'read'
  },
  read: ({ state, run, world, without }) => {
    for (const seller of run.isFull ? INDEXED_SELLERS : run.named) {
      const differs = state.data[seller] !== world.source[seller]
      state.data[seller] = world.source[seller] ?? 0
      const isNamed =
        run.named.includes(seller) &&
        without !== 'a seller named in a claim waits for the index even if her data is unchanged'
      if (differs || isNamed) state.waits[seller] = true
    }
    state.claimed = run.upTo
    return 'publish'
  },
  publish: ({ state, run, world }) => {
    if (state.claimed < world.live.claimed) return null
    world.publishes += 1
    state.publish = world.publishes
    world.live = { publish: world.publishes, claimed: state.claimed, data: [...state.data] }
    if (run.isFull) world.fullReadAt = Math.max(world.fullReadAt, run.upTo)
    return 'save'
  },
  save: ({ builder, state, random }) => {
    if (random.below(4) > 0) builder.saved = structuredClone(state)
    return 'begin'
  },
  begin: (turn) => {
    const { state, run, world, without } = turn
    const isAsked = run.isFull && !run.isCompared && without !== 'a full read compares the index'
    if (!isAsked && state.index === world.index.life) return startFeed(turn)
    if (without !== 'a comparison begins with a new epoch') {
      world.epochs += 1
      world.index.epoch = world.epochs
    }
    run.life = world.index.life
    return 'compare'
  },
  compare: (turn) => {
    const { state, run, world } = turn
    if (run.life !== world.index.life) return 'begin'
    for (const seller of INDEXED_SELLERS) {
      if (world.index.rows[seller]?.data !== state.data[seller]) state.waits[seller] = true
    }
    run.isCompared = true
    state.index = run.life
    return startFeed(turn)
  },
  see: (turn) => {
    const { state, run, world } = turn
    const { epoch, life, rows } = world.index
    if (state.index !== life) return 'begin'
    run.puts = INDEXED_SELLERS.filter((seller) => state.waits[seller]).map((seller) => ({
      seller,
      tag: rows[seller]?.tag ?? 0,
      epoch,
      data: state.data[seller] ?? 0,
    }))
    return asksFirst(turn) ? 'put' : 'ask'
  },
  ask: (turn) => {
    const { state, world, without } = turn
    const isLive = world.live.publish === state.publish
    if (isLive || without === 'a builder asks whether its publish is live')
      return asksFirst(turn) ? 'see' : 'put'
    if (without === 'a seller waits until a feed has put her data') state.waits.fill(false)
    return null
  },
  put: (turn) => {
    const { state, run, without } = turn
    const put = run.puts.shift()
    if (put === undefined) return continueFeed(turn)
    const isPut = send(turn, put)
    if (isPut || without === 'a seller waits until a feed has put her data') state.waits[put.seller] = false
    return 'put'
  },
}

function asksFirst({ without }: Turn): boolean {
  return without === 'a builder reads tags before it asks whether its publish is live'
}

function startFeed(turn: Turn): RunStep {
  return asksFirst(turn) ? 'ask' : 'see'
}

function continueFeed(turn: Turn): RunStep | null {
  if (turn.state.index !== turn.world.index.life) return 'begin'
  return turn.state.waits.includes(true) ? startFeed(turn) : null
}

/**
 * Sends a put. Returns whether the builder learns that the put succeeded. One in four answers is lost; such a put
 * arrives later, or a second time.
 */
function send({ world, random, without }: Turn, put: Put): boolean {
  const isLost = random.below(4) === 0
  if (isLost) world.calls.push(put)
  const arrives = !isLost || random.chance(0.5)
  return arrives && putRow(world, put, without) && !isLost
}
