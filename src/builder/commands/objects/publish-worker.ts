/** Publishes the Worker of a site of objects if its code or its files changed, and tells the site which code is live. */
import { announceCode } from '../../publish/objects/announce-code.ts'
import type { OpenPublishWorld, PublishOptions } from '../deploy/open-publish-world.ts'
import type { CommandOptions } from '../rebuild/rebuild-options.ts'
import type { OpenTarget } from './open-target.ts'
import { isServedHere } from './open-target.ts'
import type { PublishedWorker } from './settle-refusal.ts'
import { settleRefusal } from './settle-refusal.ts'

type CodeTarget = Pick<OpenTarget, 'client' | 'sent'>

/**
 * Data may be delivered after a failure, and also while publishing is held. A full read tells the site its code even if it
 * was told: a coordinator that lost its storage does not know it.
 */
export async function publishWorker(options: CommandOptions, target: CodeTarget): Promise<PublishedWorker> {
  const { output, isFull } = options
  if (isServedHere(options.configuration)) {
    const lines = await announceCode({ ...target, output, code: null, isNew: isFull })
    return { lines, failure: null }
  }
  const [{ openPublishWorld }, { prepareWorker }] = await Promise.all([
    import('../deploy/open-publish-world.ts'),
    import('../deploy/prepare-worker.ts'),
  ])
  const world = openPublishWorld(await prepareWorker(createPublishOptions(options)))
  try {
    return await publishIn(world, target, options)
  } finally {
    world.close()
  }
}

async function publishIn(
  world: OpenPublishWorld,
  target: CodeTarget,
  { output, isFull }: CommandOptions,
): Promise<PublishedWorker> {
  const code = world.code ?? ''
  const isNew = !isLive(world)
  try {
    const lines = isNew ? await publish(world) : []
    const announcement = { ...target, output, code, isNew: isNew || isFull, ...(!isNew && { pauses: [] }) }
    return { lines: [...lines, ...(await announceCode(announcement))], failure: null }
  } catch (error) {
    return settleRefusal(error, code, target.client)
  }
}

// Asks nobody: most runs change data only.
function isLive({ published, digest }: OpenPublishWorld): boolean {
  const last = published.readLive()
  return last !== null && last.digest === digest && last.isSeen && last.untold === null
}

async function publish(world: OpenPublishWorld): Promise<readonly string[]> {
  const deploy = await import('../deploy/publish.ts')
  return (await deploy.publishIn(world)).lines
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
