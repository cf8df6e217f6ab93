/** Happenings that seldom come together by chance, and that a mistake needs to show. */
import fc from 'fast-check'
import type { Happening } from './happenings.ts'

/** The task that began last. */
const LAST = -1

const CATALOGUE = '/catalogo/ana'

/**
 * A visitor's read of the store takes seconds. Meanwhile the page changes, and another data centre stores it. What was read
 * must not count as fresh for longer than if the read had been quick.
 */
export const SLOW_READ: fc.Arbitrary<readonly Happening[]> = fc
  .record({
    price: fc.constantFrom(1, 2, 3),
    path: fc.constantFrom(CATALOGUE, `${CATALOGUE}/p1`),
    slow: fc.constantFrom(3_000, 4_500),
  })
  .map(({ price, path, slow }) => {
    const visit = { kind: 'visit', center: 'west', path, isOlder: false } as const
    return [
      // It has looked into the cache, and is about to read the store.
      { ...visit, steps: 1 },
      { kind: 'go', pick: LAST, fate: 'slow', steps: 1 },
      { kind: 'edit', edit: { product: 'p1', owner: 'ana', price }, isSilent: false },
      { kind: 'build', builder: 'one', isWhole: false, center: 'east', steps: null },
      { kind: 'time', ms: slow },
      { kind: 'go', pick: LAST, fate: 'good', steps: null },
      { kind: 'time', ms: slow },
      { ...visit, steps: null },
    ]
  })
