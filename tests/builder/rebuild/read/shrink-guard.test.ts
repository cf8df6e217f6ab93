import { describe, expect, it } from 'vitest'
import { checkShrink, ShrinkError } from '../../../../src/builder/rebuild/read/shrink-guard.ts'
import type { Totals } from '../../../../src/builder/state/snapshot/snapshot.ts'

const NONE: Totals = { sellers: 0, profiles: 0, products: 0 }
const BEFORE: Totals = { sellers: 100, profiles: 100, products: 1000 }

function check(gone: Partial<Totals>, before = BEFORE, isAllowed = false): void {
  const after = { ...before, sellers: Math.max(1, before.sellers - (gone.sellers ?? 0)) }
  checkShrink({ before, gone: { ...NONE, ...gone }, after, pricesGone: 0, reads: 0 }, isAllowed)
}

describe('a change', () => {
  it('that removes 20 % is accepted, and one more is refused', () => {
    for (const name of ['sellers', 'profiles', 'products'] as const) {
      const fifth = BEFORE[name] / 5
      expect(() => check({ [name]: fifth })).not.toThrow()
      expect(() => check({ [name]: fifth + 1 })).toThrow(ShrinkError)
    }
  })

  it('that removes ten is accepted for any total, and eleven are refused', () => {
    const before = { sellers: 12, profiles: 12, products: 12 }
    for (const name of ['sellers', 'profiles', 'products'] as const) {
      expect(() => check({ [name]: 10 }, before)).not.toThrow()
      expect(() => check({ [name]: 11 }, before)).toThrow(ShrinkError)
    }
  })

  it('that removes all of a few is refused, and one less is accepted', () => {
    const before = { sellers: 3, profiles: 2, products: 9 }
    for (const name of ['sellers', 'profiles', 'products'] as const) {
      expect(() => check({ [name]: before[name] - 1 }, before)).not.toThrow()
      expect(() => check({ [name]: before[name] }, before)).toThrow(ShrinkError)
    }
    expect(() => check({}, { ...NONE, sellers: 1, products: 1 })).not.toThrow()
  })

  it('is judged by what it removes, regardless of what it adds', () => {
    const change = {
      before: BEFORE,
      gone: { ...NONE, products: 500 },
      after: { ...BEFORE, products: 5000 },
      pricesGone: 0,
      reads: 0,
    }
    expect(() => checkShrink(change, false)).toThrow(ShrinkError)
  })

  it('that takes the prices of products away counts like one that removes them', () => {
    const change = { before: BEFORE, gone: NONE, after: BEFORE, reads: 0 }
    expect(() => checkShrink({ ...change, pricesGone: 200 }, false)).not.toThrow()
    expect(() => checkShrink({ ...change, pricesGone: 201 }, false)).toThrow('prices of 201 of 1000 products')
    const mixed = { ...change, gone: { ...NONE, products: 150 }, pricesGone: 51 }
    expect(() => checkShrink(mixed, false)).toThrow('prices of 51 of 1000 products')
    expect(() => checkShrink({ ...change, pricesGone: 1000 }, true)).not.toThrow()
  })

  it('that leaves no seller is refused, also if there was none', () => {
    for (const before of [NONE, { sellers: 1, profiles: 1, products: 0 }])
      expect(() =>
        checkShrink({ before, gone: before, after: NONE, pricesGone: 0, reads: 0 }, false),
      ).toThrow(/has no sellers/)
  })

  it('of any size is accepted if shrinking is allowed', () => {
    expect(() => check(BEFORE, BEFORE, true)).not.toThrow()
    expect(() =>
      checkShrink({ before: BEFORE, gone: BEFORE, after: NONE, pricesGone: 0, reads: 0 }, true),
    ).not.toThrow()
  })

  it('that is refused reports everything that it would remove, and what to do', () => {
    const refused = () => check({ sellers: 30, profiles: 20, products: 999 })
    expect(refused).toThrow('30 of 100 sellers, 999 of 1000 products')
    expect(refused).toThrow('--allow-shrink')
    expect(refused).not.toThrow('profiles')
  })
})
