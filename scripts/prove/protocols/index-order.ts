/**
 * Model of how the search index of a site of files follows the live site: a builder reads the epoch of the index and
 * the tags of its waiting sellers, then asks whether its own publish is live, then puts each seller whose tag is
 * unchanged, if the epoch is unchanged too. In a story, two builders read edits with and without a notice; their states
 * are restored from older copies; their runs are cut off anywhere; the index is emptied; puts arrive late and twice. At
 * the end, after one more run (a full read, if the story has full reads), the index shows the live data, and the live
 * data equals the source.
 */
import type { Random } from '../../measure/random.ts'
import { advanceRun } from './index-run.ts'
import {
  type Builder,
  createRun,
  createIndexWorld,
  type IndexRule,
  putRow,
  INDEXED_SELLERS,
  type IndexWorld,
} from './index-world.ts'
import { type Protocol, playRandomly, takeRandom } from './protocol.ts'

const RULES: Readonly<Record<IndexRule, number>> = {
  'a put is conditional': 5,
  'a put of unchanged data changes the tag too': 94,
  'a builder asks whether its publish is live': 565,
  'a builder reads tags before it asks whether its publish is live': 1740,
  'a seller named in a claim waits for the index even if her data is unchanged': 22,
  'a seller waits until a feed has put her data': 57,
  'a comparison begins with a new epoch': 93970,
  'a full read compares the index': 38,
}

export const indexOrder: Protocol<IndexRule> = { name: 'builders of the index', rules: RULES, play }

/**
 * Rules whose absence full reads would hide, because full reads repair the index. A story that leaves out such a rule
 * has no full reads, but a notice for every edit.
 */
const HIDDEN_BY_FULL_READS: ReadonlySet<IndexRule | null> = new Set<IndexRule>([
  'a put of unchanged data changes the tag too',
  'a builder asks whether its publish is live',
  'a builder reads tags before it asks whether its publish is live',
  'a seller named in a claim waits for the index even if her data is unchanged',
  'a seller waits until a feed has put her data',
])
const MOST_STEPS = 500
/** Makes steps of runs the most likely happening. */
const LIKELY = Array.from({ length: 8 }, () => 'advance' as const)

function play(random: Random, without: IndexRule | null): boolean {
  const world = createIndexWorld({ hasFullReads: !HIDDEN_BY_FULL_READS.has(without) })
  const happenings = createHappenings(world, random, without)
  playRandomly(
    happenings,
    ['edit', 'notice', 'notice', ...LIKELY, 'cut', 'restore', 'arrive', 'empty'],
    20 + random.below(80),
    random,
  )
  while (world.notices.length > 0) happenings.notice()
  for (const builder of world.builders) finish(builder, world, random, without)
  const last = random.pick(world.builders)
  last.run = createRun(world.hasFullReads)
  finish(last, world, random, without)
  for (const put of world.calls) putRow(world, put, without)
  return last.run === null && INDEXED_SELLERS.every((seller) => isCurrent(world, seller))
}

function isCurrent({ index, live, source }: IndexWorld, seller: number): boolean {
  return index.rows[seller]?.data === live.data[seller] && live.data[seller] === source[seller]
}

function finish(builder: Builder, world: IndexWorld, random: Random, without: IndexRule | null): void {
  for (let step = 0; builder.run !== null && step < MOST_STEPS; step += 1)
    advanceRun(builder, world, random, without)
}

function createHappenings(world: IndexWorld, random: Random, without: IndexRule | null) {
  const { builders } = world
  return {
    edit: () => {
      const seller = random.pick(INDEXED_SELLERS)
      world.source[seller] = random.below(3)
      if (!world.hasFullReads || random.chance(0.5)) world.notices.push(seller)
    },
    notice: () => {
      const seller = takeRandom(world.notices, random)
      if (seller === undefined) return
      world.sequence += 1
      world.noticed[seller] = world.sequence
    },
    advance: () => advanceRun(random.pick(builders), world, random, without),
    cut: () => {
      random.pick(builders).run = null
    },
    restore: () => {
      const builder = random.pick(builders)
      builder.run = null
      builder.state = structuredClone(builder.saved)
    },
    arrive: () => {
      const put = takeRandom(world.calls, random)
      if (put === undefined) return
      putRow(world, put, without)
      if (random.below(3) === 0) world.calls.push(put)
    },
    empty: () => {
      if (!world.hasFullReads || random.below(3) > 0) return
      world.epochs += 1
      const rows = INDEXED_SELLERS.map(() => ({ data: 0, tag: 0 }))
      world.index = { life: world.index.life + 1, epoch: world.epochs, rows }
    },
  }
}
