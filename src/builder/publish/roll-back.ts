/** Makes the previous version live again and holds publishing. Also works while the coordinator is down. */
import { setTimeout as wait } from 'node:timers/promises'
import type { PublishApproval } from './publish-approval.ts'
import type { HostedVersion, Hosting } from './hosting.ts'
import { parseTag } from './hosting.ts'
import { PublishError } from './publish-error.ts'
import type { PublishedState } from './published-state.ts'

export interface RollBackWorld {
  readonly hosting: Hosting
  readonly gate: PublishApproval
  readonly published: PublishedState
  readonly progress: (text: string) => void
}

export interface RolledBack {
  readonly from: HostedVersion
  readonly to: HostedVersion
  /** The sequence contained in the state of its pages. */
  readonly sequence: number
}

const REASON = 'rolled back'
const TIMEOUT = 90_000
/** Max time to wait for another publish in progress, in seconds. */
const PATIENCE = 5 * 60

export async function rollBack(world: RollBackWorld): Promise<RolledBack> {
  const { hosting, published, progress } = world
  const { from, to, sequence } = findPrevious(await hosting.listDeployed())
  const isHeld = await holdBefore(world)
  progress('Putting the previous version back')
  await hosting.putLive(to.version, `${REASON} from ${from.version}`, TIMEOUT)
  published.writeLive({ version: to.version, sequence, digest: '', isSeen: true })
  try {
    await world.gate.hold(REASON, { version: to.version, sequence })
  } catch (error) {
    throw new PublishError(explainHold(to, isHeld), { cause: error })
  }
  return { from, to, sequence }
}

/**
 * Returns the newest deployed version with older pages. A change of a secret also creates a version, with the pages of
 * the version before it; that one is preferred, since it has the newer secret.
 */
export function findPrevious(deployed: readonly HostedVersion[]): RolledBack {
  const ours = sortNewest(deployed.filter(({ tag }) => parseTag(tag) !== null))
  const findPages = ({ created }: HostedVersion): HostedVersion | undefined =>
    ours.find((one) => one.created <= created)
  const [from] = deployed
  const pages = from && findPages(from)
  const older = deployed.filter((one) => (findPages(one)?.created ?? '') < (pages?.created ?? ''))
  const to = sortNewest(older).find((one) => findPages(one) !== undefined)
  if (from === undefined || to === undefined)
    throw new PublishError(
      'There is no previous version to go back to among the last ten. npx wrangler versions list shows them; npx wrangler versions deploy <id>@100% puts one live.',
    )
  return { from, to, sequence: parseTag(findPages(to)?.tag ?? '') ?? 0 }
}

function sortNewest(versions: readonly HostedVersion[]): readonly HostedVersion[] {
  return versions.toSorted((a, b) => b.created.localeCompare(a.created))
}

/** Holds publishing, so that no other version goes live. Returns `false` when the coordinator cannot be reached. */
async function holdBefore({ gate, progress }: RollBackWorld): Promise<boolean> {
  try {
    for (let second = 0; second < PATIENCE; second += 1) {
      const { busyUntil } = await gate.hold(REASON, null)
      if (busyUntil === null) return true
      progress('Waiting for a version that is being put live')
      await wait(1_000)
    }
    return true
  } catch (error) {
    progress(`the coordinator could not be told: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}

function explainHold({ version }: HostedVersion, isHeld: boolean): string {
  return isHeld
    ? `Version ${version} is live again and publishing is held, but the coordinator does not know which version is live. Run npm run deploy -- --rollback only when it is not.`
    : `Version ${version} is live again, but publishing could not be held: stop the builders, or the next build replaces it.`
}
