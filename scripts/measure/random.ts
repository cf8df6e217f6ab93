/** Pseudo-random numbers, the same on every machine, with an independent stream for each seed. */

export interface Random {
  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number): number
  /** Returns `true` with this probability. */
  chance(probability: number): boolean
  pick<T>(items: readonly [T, ...T[]]): T
  /** Returns a text of letters and digits, like an id made by Firestore. */
  id(length: number): string
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const WARM_UP = 12

export function createRandom(seed: number): Random {
  const next = createStream(seed)
  const below = (limit: number): number => Math.floor((next() / 2 ** 32) * limit)
  return {
    below,
    chance: (probability) => next() / 2 ** 32 < probability,
    pick: (items) => items[below(items.length)] ?? items[0],
    id: (length) => Array.from({ length }, () => LETTERS[below(LETTERS.length)]).join(''),
  }
}

/**
 * The generator sfc32. Its state contains a counter, so the streams of two seeds do not overlap within 2^32 numbers.
 * Source: PractRand.
 */
function createStream(seed: number): () => number {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, seed | 0, 1]
  const next = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  for (let round = 0; round < WARM_UP; round += 1) next()
  return next
}
