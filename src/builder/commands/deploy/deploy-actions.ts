/** The actions of the deploy command. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { formatCount, formatNumber } from '../../format-numbers.ts'
import { createCloudflare } from '../../publish/cloudflare.ts'
import { formatFileLimit } from '../../publish/file-limit.ts'
import { openPublishedState } from '../../publish/published-state.ts'
import { rollBack } from '../../publish/roll-back.ts'
import { createWrangler } from '../../publish/wrangler.ts'
import { createCoordinatorClient } from '../../publish/coordinator-client.ts'
import type { PublishOptions } from './open-publish-world.ts'
import { openPublishWorld, PUBLISHED } from './open-publish-world.ts'
import { lockFolders } from '../../state/lock-folders.ts'
import type { PublishResult } from './publish.ts'
import { publish, publishPreview, publishSetUp } from './publish.ts'
import { createCoordinatorApproval } from '../../publish/coordinator-approval.ts'
import { ROOT } from '../../state/project-folder.ts'

export type DeployAction = 'publish' | 'preview' | 'setup' | 'rollback' | 'release' | 'dry-run'

export interface DeployOptions extends Omit<PublishOptions, 'progress'> {
  readonly action: DeployAction
}

export interface Deployed {
  readonly action: DeployAction | PublishResult['kind']
  readonly version: string | null
  readonly sequence: number | null
  readonly lines: readonly string[]
}

type Act = (options: DeployOptions, progress: (text: string) => void) => Promise<Deployed>

const ACTS: Readonly<Record<DeployAction, Act>> = {
  publish: createAct(publish),
  preview: createAct(publishPreview),
  setup: createAct(publishSetUp),
  'dry-run': createAct(verifyOnly),
  rollback: rollBackSite,
  release: releaseSite,
}

/** Actions that read neither the site nor its record, and so run while a builder is at work. */
const LOCKLESS: readonly DeployAction[] = ['rollback', 'release']

/** Holds the locks of the state and of the output folder during actions that use them. */
export async function performDeploy(
  options: DeployOptions,
  progress: (text: string) => void,
): Promise<Deployed> {
  mkdirSync(options.state, { recursive: true })
  const locks = LOCKLESS.includes(options.action) ? [] : lockFolders({ ...options, command: 'deploy' })
  try {
    return await ACTS[options.action](options, progress)
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
  const world = openPublishWorld(options)
  try {
    const verification = await world.verify()
    const { files, changed, removed } = verification
    const limit = formatFileLimit(verification)
    const isSame = world.published.readLive()?.digest === world.digest
    const what = isSame
      ? 'Nothing to publish: this site is published already.'
      : `To be published: ${formatNumber(changed.length)} of ${formatCount(files, 'file')} changed, ${formatNumber(removed.length)} removed.`
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

async function rollBackSite(
  { state, configuration, environment }: DeployOptions,
  progress: (text: string) => void,
): Promise<Deployed> {
  const published = openPublishedState(join(state, PUBLISHED))
  const gate = createCoordinatorApproval(createCoordinatorClient(configuration.coordinator, { tries: 3 }))
  const hosting = createCloudflare(createWrangler({ root: ROOT, environment }))
  try {
    const { from, to } = await rollBack({ hosting, gate, published, progress })
    return {
      action: 'rollback',
      version: to.version,
      sequence: null,
      lines: [
        `Version ${to.version} of ${to.created} is live again, in place of ${from.version}.`,
        'Publishing is held: npm run deploy -- --release ends that and starts a build.',
      ],
    }
  } finally {
    published.close()
  }
}

async function releaseSite({ configuration }: DeployOptions): Promise<Deployed> {
  await createCoordinatorApproval(createCoordinatorClient(configuration.coordinator)).release()
  const lines = ['Publishing is released: the next build goes live.']
  return { action: 'release', version: null, sequence: null, lines }
}
