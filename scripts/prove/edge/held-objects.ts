/** History of the stored objects of a story: the data that each put stored, and the time of the put. */
import { Difference } from '../difference.ts'
import type { StoryValue } from './stories/source.ts'

/** Data of an object as read from the source. `sequence`: number of the last edit before the read. */
export interface HeldReading {
  readonly sequence: number
  readonly value: StoryValue
  /**
   * Owner of each product at the time of the read (`null` for a product that does not exist); absent unless a consumer
   * read the data.
   */
  readonly owners?: ReadonlyMap<string, string | null>
}

interface Held extends HeldReading {
  readonly name: string
  readonly tag: string
  /** Time of the put. */
  readonly since: number
}

export class HeldObjects {
  readonly #held = new Map<string, Held[]>()

  /** Returns what the store holds now; `null` before the first put. */
  find(name: string): Held | null {
    return this.#held.get(name)?.at(-1) ?? null
  }

  /**
   * Returns every state that the object had at `time` or later, the oldest first. `null` means that no object was
   * stored.
   */
  listSince(name: string, time: number): readonly (Held | null)[] {
    const all: readonly (Held | null)[] = [null, ...(this.#held.get(name) ?? [])]
    return all.filter((_, index) => (all[index + 1]?.since ?? Infinity) >= time)
  }

  /** Records the new state of an object. Throws if its data is older than the data of the previous state. */
  put(next: Held): void {
    const { name, sequence } = next
    const before = this.find(name)
    if (before !== null && before.sequence > sequence)
      throw new Difference(
        `the object ${JSON.stringify(name)} was replaced with older data: it showed edit ${before.sequence}, and now shows edit ${sequence}`,
      )
    this.#held.set(name, [...(this.#held.get(name) ?? []), next])
  }
}
