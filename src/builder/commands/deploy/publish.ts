/** Publishes the result of the most recent rebuild, and formats what was done. */
import { formatNumber } from '../../format-numbers.ts'
import { formatFileLimit } from '../../publish/file-limit.ts'
import type { ForcedOutcome } from '../../publish/force-site.ts'
import type { PublishOutcome } from '../../publish/publish-world.ts'
import { publishSite } from '../../publish/publish-site.ts'
import { isEarly, setUpSite } from '../../publish/set-up-site.ts'
import { readSentence } from '../../publish/publish-error.ts'
import { EXIT } from '../exit-codes.ts'
import type { OpenPublishWorld, PublishOptions } from './open-publish-world.ts'
import { openPublishWorld } from './open-publish-world.ts'

export interface PublishResult {
  /**
   * `published`: this publish put the version live. `forced`: the same, without the coordinator's permission.
   * `unchanged`: the version was live already, or this was a dry run.
   */
  readonly kind: PublishOutcome['kind']
  readonly version: string
  /** The coordinator's sequence up to which the state has all changes; 0 before the first claim. */
  readonly sequence: number
  /** Lines to print. */
  readonly lines: readonly string[]
  /** The exit code if a person must act; otherwise absent. */
  readonly exit?: number
}

/**
 * May throw a `PublishError` (visitors then get either the old site or the new one, and the message says which if that
 * is known), a `UsageError` if a setting is wrong, a `CallError` if the coordinator cannot be reached, or an error of
 * Cloudflare's API or tool.
 */
export async function publish(options: PublishOptions): Promise<PublishResult> {
  return withWorld(options, publishIn)
}

/** If a version was put live, also fetches a photo that Cloudflare resizes, as a test. */
async function publishIn(world: OpenPublishWorld): Promise<PublishResult> {
  const outcome = await publishSite(world)
  const result = createResult(outcome, world, outcome.kind, describe(outcome))
  const photos = outcome.kind === 'unchanged' ? [] : await world.tryPhoto()
  return { ...result, lines: [...result.lines, ...photos] }
}

function describe(outcome: PublishOutcome | ForcedOutcome): readonly string[] {
  const { kind, version } = outcome
  if (kind === 'unchanged') return [`Nothing to publish: version ${version} is live.`]
  if (!('problem' in outcome)) return [`Version ${version} is live.`]
  const { problem, isReported } = outcome
  return [
    `Version ${version} is live WITHOUT the coordinator's permission, because the call to the coordinator failed: ${problem}`,
    isReported
      ? 'The coordinator has recorded the publish since then.'
      : 'The publish could not be reported to the coordinator: the next npm run deploy on this machine, with this state folder, reports it.',
  ]
}

/** Publishes for the first time, or applies settings that no version contains: addresses, schedule and migrations. */
export async function publishSetUp(options: PublishOptions): Promise<PublishResult> {
  return withWorld(options, async (world) => {
    const outcome = await setUpSite(world)
    const { problem } = outcome
    const rest = problem === null ? await world.tryPhoto() : [describeUntold(problem)]
    const result = createResult(outcome, world, 'published', [
      `Version ${outcome.version} is live, with the addresses and the schedule of wrangler.jsonc.`,
      ...rest,
    ])
    return problem === null ? result : { ...result, exit: EXIT.attention }
  })
}

function describeUntold(problem: unknown): string {
  const reason = readSentence(problem)
  return isEarly(problem)
    ? `The address is not ready yet: run npm run deploy again in a few minutes. ${reason}`
    : `The coordinator does not know this version yet: ${reason} Correct that, then run npm run deploy, which reports the version.`
}

async function withWorld(
  options: PublishOptions,
  work: (world: OpenPublishWorld) => Promise<PublishResult>,
): Promise<PublishResult> {
  const world = openPublishWorld(options)
  try {
    return await work(world)
  } finally {
    world.close()
  }
}

function createResult(
  { version, uploaded, verification }: PublishOutcome,
  { sequence }: OpenPublishWorld,
  kind: PublishResult['kind'],
  lines: readonly string[],
): PublishResult {
  const limit = formatFileLimit(verification)
  const sent = uploaded?.files ?? null
  return {
    kind,
    version,
    sequence,
    lines: [
      ...lines,
      `  files     ${formatNumber(verification.files)}${sent === null ? '' : `, ${formatNumber(sent)} uploaded`}`,
      ...(limit === null ? [] : [`  room      ${limit}`]),
      `  sequence  ${sequence === 0 ? 'none' : sequence}`,
    ],
  }
}
