/** Mistakes in the search index: it keeps what is gone, goes back to older data, or misses a better result. */
import type { Mutation } from '../mutation.ts'

const REPLACE = 'src/edge/search/replace-seller.ts'
const FIND = 'src/edge/search/find-in-shard.ts'
const SHARD_TEST = 'tests/edge/search/open-shard.test.ts'
const ANSWER_TEST = 'tests/edge/search/answer-search.test.ts'
const UPDATE_TEST = 'tests/edge/search/update-sellers.test.ts'
const RANDOM_TEST = 'tests/edge/search/random-updates.test.ts'

export const SEARCH_MUTATIONS: readonly Mutation[] = [
  {
    name: 'search: accept an update of the same sequence',
    file: REPLACE,
    text: ': sequence <= row.sequence',
    broken: ': sequence < row.sequence',
    catchers: [SHARD_TEST],
  },
  {
    name: 'search: keep no sequence of an update with equal data',
    file: REPLACE,
    text: "read('UPDATE sellers SET sequence = ? WHERE",
    broken: "read('UPDATE sellers SET sequence = max(sequence, ? * 0) WHERE",
    catchers: [SHARD_TEST],
  },
  {
    name: 'search: leave words of removed products in the index',
    file: 'src/edge/search/write-documents.ts',
    text: '...before.filter((one) => !hasWords(fresh, one))',
    broken: '...before.filter((one) => fresh.has(one.key) && !hasWords(fresh, one))',
    catchers: [RANDOM_TEST],
  },
  {
    name: 'search: give a product the key of another one',
    file: REPLACE,
    text: 'if (!taken.has(first)) return first',
    broken: 'if (first >= 0) return first',
    catchers: [SHARD_TEST],
  },
  {
    name: 'search: write all rows of a seller in one transaction',
    file: 'src/edge/search/divide-changes.ts',
    text: 'part.rows + rows > MOST_ROWS',
    broken: 'part.rows + rows > MOST_ROWS * 1e3',
    catchers: [UPDATE_TEST],
  },
  {
    name: 'search: let no search in between two transactions',
    file: 'src/edge/search/update-sellers.ts',
    text: 'written + rows <= MOST_ROWS',
    broken: 'written + rows <= MOST_ROWS * 1e3',
    catchers: [UPDATE_TEST],
  },
  {
    name: 'search: begin an update before the last one has ended',
    file: 'src/edge/search/update-sellers.ts',
    text: 'last.then(() => updateAll(updates))',
    broken: 'updateAll(updates)',
    catchers: [UPDATE_TEST],
  },
  {
    name: 'search: go on with an update after the index was emptied',
    file: 'src/edge/search/update-sellers.ts',
    text: 'if (openSalted() !== tables)',
    broken: 'if (openSalted() === undefined)',
    catchers: [UPDATE_TEST],
  },
  {
    name: 'search: take a seller for whole whose update was interrupted',
    file: REPLACE,
    text: 'part.isLast ? digest : UNFINISHED',
    broken: 'digest',
    catchers: [UPDATE_TEST],
  },
  {
    name: 'search: refuse the update that was interrupted',
    file: REPLACE,
    text: 'isRepair || digest === UNFINISHED ?',
    broken: 'isRepair ?',
    catchers: [UPDATE_TEST],
  },
  {
    name: 'search: bind a text of any size',
    file: 'src/edge/search/write-documents.ts',
    text: 'length + text.length > MOST_CHARACTERS',
    broken: 'length > MOST_CHARACTERS * 1e3',
    catchers: [UPDATE_TEST],
  },
  {
    name: 'search: keep words that no seller has',
    file: 'src/edge/search/word-tables.ts',
    text: 'words: gone, sellers: 0',
    broken: 'words: gone, sellers: -1',
    catchers: [RANDOM_TEST],
  },
  {
    name: 'search: be content with the first results that are available',
    file: FIND,
    text: 'available.length >= kind.most) break',
    broken: 'available.length > 0) break',
    catchers: [SHARD_TEST],
  },
  {
    name: 'search: rank what is sold out like the rest',
    file: 'src/edge/search/shard-documents.ts',
    text: 'product.available ? 0 : FIRST_UNAVAILABLE / HASHES',
    broken: 'product.available ? 0 : 0',
    catchers: [SHARD_TEST],
  },
  {
    name: 'search: let one seller take all results',
    file: FIND,
    text: '> MOST_OF_SELLER',
    broken: '> MOST_OF_SELLER * 1e3',
    catchers: [SHARD_TEST, 'hostile'],
  },
  {
    name: 'search: let sellers choose the order of equal prices',
    file: 'src/domain/search/search-answer.ts',
    text: '[salt, ...ids, salt]',
    broken: 'ids',
    catchers: [SHARD_TEST],
  },
  {
    name: 'search: show misspelt results of one shard beside those of another',
    file: 'src/edge/search/merge-found.ts',
    text: 'isFound ? found.filter(isSpelt) : found',
    broken: 'found',
    catchers: ['tests/edge/search/join-shards.test.ts'],
  },
  {
    name: 'search: forgive amounts',
    file: 'src/domain/search/near-words.ts',
    text: 'const LETTERS = /^\\p{L}+$/u',
    broken: 'const LETTERS = /^[\\p{L}\\p{N}]+$/u',
    catchers: ['tests/domain/search/near-words.test.ts'],
  },
  {
    name: 'search: answer one who asks too often',
    file: 'src/edge/search/answer-search.ts',
    text: 'if (!(await isAllowed(request, world)))',
    broken: 'if (!(await isAllowed(request, world)) && query.length > 100)',
    catchers: [ANSWER_TEST],
  },
  {
    name: 'search: wait for the index as long as it takes',
    file: 'src/edge/search/answer-search.ts',
    text: 'Promise.race([index.search(query), fail(wait)])',
    broken: 'Promise.race([index.search(query)])',
    catchers: [ANSWER_TEST],
  },
  {
    name: 'search: show an answer from the cache at any age',
    file: 'src/edge/search/search-cache.ts',
    text: '>= maxAge) return null',
    broken: '>= maxAge * 1e9) return null',
    catchers: ['tests/edge/search/search-cache.test.ts'],
  },
  {
    name: 'search: show a query with half a character',
    file: 'src/domain/search/words.ts',
    text: "return text.replace(/[\\uD800-\\uDBFF]$/, '').trim()",
    broken: 'return text.trim()',
    catchers: ['tests/domain/search/words.test.ts'],
  },
]
