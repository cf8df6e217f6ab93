/**
 * Sequences of happenings that seldom occur by chance, for faults that independent random happenings would not reveal.
 */
import fc from 'fast-check'
import type { Fate, EdgeHappening } from './happenings.ts'

const BETWEEN = ['nothing', 'edit', 'move', 'deliver', 'lease ends', 'next message is lost'] as const

/** A `pick` that selects the waiting task that began last, or the newest message. */
const LAST = -1

const CATALOGUE = '/catalogo/ana'

/** Fields of an edit whose notice is sent at once, and names both sellers of a moved product. */
const TOLD = { isSilent: false, isHalf: false, isLate: false } as const

/**
 * A visitor's read of the store takes seconds. Meanwhile the page changes, and a builder stores the new page through
 * another data centre. The cache must not serve the page from the slow read for longer than a page from a quick read.
 */
export const SLOW_READ: fc.Arbitrary<readonly EdgeHappening[]> = fc
  .record({
    price: fc.constantFrom(1, 2, 3),
    path: fc.constantFrom(CATALOGUE, `${CATALOGUE}/p1`),
    slow: fc.constantFrom(3_000, 4_500),
  })
  .map(({ price, path, slow }) => {
    const visit = { kind: 'visit', center: 'west', path, isOlder: false } as const
    return [
      // After this step, the visit has read the cache, and is about to read the store.
      { ...visit, steps: 1 },
      { kind: 'go', pick: LAST, fate: 'slow', steps: 1 },
      { kind: 'edit', edit: { product: 'p1', owner: 'ana', price }, ...TOLD },
      { kind: 'build', builder: 'one', isWhole: false, steps: null },
      { kind: 'time', ms: slow },
      { kind: 'go', pick: LAST, fate: 'good', steps: null },
      { kind: 'time', ms: slow },
      { ...visit, steps: null },
    ]
  })

/**
 * A notice reports a change, its message is sent, and a consumer works on it up to some step. Then another event may
 * intervene, such as another change of the same seller, a product that moves away, a second delivery, the end of the
 * message's lease, or a crash. Then the consumer continues, perhaps with a fault.
 */
export const createChangeScene = (hasCrashes: boolean): fc.Arbitrary<readonly EdgeHappening[]> =>
  fc
    .record({
      // Includes `luz` and `ñandú & hijos`, which other happenings seldom edit, so that some scenes run undisturbed.
      seller: fc.constantFrom('ana', 'luz', 'ñandú & hijos'),
      product: fc.constantFrom('p1', 'p2'),
      price: fc.constantFrom(1, 2, 3),
      next: fc.constantFrom(1, 2, 3),
      steps: fc.nat(12),
      between: fc.constantFrom(...BETWEEN, ...(hasCrashes ? (['crash'] as const) : [])),
      isMovedBefore: fc.boolean(),
      fate: fc.constantFrom<Fate>('good', 'good', 'failed', 'unheard', 'slow'),
    })
    .map(({ seller, product, price, next, steps, between, isMovedBefore, fate }) => {
      const deliver = {
        kind: 'deliver',
        pick: 0,
        count: 3,
        isRepeated: false,
        isOlder: false,
        next: undefined,
      } as const
      const edit = { kind: 'edit', edit: { product, owner: seller, price }, ...TOLD } as const
      const move = {
        ...edit,
        edit: { product, owner: seller === 'luz' ? 'ana' : 'luz', price: next },
        isHalf: true,
      } as const
      const send: readonly EdgeHappening[] = [
        { kind: 'time', ms: 2_500 },
        { kind: 'alarm', steps: null },
      ]
      const change = { ...edit, edit: { product, owner: seller, price: next } } as const
      const again: readonly EdgeHappening[] = [...send, { ...deliver, steps: null }]
      const happened: Readonly<Record<typeof between, readonly EdgeHappening[]>> = {
        nothing: [],
        edit: [change],
        move: [move],
        deliver: [{ ...deliver, steps: null }],
        'lease ends': [{ kind: 'time', ms: 70_000 }, ...again],
        'next message is lost': [
          change,
          { kind: 'time', ms: 70_000 },
          { kind: 'alarm', steps: null },
          { kind: 'lose change', pick: LAST },
        ],
        crash: [{ kind: 'crash' }],
      }
      return [
        edit,
        ...(isMovedBefore ? [...again, move] : []),
        ...send,
        { ...deliver, steps },
        ...happened[between],
        { kind: 'go', pick: LAST, fate, steps: null },
      ]
    })
