/** Orders test files so that none of the long ones is left for the end, when the other workers have nothing to do. */
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** Takes as long as all files of the other project together, and therefore begins with them. */
const LONGEST = 'model/rebuild'

/** The others, the longest first. */
const LONG = [
  'served/browser/search-everywhere',
  'served/browser/offline',
  'served/browser/order',
  'served/browser/accessibility',
  'served/browser/layout',
  'served/browser/first-screen',
  'served/browser/product-address',
  'served/edge/search-files',
  'served/browser/screens',
  'served/browser/choices',
  'builder/rebuild/code-change',
  'builder/rebuild/firestore',
  'scripts/whole-project',
  'builder/commands/local/start',
  'builder/commands/deploy/deploy',
  'builder/commands/rebuild/crashes-resources',
  'builder/pictures/rebuild-photos',
  'edge/coordinator/worker',
  'builder/pictures/make-pictures',
  'builder/commands/rebuild/crashes',
  'builder/pictures/social',
  'builder/pictures/make-picture',
  'scripts/check-pages',
  'edge/files/served-alike',
  'model/hostile',
]

/**
 * The files of one project come after those of the other: a worker ends when the next file belongs to another project,
 * with all that it has loaded and the browser that it has started.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const find = ({ moduleId, project }: TestSpecification): number => {
      const isFile = (name: string): boolean => moduleId.endsWith(`/tests/${name}.test.ts`)
      if (isFile(LONGEST)) return -2 * LONG.length
      const index = LONG.findIndex(isFile)
      const place = index === -1 ? LONG.length : index
      return project.name === 'site' ? place - LONG.length : place + 1
    }
    return sorted.toSorted((a, b) => find(a) - find(b))
  }
}
