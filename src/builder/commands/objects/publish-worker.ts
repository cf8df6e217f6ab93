/** Publishes the Worker of a site of objects if its code or its files changed, and stores its hashed assets. */
import { completeCode, sendAssets } from '../../publish/objects/await-code.ts'
import type { OpenPublishWorld } from '../deploy/open-publish-world.ts'
import type { BuildOptions } from '../options.ts'
import type { OpenTarget } from './open-target.ts'
import { isServedHere } from './open-target.ts'
import type { PublishedWorker } from './settle-refusal.ts'
import { settleRefusal } from './settle-refusal.ts'

type CodeTarget = Pick<OpenTarget, 'client' | 'sent'>

/**
 * If the host did not publish the Worker, returns the error instead of throwing it, so that the caller can still
 * deliver the data.
 */
export async function publishWorker(options: BuildOptions, target: CodeTarget): Promise<PublishedWorker> {
  if (isServedHere(options.configuration)) {
    await sendAssets(target, options.output)
    return { lines: [], failure: null }
  }
  const [{ openPublishWorld }, { prepareWorker }] = await Promise.all([
    import('../deploy/open-publish-world.ts'),
    import('../deploy/prepare-worker.ts'),
  ])
  const world = openPublishWorld(await prepareWorker({ ...options, progress: () => {} }))
  try {
    return await publishIn(world, target, options.output)
  } finally {
    world.close()
  }
}

async function publishIn(
  world: OpenPublishWorld,
  target: CodeTarget,
  output: string,
): Promise<PublishedWorker> {
  const code = world.code ?? ''
  try {
    const lines = isLive(world)
      ? []
      : [...(await publish(world)), ...(await completeCode(target, { output, code }))]
    return { lines, failure: null }
  } catch (error) {
    return settleRefusal(error, code, target.client)
  }
}

// Compares hashes in the state and makes no call, because most runs change data only.
function isLive({ published, digest }: OpenPublishWorld): boolean {
  const last = published.readLive()
  return last !== null && last.digest === digest && last.isSeen && last.untold === null
}

async function publish(world: OpenPublishWorld): Promise<readonly string[]> {
  const deploy = await import('../deploy/publish.ts')
  return (await deploy.publishIn(world)).lines
}
