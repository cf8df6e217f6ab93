/** Publishes the Worker of a site of objects if its code or its files changed, and tells the site which code is live. */
import type { OpenTarget } from './open-target.ts'
import { isServedHere } from './open-target.ts'
import type { CommandOptions } from '../rebuild/rebuild-options.ts'
import { announceCode } from '../../publish/objects/announce-code.ts'

export interface WorkerOptions extends CommandOptions {
  /** The project's folder. */
  readonly root: string
}

/** Returns lines for people. */
export async function publishWorker(options: WorkerOptions, target: OpenTarget): Promise<readonly string[]> {
  if (isServedHere(options.configuration))
    return announceCode({ ...target, output: options.output, code: null })
  const { publish } = await import('../deploy/publish.ts')
  const { configuration, environment, stage, state, output, isVerify } = options
  const { lines } = await publish({
    configuration,
    environment,
    stage,
    state,
    output,
    isFull: isVerify,
    isForced: false,
    isOlderAllowed: false,
    progress: () => {},
  })
  return lines
}
