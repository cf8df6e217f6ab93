/** The actions of the deploy command. */
import { formatCount } from '../../format-numbers.ts'
import { formatFileLimit } from '../../publish/file-limit.ts'
import type { PublishOptions } from './open-publish-world.ts'
import type { DeployAction, Deployed, DeployOptions } from './deploy-options.ts'
import { openPublishWorld } from './open-publish-world.ts'
import { lockFolders } from '../../state/locks.ts'
import type { PublishResult } from './publish.ts'
import { publish, publishSetUp } from './publish.ts'
import { holdSite, releaseSite, rollBackSite } from './site-actions.ts'

type Act = (options: DeployOptions, progress: (text: string) => void) => Promise<Deployed>

const ACTS: Readonly<Record<DeployAction, Act>> = {
  publish: createAct(publish),
  setup: createAct(publishSetUp),
  'dry-run': createAct(verifyOnly),
  rollback: rollBackSite,
  hold: holdSite,
  release: releaseSite,
}

/** Actions that need neither the built site nor the databases of its state, and so take no locks. */
const LOCKLESS: readonly DeployAction[] = ['rollback', 'hold', 'release']

/** Performs the action. Takes the locks of the state and of the output folder if the action uses one of them. */
export async function performDeploy(
  options: DeployOptions,
  progress: (text: string) => void,
): Promise<Deployed> {
  const act = ACTS[options.action]
  return LOCKLESS.includes(options.action) ? act(options, progress) : actLocked(act, options, progress)
}

async function actLocked(
  act: Act,
  options: DeployOptions,
  progress: (text: string) => void,
): Promise<Deployed> {
  const lock = lockFolders({ ...options, command: 'deploy' })
  try {
    return await act(options, progress)
  } finally {
    lock.release()
  }
}

function createAct(work: (options: PublishOptions) => Promise<PublishResult>): Act {
  return async (options, progress) => {
    const { kind, ...result } = await work({ ...options, progress })
    return { action: kind, ...result }
  }
}

async function verifyOnly(options: PublishOptions): Promise<PublishResult> {
  const world = openPublishWorld(options)
  try {
    const verification = world.verify()
    const limit = formatFileLimit(verification)
    const isSame = world.published.readLive()?.digest === world.digest
    const what = isSame
      ? 'Nothing to publish: the last publish from this state folder was of the same site.'
      : `To be published: ${formatCount(verification.files, 'file')}.`
    return {
      kind: 'unchanged',
      version: '',
      sequence: world.sequence,
      lines: [`${what} Nothing was done.`, ...(limit === null ? [] : [`  room      ${limit}`])],
    }
  } finally {
    world.close()
  }
}
