import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMPTY_DIGEST, updateDigest } from '../../../../src/builder/state/record/record-digest.ts'

const part = fc.record({ path: fc.string(), digest: fc.constantFrom('00', 'ff', 'a1') })
const parts = fc.array(part, { maxLength: 8 })

test('the digest does not depend on the order or the grouping of additions', () => {
  fc.assert(
    fc.property(parts, (list) => {
      const together = updateDigest(EMPTY_DIGEST, list, [])
      const oneByOne = list
        .toReversed()
        .reduce((digest, one) => updateDigest(digest, [one], []), EMPTY_DIGEST)
      expect(oneByOne).toBe(together)
    }),
  )
})

test('adding and removing a file restores the digest', () => {
  fc.assert(
    fc.property(parts, parts, (list, more) => {
      const digest = updateDigest(EMPTY_DIGEST, list, [])
      expect(updateDigest(updateDigest(digest, more, []), [], more)).toBe(digest)
      expect(updateDigest(updateDigest(digest, [], more), more, [])).toBe(digest)
      expect(updateDigest(digest, more, more)).toBe(digest)
    }),
  )
})

test('a digest always has 64 hexadecimal digits, also without files', () => {
  const files = Array.from({ length: 300 }, (_, index) => ({ path: String(index), digest: '00' }))
  const added = files.map((file) => updateDigest(EMPTY_DIGEST, [file], []))
  const taken = files.map((file) => updateDigest(EMPTY_DIGEST, [], [file]))
  for (const digest of [EMPTY_DIGEST, ...added, ...taken]) expect(digest).toMatch(/^[0-9a-f]{64}$/)
})

test('another path, other bytes or swapped bytes give another digest', () => {
  const digestOf = (...list: readonly [string, string][]): string =>
    updateDigest(
      EMPTY_DIGEST,
      list.map(([path, digest]) => ({ path, digest })),
      [],
    )
  const all = [
    digestOf(),
    digestOf(['a', '00']),
    digestOf(['b', '00']),
    digestOf(['a', '01']),
    digestOf(['a', '00'], ['a', '00']),
    digestOf(['a', '00'], ['b', '01']),
    digestOf(['a', '01'], ['b', '00']),
  ]
  expect(new Set(all).size).toBe(all.length)
})
