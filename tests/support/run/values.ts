/** Values for tests. */
import fc from 'fast-check'

export const ANY_CHARACTER: fc.Arbitrary<string> = fc
  .oneof(
    fc.integer({ min: 0, max: 0xff }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((point) => String.fromCodePoint(point))

/** The longest time of a timer, in milliseconds: whatever takes so long has ended its test long before. */
export const LONGEST_TIME = 2 ** 31 - 1
