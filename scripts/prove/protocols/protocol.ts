/** A protocol as a small model: random stories show that it ends right, and that it needs each of its rules. */
import { createRandom, type Random } from '../../measure/random.ts'

export interface Protocol<Rule extends string = string> {
  readonly name: string
  /** Every rule of the protocol, with the seed of a story that ends wrong without it. */
  readonly rules: Readonly<Record<Rule, number>>
  /** Plays one story, leaving out one rule or none. Returns whether everything is right at rest. */
  play(random: Random, without: Rule | null): boolean
}

/** Returns the first of `count` seeds, from `first` on, whose story ends wrong; `null` if all stories end right. */
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

/** Runs random happenings of the table; a name may be listed more than once to make it more likely. */
export function playRandomly<Name extends string>(
  happenings: Readonly<Record<Name, () => void>>,
  names: readonly [Name, ...Name[]],
  count: number,
  random: Random,
): void {
  for (let step = 0; step < count; step += 1) happenings[random.pick(names)]()
}
