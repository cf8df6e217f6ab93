/** Lane `objects`: publishes the Worker if its code or its files changed, and stores its hashed assets. */
import { completeCode, sendAssets } from '../../publish/objects/await-code.ts'
import { isLocalHost } from '../configuration.ts'
import type { OpenPublishWorld } from '../deploy/open-publish-world.ts'
import type { PublishResult } from '../deploy/publish.ts'
import type { BuildOptions } from '../options.ts'
import { describePublished, explainUndelivered } from './explain-undelivered.ts'
import type { OpenTarget } from './open-target.ts'
import type { PublishedWorker } from './settle-refusal.ts'
import { settleRefusal } from './settle-refusal.ts'

type CodeTarget = Pick<OpenTarget, 'client' | 'sent'>

/**
 * If the Worker was not published but the data may still be delivered, does not throw: returns the error in `failure`,
 * or a line to print that gives the reason.
 */
export async function publishWorker(options: BuildOptions, target: CodeTarget): Promise<PublishedWorker> {
  // For a site that is served on this machine, no Worker is uploaded.
  if (isLocalHost(new URL(options.configuration.site.url).hostname)) {
    await sendAssets(target, options.output)
    return { lines: [], failure: null }
  }
  const [{ openPublishWorld }, { prepareWorker }] = await Promise.all([
    import('../deploy/open-publish-world.ts'),
    import('../deploy/prepare-worker.ts'),
  ])
  const world = openPublishWorld(await prepareWorker({ ...options, progress: () => {} }))
  try {
    return await publishUnlessLive(world, target, options.output, () => publish(world))
  } finally {
    world.close()
  }
}

/** The part of the world that shows whether this Worker is already live. */
type LiveWorld = Pick<OpenPublishWorld, 'published' | 'digest' | 'code'> & {
  readonly gate: Pick<OpenPublishWorld['gate'], 'readStatus'>
}

export async function publishUnlessLive(
  world: LiveWorld,
  target: CodeTarget,
  output: string,
  doPublish: () => Promise<PublishResult>,
): Promise<PublishedWorker> {
  if (await isLive(world)) {
    // Sends assets that an interrupted run may not have sent. Makes no call if all are recorded as sent.
    await sendAssets(target, output)
    return { lines: [], failure: null }
  }
  const code = world.code ?? ''
  const result = await doPublish().catch((error: unknown) => settleRefusal(error, code, target.client))
  if ('failure' in result) return result
  const said = describePublished(result.kind, result.version)
  const told = await completeCode(target, { output, code }).catch((error: unknown) => {
    throw explainUndelivered(said, error)
  })
  return { lines: [...result.lines, ...told], failure: null, said }
}

/**
 * Returns whether nothing has to be published: this state has published this Worker, and no earlier version is live, as
 * after a rollback on another machine. A later version does not count, because two machines with different code would
 * otherwise replace each other's version with each run.
 */
async function isLive({ published, digest, gate }: LiveWorld): Promise<boolean> {
  const last = published.readLive()
  if (last === null || last.digest !== digest || !last.isSeen || last.untold !== null) return false
  // If the coordinator does not answer, the version of this state counts as live.
  const live = await gate.readStatus().then(
    ({ publishing }) => publishing.live,
    () => null,
  )
  return live === null || live.sequence >= last.sequence
}

async function publish(world: OpenPublishWorld): Promise<PublishResult> {
  const deploy = await import('../deploy/publish.ts')
  return deploy.publishIn(world)
}
