/**
 * A protocol as a small model. Random stories show that it ends with correct data, and that it needs each of its rules.
 */
import { createRandom, type Random } from '../../measure/random.ts'

export interface Protocol<Rule extends string = string> {
  readonly name: string
  /** Every rule of the protocol, with the seed of a story that ends with wrong data if the rule is left out. */
  readonly rules: Readonly<Record<Rule, number>>
  /**
   * Plays one story. `without`: the rule to leave out; `null` for none. Returns whether all data is correct at the end.
   */
  play(random: Random, without: Rule | null): boolean
}

/**
 * Plays the stories of `count` seeds from `first` on. Returns the first seed whose story ends with wrong data; `null`
 * if there is none.
 */
export function findWrongStory(
  protocol: Protocol,
  without: string | null,
  first: number,
  count: number,
): number | null {
  for (let seed = first; seed < first + count; seed += 1)
    if (!protocol.play(createRandom(seed), without)) return seed
  return null
}

/** Removes a random item and returns it. */
export function takeRandom<T>(items: T[], random: Random): T | undefined {
  return items.length === 0 ? undefined : items.splice(random.below(items.length), 1)[0]
}

/** Runs `count` random happenings. A name that `names` contains more than once is more likely. */
export function playRandomly<Name extends string>(
  happenings: Readonly<Record<Name, () => void>>,
  names: readonly [Name, ...Name[]],
  count: number,
  random: Random,
): void {
  for (let step = 0; step < count; step += 1) happenings[random.pick(names)]()
}
