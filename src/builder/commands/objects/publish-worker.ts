/** Publishes the Worker of a site of objects if its code or its files changed, and tells the site which code is live. */
import { announceCode } from '../../publish/objects/announce-code.ts'
import { HeldError, readMessage } from '../../publish/publish-error.ts'
import type { OpenPublishWorld, PublishOptions } from '../deploy/open-publish-world.ts'
import type { CommandOptions } from '../rebuild/rebuild-options.ts'
import type { OpenTarget } from './open-target.ts'
import { isServedHere } from './open-target.ts'

/** Returns lines for people. Data is delivered also while publishing is held. */
export async function publishWorker(options: CommandOptions, target: OpenTarget): Promise<readonly string[]> {
  const { output } = options
  if (isServedHere(options.configuration))
    return announceCode({ ...target, output, code: null, isNew: false })
  const [{ openPublishWorld }, { prepareWorker }] = await Promise.all([
    import('../deploy/open-publish-world.ts'),
    import('../deploy/prepare-worker.ts'),
  ])
  const world = openPublishWorld(await prepareWorker(createPublishOptions(options)))
  try {
    const isNew = !isLive(world)
    const lines = isNew ? await publish(world) : []
    if (lines === null)
      return ['  code        NOT published: publishing is held (npm run deploy -- --release)']
    return [...lines, ...(await announceCode({ ...target, output, code: world.code, isNew }))]
  } finally {
    world.close()
  }
}

// Asks nobody: most runs change data only.
function isLive({ published, digest }: OpenPublishWorld): boolean {
  const last = published.readLive()
  return last !== null && last.digest === digest && last.isSeen && last.untold === null
}

/** Returns `null` while publishing is held. */
async function publish(world: OpenPublishWorld): Promise<readonly string[] | null> {
  const { publishIn } = await import('../deploy/publish.ts')
  try {
    return (await publishIn(world)).lines
  } catch (error) {
    if (!(error instanceof HeldError)) throw error
    world.progress(readMessage(error))
    return null
  }
}

function createPublishOptions(options: CommandOptions): PublishOptions {
  const { configuration, environment, stage, state, output, isVerify } = options
  return {
    configuration,
    environment,
    stage,
    state,
    output,
    isFull: isVerify,
    isForced: false,
    isOlderAllowed: false,
    progress: () => {},
  }
}
