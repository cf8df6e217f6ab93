/** The scenarios of power cuts: the site before, and the rebuild during or after which the power is cut. */
import type { Documents } from '../site/documents.ts'
import { dropDocuments } from '../site/documents.ts'
import { OWN_PHOTOS } from '../site/proof-photos.ts'
import type { RunSpec } from '../faults/scenarios.ts'
import { createScenarioDocuments, createSpec } from '../faults/scenarios.ts'

export interface PowerScenario {
  readonly name: string
  /** The earlier run, whose result is on the disk unless `isBuilt` is `false`. */
  readonly before: RunSpec
  /** Whether `before` has run. If not, the disk has only its documents, in the source. */
  readonly isBuilt: boolean
  readonly next: RunSpec
}

export function createPowerScenarios(count: number): readonly PowerScenario[] {
  const sellers = Array.from({ length: count }, (_, index) => `m${index}`)
  const createShop = (price: number, more: readonly string[] = [], photo?: string): Documents => {
    const products = sellers.map((seller, index): [string, string, number] => [
      `p${index}`,
      seller,
      50 + index,
    ])
    return createScenarioDocuments([...products, ['p-1', '1', price, photo]], more)
  }
  const [shop, edited, larger] = [createShop(1300), createShop(1400), createShop(1300, ['new'])]
  const smaller = dropDocuments(shop, ({ id }) => id === 'm7' || id === 'p7')
  const scenario = (name: string, next: RunSpec, isBuilt = true): PowerScenario => ({
    name,
    before: createSpec(shop, { photos: next.photos }),
    isBuilt,
    next,
  })
  return [
    scenario('first build', createSpec(edited), false),
    scenario('one edit', createSpec(edited)),
    scenario('new seller', createSpec(larger)),
    scenario('removed seller', createSpec(smaller)),
    scenario('full', createSpec(edited, { args: ['--full'] })),
    scenario('watch', createSpec(larger, { args: ['--watch'] })),
    scenario('all pages', createSpec(edited, { siteName: 'Escaparate' })),
    scenario('code', createSpec(edited, { project: 'two' })),
    scenario('pictures', createSpec(createShop(1400, [], OWN_PHOTOS[0]), { photos: 'files' })),
  ]
}

/** Scenarios with as many sellers as a small site has. */
export const POWER_SCENARIOS = createPowerScenarios(300)
