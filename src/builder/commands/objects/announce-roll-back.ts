/** Lane `objects`, after a rollback: tells the site that the code of the earlier version is live. */
import { createCoordinatorClient } from '../../publish/coordinator-client.ts'
import { parseCodeMark } from '../../publish/hosted-versions.ts'
import { announceCode } from '../../publish/objects/announce-code.ts'
import { createObjectClient } from '../../publish/objects/object-client.ts'
import { readSentence } from '../../publish/publish-error.ts'
import type { DeployOptions } from '../deploy/deploy-options.ts'

/** Max time of each call during a rollback, and pauses between looks for its code, in milliseconds. */
const PATIENCE = 2_500
const PAUSES = [500, 1_000, 2_000]

/** `message` is that of the version, which names its code. Objects are then rendered again with it. Never throws. */
export async function announceRollBack(
  { configuration: { coordinator } }: DeployOptions,
  message: string,
): Promise<readonly string[]> {
  const code = parseCodeMark(message)
  if (code === null || coordinator.secrets.length === 0) return []
  const client = createObjectClient(createCoordinatorClient(coordinator, { patience: PATIENCE }))
  try {
    return await announceCode({ client, sent: null, output: null, code, isNew: true, pauses: PAUSES })
  } catch (error) {
    return [
      `The site could not be told that its code is live: ${readSentence(error)} Its pages are right all the same: each is rendered when it is asked for.`,
    ]
  }
}
