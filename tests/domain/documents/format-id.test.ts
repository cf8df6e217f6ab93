import { expect, it } from 'vitest'
import { cutId, formatId } from '../../../src/domain/documents/format-id.ts'

it('An id in a message shows where it ends, and not the whole of a long one', () => {
  expect(['p1', 'perfumería-2', 'a b', '##[add-mask]x', ''].map(formatId)).toEqual([
    'p1',
    'perfumería-2',
    '"a b"',
    '"##[add-mask]x"',
    '""',
  ])
  const long = '\u{1F600}'.repeat(2_000_000)
  expect([...formatId(long)]).toHaveLength(258)
  expect([...formatId('x'.repeat(257))]).toHaveLength(256)
  expect(cutId('x'.repeat(256), 256)).toBe('x'.repeat(256))
})
