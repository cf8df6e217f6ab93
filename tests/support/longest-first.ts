/** Orders test files so that none of the long ones is left for the end, when the other workers have nothing to do. */
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** The longest first. Those that compute stand beside those that wait for servers and browsers. */
const LONG = [
  'builder/rebuild/code-change',
  'builder/rebuild/code-faults',
  'served/browser/offline',
  'scripts/prove/proofs',
  'served/edge/builder',
  'scripts/audit/whole-project',
  'builder/rebuild/firestore',
  'builder/publish/deploy',
  'served/edge/webhook',
  'served/browser/accessibility',
  'builder/rebuild/crash',
  'served/edge/coordinator',
  'builder/pictures/rebuild-photos',
  'served/browser/layout',
  'served/browser/search-everywhere',
  'served/edge/objects',
  'builder/pictures/social',
  'served/browser/product-address',
  'builder/commands/crashes',
  'served/browser/address',
  'scripts/prove/mutations',
  'served/browser/choices',
  'served/browser/order',
  'builder/commands/crashes-resources',
  'served/browser/policy',
  'builder/sources/firestore-faults',
  'served/browser/hand-over',
  'served/browser/screens',
  'builder/commands/rebuild-pending',
  'served/browser/search',
  'scripts/audit/check-pages',
  'served/browser/first-screen',
  'builder/rebuild/rebuild',
  'builder/commands/start',
  'builder/commands/rebuild-deploy',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const find = ({ moduleId }: TestSpecification): number => {
      const index = LONG.findIndex((name) => moduleId.endsWith(`/tests/${name}.test.ts`))
      return index === -1 ? LONG.length : index
    }
    return sorted.toSorted((a, b) => find(a) - find(b))
  }
}
