/** Plays random stories. Whenever the index must be up to date, compares it with a newly built index. */
import { isDeepStrictEqual } from 'node:util'
import { ALL_BUCKETS } from '../../../src/domain/work/buckets.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import { Difference } from '../difference.ts'
import type { StoryOptions } from '../find-failing-story.ts'
import { findFailingStory, reportHappenings } from '../find-failing-story.ts'
import type { SearchHappening } from './happenings.ts'
import { createSearchStories } from './happenings.ts'
import { createIndex, putEntries } from './memory-index.ts'
import type { ShownSellers } from './search-world.ts'
import { SearchWorld } from './search-world.ts'

const QUERIES = [
  'angel',
  'eros',
  'bleu',
  '100ml',
  'edp',
  'chanel',
  'chanl',
  'ana',
  'rosa eros',
  'ang',
  'perez',
]

interface SearchSetup {
  /** Average number of edits in a story. */
  readonly edits: number
  /** Folder for the states of the machines. Existing files in it are replaced. */
  readonly folder: string
  /** Counts how often the index was compared with a newly built one. */
  readonly figures: { compared: number }
}

/** Plays random stories until a check of the index fails. Returns that story; `null` if all stories pass. */
export function findStaleIndex(
  { edits, folder, figures }: SearchSetup,
  options: StoryOptions,
): Promise<string | null> {
  const play = async (story: readonly SearchHappening[], tell: (line: string) => void): Promise<void> => {
    reportHappenings(story, tell)
    figures.compared += await playStory(story, new SearchWorld(folder))
  }
  return findFailingStory(createSearchStories(edits), play, options)
}

/**
 * Returns how often the index was compared with a newly built one, not counting the comparison after the last calls
 * were sent again.
 */
async function playStory(story: readonly SearchHappening[], world: SearchWorld): Promise<number> {
  let compared = 0
  for (const [index, one] of story.entries()) {
    await happen(one, world)
    if (one.kind !== 'edit' && (await check(world, `after ${index + 1}. ${one.kind}`))) compared += 1
  }
  await world.comeToRest()
  if (!(await check(world, 'at the end of the story')))
    throw new Difference(
      'at the end of the story, no feed has completed since the last loss, so the index cannot be checked',
    )
  for (const send of world.site.late) await send()
  await check(world, 'after the last calls were sent again')
  return compared + 1
}

async function happen(one: SearchHappening, world: SearchWorld): Promise<void> {
  const { site, documents } = world
  if (one.kind === 'edit') documents.edit(one.edit)
  else if (one.kind === 'late') await site.late.at(-1 - (one.pick % Math.max(1, site.late.length)))?.()
  else if (one.kind === 'race') await race(one, world)
  else if (one.kind === 'publish') await world.publish(one)
  else if (one.kind === 'other shards' || one.kind === 'index deleted' || one.kind === 'shard emptied') {
    if (one.kind === 'other shards') site.reshard(one.shards)
    else if (one.kind === 'index deleted') site.lose()
    else site.emptyShard()
    world.noteLoss()
  } else world.happen(one)
}

async function race(
  { outer, call, edit, inner }: Extract<SearchHappening, { kind: 'race' }>,
  world: SearchWorld,
): Promise<void> {
  await world.publish(outer, async (number) => {
    // Processes of one machine cannot overlap, because the first one locks the machine's state.
    if (number !== call || outer.machine === inner.machine) return
    world.documents.edit(edit)
    await world.publish(inner)
  })
}

/**
 * Compares the index with a newly built one, if the index must be up to date now. Returns whether the two were
 * compared. Throws a `Difference` if they are not equal.
 */
async function check(world: SearchWorld, when: string): Promise<boolean> {
  const expected = world.findExpected()
  if (expected === null) return false
  const [has, wanted] = [await describe(world.site.index), await describe(await buildAnew(expected))]
  if (isDeepStrictEqual(has, wanted)) return true
  throw new Difference(`${when}, the index has\n${format(has)}\n  instead of\n${format(wanted)}`)
}

async function buildAnew(shown: ShownSellers): Promise<JoinedIndex> {
  const index = createIndex(1)
  await putEntries(index, [...shown])
  return index
}

interface Described {
  readonly counts: object
  readonly digests: readonly object[]
  readonly answers: readonly object[]
}

async function describe(index: JoinedIndex): Promise<Described> {
  const listed = await Promise.all(
    ALL_BUCKETS.map((bucket) => index.openBucket(bucket).listSellers(bucket, null)),
  )
  const digests = listed.flat().filter(({ digest }) => digest !== null)
  const { sellers, products } = await index.readState()
  const answers = await Promise.all(QUERIES.map(async (query) => ({ query, ...(await index.search(query)) })))
  return { counts: { sellers, products }, digests, answers }
}

function format({ counts, answers }: Described): string {
  const lines = answers.map((answer) => JSON.stringify(answer))
  return [JSON.stringify(counts), ...lines].map((line) => `    ${line}`).join('\n')
}
