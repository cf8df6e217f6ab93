/** The moment that a version goes live: under a lease of the coordinator, and as one step for every visitor. */
import type { Refusal } from '../../domain/wire/calls.ts'
import type { PublishApproval } from './publish-approval.ts'
import type { Hosting } from './hosting.ts'
import { PublishError, readMessage } from './publish-error.ts'
import type { Live, PublishedState } from './published-state.ts'

export interface SwitchWorld {
  readonly gate: PublishApproval
  readonly hosting: Hosting
  readonly published: PublishedState
  readonly progress: (text: string) => void
}

const REFUSALS: Readonly<Record<Refusal, string>> = {
  held: 'publishing is held: npm run deploy -- --release ends that',
  busy: 'another machine publishes just now: try again in a minute',
  older:
    'this state may be older than the live site: run npm run rebuild -- --pending --deploy, which claims what it lacks',
}

export function createRefusal(refusal: Refusal, reason: string): PublishError {
  return new PublishError(`Nothing was published (${reason}): ${REFUSALS[refusal]}.`)
}

/** `before` is what this state published last. Throws a `PublishError` unless visitors get the new version now. */
export async function switchVersion(
  next: Live,
  before: Live | null,
  { gate, hosting, published, progress }: SwitchWorld,
): Promise<void> {
  const { version, sequence } = next
  const answer = await gate.begin({ version, sequence, base: before?.version ?? null })
  if ('refused' in answer) throw createRefusal(answer.refused, answer.reason)
  progress('Putting it live')
  const { isLive, problem } = await putLive(next, hosting, answer.lasts)
  const result = describeSwitch(version, { isLive, problem })
  // One that may be live is what the next version goes on from.
  if (isLive !== false) published.writeLive(next)
  const isInTime = await gate.end(answer.lease, isLive).catch((cause: unknown) => {
    const message = `${result} Its coordinator could not be told: ${readMessage(cause)} Run npm run deploy again in a minute.`
    throw new PublishError(message, { cause })
  })
  if (isLive !== true) throw new PublishError(`${result} Run npm run deploy again.`, { cause: problem })
  if (!isInTime)
    throw new PublishError(
      'The version went live so late that another may have been published meanwhile: run npm run deploy again.',
    )
}

interface Switch {
  /** `null` when that cannot be told. */
  readonly isLive: boolean | null
  readonly problem: unknown
}

async function putLive({ version, sequence }: Live, hosting: Hosting, lasts: number): Promise<Switch> {
  try {
    // What is left of the lease is for telling how it went.
    await hosting.putLive(version, `sequence ${sequence}`, lasts / 2)
    return { isLive: true, problem: null }
  } catch (problem) {
    return { isLive: await findOut(version, hosting), problem }
  }
}

/** It may have gone live, and only the answer was lost. */
async function findOut(version: string, hosting: Hosting): Promise<boolean | null> {
  try {
    return (await hosting.findLive()) === version
  } catch {
    // Who cannot be asked to switch may not be able to tell either.
    return null
  }
}

function describeSwitch(version: string, { isLive, problem }: Switch): string {
  if (isLive === true) return `Version ${version} is live.`
  const what =
    isLive === null
      ? 'Whether the version went live is not known'
      : 'The version did not go live, the site is as it was'
  return `${what}: ${readMessage(problem)}`
}
