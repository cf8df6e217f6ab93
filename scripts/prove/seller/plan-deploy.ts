/** Checks that a site could be published, as `deploy --dry-run` does. */
import { openPublishWorld } from '../../../src/builder/commands/deploy/open-publish-world.ts'
import { Difference } from '../difference.ts'
import type { SitePlace } from '../site/place.ts'
import type { StoryInputs } from '../site/run-request.ts'
import { readOptions } from './open-state.ts'

export async function planDeploy(place: SitePlace, inputs: StoryInputs): Promise<void> {
  try {
    const options = { ...readOptions(place, inputs), environment: {}, isVerify: true }
    const world = openPublishWorld({ ...options, progress: () => {} })
    await world.verify().finally(() => world.close())
  } catch (error) {
    throw new Difference(`the site cannot be published: ${String(error)}`, { cause: error })
  }
}
