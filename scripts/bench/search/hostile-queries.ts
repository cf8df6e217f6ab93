/** Generates queries that a hostile visitor sends to cause errors or to slow the search. */
import type { Random } from '../../measure/random.ts'
import { PERFUMES } from '../sample-names.ts'

const SYNTAX = [
  '"',
  '*',
  'NEAR(',
  'NEAR(eau ml, 3)',
  '-',
  '^',
  ':',
  'words : eau',
  'eau OR de',
  ')',
  'NOT',
  '·',
  '\\',
] as const
/** Words that many products have. */
const FREQUENT = [
  'eau',
  'de',
  'parfum',
  'toilette',
  'cologne',
  'edp',
  'edt',
  'edc',
  'ml',
  '100',
  '50ml',
] as const
const LETTERS = ['a', 'b', 'c', 'd', 'e', 'g', 'l', 'm', 'n', 'o', 'p', 'r', 's', 't'] as const
/** Both values exceed the limits for the words and characters of a query. */
const MANY_WORDS = 10
const LONG = 10_000

type Create = (random: Random) => string

const QUERIES: readonly [Create, ...Create[]] = [
  (random) => joinWords(() => random.pick(SYNTAX)),
  (random) => String.fromCodePoint(...Array.from({ length: 100 }, () => random.below(256))),
  (random) => random.id(LONG),
  (random) => `${random.pick(LETTERS)} `.repeat(LONG / 2),
  (random) => joinWords(() => random.pick(FREQUENT)),
  (random) => joinWords(() => random.pick(LETTERS)),
  (random) => joinWords(() => `${random.pick(LETTERS)}${random.pick(LETTERS)}`),
  // Uses fragments of words, because a fragment can match inside many words of the index.
  (random) => joinWords(() => random.pick(PERFUMES).slice(1, 4 + random.below(3))),
  (random) => `"${random.pick(PERFUMES)}"* ${random.pick(SYNTAX)} ${random.pick(FREQUENT)}`,
]

export function createHostileQuery(random: Random): string {
  return random.pick(QUERIES)(random)
}

function joinWords(create: () => string): string {
  return Array.from({ length: MANY_WORDS }, create).join(' ')
}
