/** Any character, like the unit `binary` of fast-check, which takes a second to be created. */
import fc from 'fast-check'

export const ANY_CHARACTER: fc.Arbitrary<string> = fc
  .oneof(
    fc.integer({ min: 0, max: 0xff }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((point) => String.fromCodePoint(point))
