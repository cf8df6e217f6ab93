/** Lane `objects`: lets the site remove what its guard holds back, without the source at hand. */
import { createCoordinatorClient } from '../../publish/coordinator-client.ts'
import { createObjectClient } from '../../publish/objects/object-client.ts'
import { liftHold } from '../../publish/objects/push-batches.ts'
import type { Deployed, DeployOptions } from '../deploy/deploy-options.ts'

/** What was refused is tried again at once by the Worker, or by the next run of a builder. */
export async function allowShrink({ configuration: { coordinator } }: DeployOptions): Promise<Deployed> {
  const { push } = createObjectClient(createCoordinatorClient(coordinator))
  await liftHold({ intake: '', isShrinkAllowed: true, push })
  return {
    action: 'allow-shrink',
    version: null,
    sequence: null,
    lines: ['The site may remove, once and within an hour, what its guard held back.'],
  }
}
