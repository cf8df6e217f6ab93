/** Makes a version live under a lease of the coordinator, atomically for every visitor. */
import type { Refusal } from '../../domain/wire/calls.ts'
import { CloudflareError } from './cloudflare/cloudflare-api.ts'
import type { Hosting } from './cloudflare/hosting.ts'
import { PublishError, readSentence } from './publish-error.ts'
import type { Live } from './live-file.ts'
import type { PublishWorld } from './publish-world.ts'

type SwitchWorld = Pick<PublishWorld, 'gate' | 'hosting' | 'published' | 'progress'>

const REFUSALS: Readonly<Record<Refusal, string>> = {
  held: 'publishing is held: npm run deploy -- --release ends that',
  busy: 'another machine is publishing: try again in a minute',
  older:
    'this state may be older than the live site: run npm run rebuild -- --pending --deploy, which claims the missing changes',
}

export function createRefusal(refusal: Refusal, reason: string): PublishError {
  return new PublishError(`Nothing was published (${reason}): ${REFUSALS[refusal]}.`)
}

/**
 * `before` is the content of the live file before this publish. Throws a `CallError` if the call for permission fails.
 * Throws a `PublishError` unless the new version is live and was reported to the coordinator in time.
 */
export async function switchVersion(
  next: Live,
  before: Live | null,
  { gate, hosting, published, progress }: SwitchWorld,
): Promise<void> {
  const { version, sequence } = next
  const answer = await gate.begin({ version, sequence, base: before?.version ?? null })
  if ('refused' in answer) throw createRefusal(answer.refused, answer.reason)
  progress('Putting the version live')
  // The timeout is only half of the lease's time, because time is needed to report the result.
  const { isLive, problem } = await putLive(next, hosting, answer.lasts / 2)
  const result = describeSwitch(version, { isLive, problem })
  // Also written if the result is unknown: the version may be live, and then the next publish must name it as its base.
  if (isLive !== false) published.writeLive(next)
  const isInTime = await gate.end(answer.lease, isLive).catch((cause: unknown) => {
    const message = `${result} The coordinator could not be notified: ${readSentence(cause)} Run npm run deploy again in a minute.`
    throw new PublishError(message, { cause })
  })
  if (isLive !== true) throw new PublishError(`${result} Run npm run deploy again.`, { cause: problem })
  if (!isInTime)
    throw new PublishError(
      'The version went live, but its lease had ended, or another version was put live without a lease meanwhile: run npm run deploy again.',
    )
}

interface Switch {
  /** `null` when unknown. */
  readonly isLive: boolean | null
  readonly problem: unknown
}

/** Makes the version live. If the call fails, asks the host whether the version is live. `timeout`: milliseconds. */
export async function putLive(
  { version, sequence }: Live,
  hosting: Hosting,
  timeout: number,
): Promise<Switch> {
  try {
    await hosting.putLive(version, `sequence ${sequence}`, timeout)
    return { isLive: true, problem: null }
  } catch (problem) {
    return { isLive: await findOut(version, problem, hosting), problem }
  }
}

/** Returns whether the version is live although the call to put it live failed; `null` if unknown. */
async function findOut(version: string, problem: unknown, hosting: Hosting): Promise<boolean | null> {
  try {
    if ((await hosting.findLive()) === version) return true
  } catch {
    // The host is probably unavailable, because the call to put the version live failed, too.
    return null
  }
  // Unless the host refused the call, it may still carry it out later.
  return problem instanceof CloudflareError && problem.code !== null ? false : null
}

export function describeSwitch(version: string, { isLive, problem }: Switch): string {
  if (isLive === true) return `Version ${version} is live.`
  const what =
    isLive === null
      ? 'It is not known whether the version went live'
      : 'The version did not go live, and the site is unchanged'
  return `${what}: ${readSentence(problem)}`
}
