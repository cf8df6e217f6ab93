/**
 * Makes an earlier version live again and holds publishing. Only the host can delay the switch: each call to the
 * coordinator ends within seconds, and the databases of the rebuild are not opened.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { HostedVersion, RollBackChoice } from './cloudflare/hosted-versions.ts'
import { chooseRollBack } from './cloudflare/hosted-versions.ts'
import type { Hosting } from './cloudflare/hosting.ts'
import type { LiveFile, Untold } from './live-file.ts'
import type { PublishApproval } from './coordinator/coordinator-approval.ts'
import { PublishError, readSentence } from './publish-error.ts'

interface RollBackWorld {
  readonly hosting: Pick<Hosting, 'readHosted' | 'putBack' | 'findLive'>
  /** Each of its calls must end within seconds. */
  readonly gate: Pick<PublishApproval, 'hold'>
  readonly live: LiveFile
  readonly by: string
  readonly progress: (text: string) => void
  /** Pause before each check whether another machine has changed the live version, in milliseconds. */
  readonly pause?: number
}

interface RolledBack extends RollBackChoice {
  /** Notes to print, one line each. */
  readonly notes: readonly string[]
}

const ROLLED_BACK = 'rolled back'
const LOOKS = 3

/** `to` is the id, or its beginning, of the version to put live; `null` for the version before the live one. */
export async function rollBack(world: RollBackWorld, to: string | null): Promise<RolledBack> {
  const { hosting, progress } = world
  const choice = chooseRollBack(await hosting.readHosted(), to)
  progress('Holding publishing')
  const held = await holdFirst(world)
  progress('Putting the earlier version back')
  const secrets = await putBack(choice, world).catch((cause: unknown) => {
    throw new PublishError(`The rollback failed: ${readSentence(cause)} ${explainFailed(held)}`, {
      cause,
    })
  })
  const kept = keepLive(choice, world)
  progress('Reporting to the coordinator')
  const [told, others] = await Promise.all([tell(choice, world), watchOthers(choice, held, world)])
  const notes = [...describeSecrets(secrets), ...others, ...kept]
  if (told !== null) throw new PublishError([explainUntold(choice.to, held, told), ...notes].join('\n'))
  if (kept.length === 0) writeLive(choice, world, null)
  return { ...choice, notes }
}

type Held = { readonly busyUntil: string | null } | { readonly problem: string }

async function holdFirst({ gate }: RollBackWorld): Promise<Held> {
  try {
    return await gate.hold(ROLLED_BACK, null)
  } catch (error) {
    return { problem: readSentence(error) }
  }
}

function putBack({ from, to }: RollBackChoice, { hosting }: RollBackWorld): Promise<string | null> {
  return hosting.putBack(to.version, `${ROLLED_BACK}${from === null ? '' : ` from ${from}`}`)
}

/** Reports the live version to the coordinator. Returns `null`, or the error message if the call failed. */
async function tell({ to, sequence }: RollBackChoice, { gate }: RollBackWorld): Promise<string | null> {
  try {
    await gate.hold(ROLLED_BACK, { version: to.version, sequence })
    return null
  } catch (error) {
    return readSentence(error)
  }
}

/**
 * Repeats the rollback if another machine, with a permission to publish granted before the hold, puts its version live.
 * Returns notes to print if there was such a permission.
 */
async function watchOthers(
  choice: RollBackChoice,
  held: Held,
  world: RollBackWorld,
): Promise<readonly string[]> {
  if ('problem' in held || held.busyUntil === null) return []
  let other: string | null = null
  for (let look = 1; look <= LOOKS; look += 1) {
    await wait(world.pause ?? 1_000)
    // Skips this check if the host does not answer, or if not exactly one version is live. The note below asks the user
    // to check the live version later.
    const live = await world.hosting.findLive().catch(() => null)
    if (live === null) continue
    const failed =
      live === choice.to.version ? null : await putBack(choice, world).then(() => null, readSentence)
    other = failed === null ? null : `It put version ${live} live, and a second rollback failed: ${failed}`
  }
  return [
    `Before publishing was held, another machine got permission to put a version live until ${held.busyUntil}: run npm run status after that time to see which version is live.`,
    ...(other === null ? [] : [`${other} Run npm run deploy -- --rollback again.`]),
  ]
}

/**
 * Stores the chosen version as live and not yet reported. If the report to the coordinator fails, this machine's next
 * deploy repeats the report. Returns a note to print if the version could not be stored.
 */
function keepLive(choice: RollBackChoice, world: RollBackWorld): readonly string[] {
  try {
    const at = new Date().toISOString()
    writeLive(choice, world, { action: 'rolled-back', reason: ROLLED_BACK, by: world.by, at })
    return []
  } catch (error) {
    return [`The rollback could not be recorded in this machine's state folder: ${readSentence(error)}`]
  }
}

function writeLive({ to, sequence }: RollBackChoice, { live }: RollBackWorld, untold: Untold | null): void {
  live.writeLive({ version: to.version, sequence, digest: '', isSeen: true, untold })
}

function describeSecrets(secrets: string | null): readonly string[] {
  return secrets === null
    ? []
    : [
        `The rollback also restored earlier secrets: ${secrets}. If REBUILD_SECRET is one of them, set REBUILD_SECRET_PREVIOUS to the earlier one in .env and for the builders: calls are then signed with both. Cloudflare refuses wrangler secret put until the next publish, which restores the present secrets.`,
      ]
}

function explainFailed(held: Held): string {
  return 'problem' in held
    ? 'Publishing could not be held either: try again.'
    : 'Publishing is held now: try again, or end the hold with npm run deploy -- --release.'
}

function explainUntold({ version }: HostedVersion, held: Held, problem: string): string {
  return 'problem' in held
    ? `Version ${version} is live again, but publishing could not be held: ${problem} Stop the builders, or the next build may replace this version. Run npm run deploy -- --hold as soon as /api answers.`
    : `Version ${version} is live again and publishing is held, but the coordinator does not know which version is live: ${problem} The next npm run deploy on this machine reports it.`
}
