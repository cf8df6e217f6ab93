/** Mistakes in feeding the search index: it misses what was published, goes back, or is never repaired. */
import type { Mutation } from '../mutation.ts'

const FEED = 'src/builder/publish/search/feed-index.ts'
const COMPARE = 'src/builder/publish/search/compare-index.ts'
const OBJECTS = 'src/edge/search/feed-objects.ts'
const FEED_TEST = 'tests/builder/publish/search/feed-index.test.ts'
const OBJECTS_TEST = 'tests/edge/search/feed-objects.test.ts'

export const FEED_MUTATIONS: readonly Mutation[] = [
  {
    name: 'feed: forget the sellers before the index has them',
    file: FEED,
    text: '  const { isLate, failed } = await feedNamed(',
    broken: '  snapshot.forgetUnfed(names)\n  const { isLate, failed } = await feedNamed(',
    catchers: [FEED_TEST],
  },
  {
    name: 'feed: order publishes by the count of a state alone',
    file: FEED,
    text: '(snapshot.readClaimed() ?? 0) * FEEDS_PER_CLAIM',
    broken: '0 * FEEDS_PER_CLAIM',
    catchers: [FEED_TEST, 'search'],
  },
  {
    name: 'feed: give two feeds of a state the same sequence',
    file: FEED,
    text: 'fed.sequence + 1)',
    broken: '1)',
    catchers: ['search'],
  },
  {
    name: 'feed: keep no list of sellers whose pages were rendered',
    file: 'src/builder/rebuild/write-pages.ts',
    text: "if (snapshot.readFed().index !== '') snapshot.markUnfed(sellers)",
    broken: '',
    catchers: [FEED_TEST],
  },
  {
    name: 'feed: leave out named sellers without a difference',
    file: 'src/builder/rebuild/read-source.ts',
    text: "if (snapshot.readFed().index !== '') snapshot.markUnfed(scope.sellers)",
    broken: '',
    catchers: ['search'],
  },
  {
    name: 'feed: believe that an index of another number of shards has the rest',
    file: FEED,
    text: "known === formatIndexName('assets', begun.shards, site)",
    broken: "known !== ''",
    catchers: ['search'],
  },
  {
    name: 'feed: compare only the sellers that the site has',
    file: COMPARE,
    text: 'new Set([...wanted.keys(), ...seen.keys()])',
    broken: 'new Set([...wanted.keys()])',
    catchers: [FEED_TEST],
  },
  {
    name: 'feed: clear the index of another publisher whose version is live',
    file: COMPARE,
    text: 'round.isAhead && (await isOtherLife())',
    broken: 'round.isAhead',
    catchers: [FEED_TEST],
  },
  {
    name: 'feed: never clear an index that is ahead',
    file: COMPARE,
    text: 'round.isAhead && (await isOtherLife())',
    broken: 'round.isAhead && !round.isAhead',
    catchers: [FEED_TEST],
  },
  {
    name: 'feed: believe that a cleared index has the rest',
    file: COMPARE,
    text: '    forget()\n',
    broken: '',
    catchers: ['tests/builder/publish/search/refresh-index.test.ts'],
  },
  {
    name: 'feed: take what was sent before the index was emptied',
    file: 'src/edge/search/open-shard.ts',
    text: 'since < fence || ',
    broken: '',
    catchers: [FEED_TEST],
  },
  {
    name: 'feed: take what is older than a comparison',
    file: 'src/edge/search/open-shard.ts',
    text: 'sequence < floor',
    broken: 'sequence < 0',
    catchers: ['search'],
  },
  {
    name: 'feed: believe an index that was emptied',
    file: FEED,
    text: 'begun.isFilled && known',
    broken: 'known',
    catchers: ['search'],
  },
  {
    name: 'feed: believe the index of before after a killed change of shards',
    file: FEED,
    text: "  if (!isKnown) snapshot.writeFed({ index: '', sequence })\n",
    broken: '',
    catchers: ['search'],
  },
  {
    name: 'feed: let the consumer put without feeding',
    file: 'src/edge/intake/consume-changes.ts',
    text: 'host.feedIndex?.(indexed)',
    broken: 'host.feedIndex?.([])',
    catchers: ['search'],
  },
  {
    name: 'feed: empty the index once more for a repeated call',
    file: 'src/edge/search/open-shard.ts',
    text: 'if (since < begun) return',
    broken: 'if (since < 0) return',
    catchers: [FEED_TEST],
  },
  {
    name: 'feed: call everything well that was missed during a comparison',
    file: 'src/edge/search/open-shard.ts',
    text: 'WHEN missed < ? THEN 0 ELSE unfed END',
    broken: 'WHEN missed * 0 < ? THEN 0 ELSE unfed END',
    catchers: ['tests/edge/search/join-shards.test.ts'],
  },
  {
    name: 'feed: put without feeding',
    file: 'src/edge/pages/push-objects.ts',
    text: 'host.feedIndex?.(indexed)',
    broken: 'host.feedIndex?.([])',
    catchers: [OBJECTS_TEST],
  },
  {
    name: 'feed: let a failed feed fail the put',
    file: OBJECTS,
    text: '    } catch (error) {\n      log(',
    broken: '    } catch (error) {\n      if (updates.length > 0) throw error\n      log(',
    catchers: [OBJECTS_TEST],
  },
  {
    name: 'feed: use another sequence than the version of the object',
    file: OBJECTS,
    text: 'sequence: version, ...kind',
    broken: 'sequence: 9, ...kind',
    catchers: [OBJECTS_TEST],
  },
]
