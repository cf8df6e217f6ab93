/** The actions of the deploy command. */
import { formatCount, formatNumber } from '../../format-numbers.ts'
import { formatFileLimit } from '../../publish/file-limit.ts'
import type { PublishOptions } from './open-publish-world.ts'
import type { DeployAction, Deployed, DeployOptions } from './deploy-options.ts'
import { prepareWorker } from './prepare-worker.ts'
import { openPublishWorld } from './open-publish-world.ts'
import { UnpublishedError } from '../../publish/publish-error.ts'
import { lockFolders } from '../../state/lock-folders.ts'
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

/** Actions that need neither the built site nor its state. */
const LOCKLESS: readonly DeployAction[] = ['rollback', 'versions', 'hold', 'release', 'allow-shrink']

/** In lane `objects` these deliver objects after the Worker. */
const DELIVERING: readonly DeployAction[] = ['publish', 'setup']

/** Holds the locks of the state and of the output folder during actions that use them. */
export async function performDeploy(
  options: DeployOptions,
  progress: (text: string) => void,
): Promise<Deployed> {
  const act = ACTS[options.action]
  if (LOCKLESS.includes(options.action)) return act(options, progress)
  const deployed = await actLocked(act, options, progress).catch((error: unknown) =>
    handleFailure(error, options, progress),
  )
  const { code = null, exit: problem } = deployed
  if (code === null || problem !== undefined || !DELIVERING.includes(options.action)) return deployed
  const { deliverState } = await import('../objects/deliver-state.ts')
  const { exit, lines } = await deliverState(options, code, progress)
  return { ...deployed, exit, lines: [...deployed.lines, ...lines] }
}

/** In lane `objects` data is delivered also if the host failed. Throws the error. */
async function handleFailure(
  error: unknown,
  options: DeployOptions,
  progress: (text: string) => void,
): Promise<never> {
  const { action, configuration } = options
  const isOfObjects = configuration.hosting.lane === 'objects' && DELIVERING.includes(action)
  if (!(error instanceof UnpublishedError) || !isOfObjects) throw error
  const { deliverAfterFailure } = await import('../objects/deliver-state.ts')
  return deliverAfterFailure(error, options, progress)
}

async function actLocked(
  act: Act,
  options: DeployOptions,
  progress: (text: string) => void,
): Promise<Deployed> {
  const locks = lockFolders({ ...options, command: 'deploy' })
  try {
    return await act(options, progress)
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
      ? 'Nothing to publish: this site is published already.'
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
