/** Orders test files so that none of the long ones is left for the end, when the other workers have nothing to do. */
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** The longest first. */
const LONG = [
  'builder/rebuild/code-change',
  'model/rebuild',
  'model/hostile',
  'builder/publish/deploy',
  'served/browser/search-everywhere',
  'scripts/whole-project',
  'builder/rebuild/code-faults',
  'builder/rebuild/firestore',
  'builder/commands/rebuild/crashes-resources',
  'builder/rebuild/rebuild',
  'builder/commands/rebuild/crashes',
  'served/browser/offline',
  'served/browser/accessibility',
  'served/browser/order',
  'builder/rebuild/hostile-seller',
  'served/browser/layout',
  'served/browser/choices',
  'served/browser/product-address',
  'builder/pictures/rebuild-photos',
  'served/browser/first-screen',
  'served/edge/webhook',
  'served/browser/screens',
  'builder/commands/local/start',
  'served/browser/policy',
  'served/browser/address',
  'served/browser/search',
]

/**
 * The files of one project come after those of the other: a worker ends when the next file belongs to another project,
 * with all that it has loaded and the browser that it has started.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const find = ({ moduleId, project }: TestSpecification): number => {
      const index = LONG.findIndex((name) => moduleId.endsWith(`/tests/${name}.test.ts`))
      const place = index === -1 ? LONG.length : index
      return project.name === 'site' ? place - LONG.length : place + 1
    }
    return sorted.toSorted((a, b) => find(a) - find(b))
  }
}
