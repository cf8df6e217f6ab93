/** The actions of the deploy command. */
import { formatCount, formatNumber } from '../../format-numbers.ts'
import { formatFileLimit } from '../../publish/file-limit.ts'
import type { PublishOptions } from './open-publish-world.ts'
import type { DeployAction, Deployed, DeployOptions } from './deploy-options.ts'
import { prepareWorker } from './prepare-worker.ts'
import { openPublishWorld } from './open-publish-world.ts'
import { DeliverableError } from '../../publish/publish-error.ts'
import { isDamage } from '../../result-codes.ts'
import { lockFolders } from '../../state/lock-folders.ts'
import { describePublished, explainUndelivered } from '../objects/explain-undelivered.ts'
import type { DeliveredState, WorkerEnd } from '../objects/deliver-state.ts'
import { removeDamaged } from '../rebuild/state-files.ts'
import type { PublishResult } from './publish.ts'
import { publish, publishPreview, publishSetUp } from './publish.ts'
import { allowShrink, holdSite, listVersions, releaseSite, rollBackSite } from './site-actions.ts'

type Act = (options: DeployOptions, progress: (text: string) => void) => Promise<Deployed>

const ACTS: Readonly<Record<DeployAction, Act>> = {
  publish: createAct(publish),
  preview: createAct(publishPreview),
  setup: createAct(publishSetUp),
  'dry-run': createAct(verifyOnly),
  rollback: rollBackSite,
  versions: listVersions,
  hold: holdSite,
  release: releaseSite,
  'allow-shrink': allowShrink,
}

/** Actions that need neither the built site nor the databases of its state, and so take no locks. */
const LOCKLESS: readonly DeployAction[] = ['rollback', 'versions', 'hold', 'release', 'allow-shrink']

/** Actions that publish the Worker and, in lane `objects`, then deliver the objects. */
const DELIVERING: readonly DeployAction[] = ['publish', 'setup']

/**
 * Performs the action. Takes the locks of the state and of the output folder if the action uses the built site or its
 * state. In lane `objects`, a publish or setup then delivers the objects, unless a person must act first. The delivery
 * takes these locks again.
 */
export async function performDeploy(
  options: DeployOptions,
  progress: (text: string) => void,
): Promise<Deployed> {
  const act = ACTS[options.action]
  if (LOCKLESS.includes(options.action)) return act(options, progress)
  const deliversObjects =
    options.configuration.hosting.lane === 'objects' && DELIVERING.includes(options.action)
  const deliver = async (worker: WorkerEnd): Promise<DeliveredState> => {
    const { deliverState } = await import('../objects/deliver-state.ts')
    return deliverState(options, worker, progress)
  }
  const deployed = await actLocked(act, options, progress).catch(async (error: unknown) => {
    // A `DeliverableError` does not prevent a delivery of the data. `deliver` throws the error afterwards.
    if (deliversObjects && error instanceof DeliverableError) await deliver({ failure: error })
    throw error
  })
  const { code = null, exit: problem } = deployed
  if (code === null || problem !== undefined || !deliversObjects) return deployed
  const { exit, lines } = await deliver({ code }).catch((error: unknown) => {
    throw explainUndelivered(describePublished(deployed.action, deployed.version ?? ''), error)
  })
  return { ...deployed, exit, lines: [...deployed.lines, ...lines] }
}

async function actLocked(
  act: Act,
  options: DeployOptions,
  progress: (text: string) => void,
): Promise<Deployed> {
  const locks = lockFolders({ ...options, command: 'deploy' })
  try {
    return await act(options, progress).catch((error: unknown) => {
      // Repeats the action without the damaged files. If it needs them, its error says to run a rebuild first.
      if (!isDamage(error) || removeDamaged(options.state).length === 0) throw error
      return act(options, progress)
    })
  } finally {
    for (const lock of locks) lock.release()
  }
}

function createAct(work: (options: PublishOptions) => Promise<PublishResult>): Act {
  return async (options, progress) => {
    const { kind, ...result } = await work({ ...options, progress })
    return { action: kind, ...result }
  }
}

async function verifyOnly(options: PublishOptions): Promise<PublishResult> {
  const world = openPublishWorld(await prepareWorker(options))
  try {
    const verification = await world.verify()
    const { files, changed, removed, notes = [] } = verification
    const limit = world.code === null ? formatFileLimit(verification) : null
    const isSame = world.published.readLive()?.digest === world.digest
    const what = isSame
      ? 'Nothing to publish: the last publish from this state folder was of the same site.'
      : `To be published: ${formatNumber(changed.length)} of ${formatCount(files, 'file')} changed, ${formatNumber(removed.length)} removed.`
    return {
      kind: 'unchanged',
      version: '',
      code: null,
      sequence: world.sequence,
      lines: [`${what} Nothing was done.`, ...notes, ...(limit === null ? [] : [`  room      ${limit}`])],
    }
  } finally {
    world.close()
  }
}
