/** Publishes the result of the most recent rebuild, and formats what was done. */
import { formatNumber } from '../../format-numbers.ts'
import { formatFileLimit } from '../../publish/file-limit.ts'
import type { ForcedOutcome } from '../../publish/force-site.ts'
import type { PublishOutcome } from '../../publish/publish-world.ts'
import { previewSite, publishSite } from '../../publish/publish-site.ts'
import { isEarly, setUpSite } from '../../publish/set-up-site.ts'
import { readSentence } from '../../publish/publish-error.ts'
import { createCloudflareApi } from '../../publish/cloudflare/cloudflare-api.ts'
import { createStores } from '../../publish/cloudflare/create-stores.ts'
import { readWorkerConfiguration } from '../../publish/cloudflare/worker-configuration.ts'
import { createWrangler } from '../../publish/cloudflare/wrangler.ts'
import { ROOT } from '../../state/project-folder.ts'
import { isOfWorkers } from '../configuration.ts'
import { EXIT } from '../exit-codes.ts'
import { prepareWorker } from './prepare-worker.ts'
import type { OpenPublishWorld, PublishOptions } from './open-publish-world.ts'
import { openPublishWorld } from './open-publish-world.ts'

export interface PublishResult {
  /**
   * `published`: this publish put the version live. `forced`: the same, without the coordinator's permission.
   * `unchanged`: the version was live already, or this was a dry run. `uploaded`: the version is a preview, and is not
   * live.
   */
  readonly kind: PublishOutcome['kind'] | 'uploaded'
  readonly version: string
  /**
   * Lane `objects`: the fingerprint of the Worker's code, as in `PreparedWorker`. `null` in lane `assets` and after a
   * dry run.
   */
  readonly code: string | null
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

/**
 * Publishes in an open world. In lane `assets`, feeds the search index, except after a forced publish. If a version was
 * put live, also fetches a photo that Cloudflare resizes, as a test.
 */
export async function publishIn(world: OpenPublishWorld): Promise<PublishResult> {
  const outcome = await publishSite(world)
  const result = createResult(outcome, world, outcome.kind, describe(outcome))
  // Does not feed the search index after a forced publish, because the index cannot be reached while the coordinator
  // does not answer.
  const search =
    outcome.kind === 'forced' ? [] : await world.feed(outcome.version, outcome.kind === 'published')
  const photos = outcome.kind === 'unchanged' ? [] : await world.tryPhoto()
  return { ...result, lines: [...result.lines, ...search, ...photos] }
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

/** Uploads a version without making it live. */
export async function publishPreview(options: PublishOptions): Promise<PublishResult> {
  return withWorld(options, async (world) => {
    const outcome = await previewSite(world)
    const { version, uploaded } = outcome
    const where =
      uploaded?.address ??
      'without an address, because Cloudflare gives none to versions of a Worker with Durable Objects'
    return createResult(outcome, world, 'uploaded', [`Version ${version} is uploaded: ${where}.`])
  })
}

/** Publishes for the first time, or applies settings that no version contains: addresses, schedule and migrations. */
export async function publishSetUp(options: PublishOptions): Promise<PublishResult> {
  return withWorld(options, async (world) => {
    const created = world.code === null ? [] : await createOwnStores(options, world)
    const outcome = await setUpSite(world)
    const { problem } = outcome
    const rest =
      problem === null
        ? [...(await world.feed(outcome.version, true)), ...(await world.tryPhoto())]
        : [describeUntold(problem)]
    const result = createResult(outcome, world, 'published', [
      ...created,
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

/** Returns lines to print. */
async function createOwnStores(
  { environment, stage }: PublishOptions,
  world: OpenPublishWorld,
): Promise<readonly string[]> {
  const worker = readWorkerConfiguration(ROOT, stage)
  const wrangler = createWrangler({ root: ROOT, environment, stage })
  const api = createCloudflareApi({ environment, worker, wrangler })
  const { lines, isBucketNew } = await createStores(api, worker.name)
  if (isBucketNew) world.sendAllAgain()
  return lines
}

const UNCACHED =
  '  cache     none, as workers.dev has no cache: each request for a page reads the R2 bucket, and fails while R2 fails. To get a cache, add a domain of your own to routes in wrangler.jsonc'

async function withWorld(
  options: PublishOptions,
  work: (world: OpenPublishWorld) => Promise<PublishResult>,
): Promise<PublishResult> {
  const world = openPublishWorld(await prepareWorker(options))
  try {
    const result = await work(world)
    const isUncached = result.code !== null && isOfWorkers(options.configuration.site.url)
    return isUncached ? { ...result, lines: [...result.lines, UNCACHED] } : result
  } finally {
    world.close()
  }
}

function createResult(
  { version, uploaded, verification }: PublishOutcome,
  { sequence, code }: OpenPublishWorld,
  kind: PublishResult['kind'],
  lines: readonly string[],
): PublishResult {
  const { files, changed, removed, notes = [] } = verification
  const limit = code === null ? formatFileLimit(verification) : null
  const sent = uploaded?.files ?? null
  return {
    kind,
    version,
    sequence,
    code,
    lines: [
      ...lines,
      ...notes,
      `  files     ${formatNumber(files)}; ${formatNumber(changed.length)} changed, ${formatNumber(removed.length)} removed${sent === null ? '' : `, ${formatNumber(sent)} uploaded`}`,
      ...(limit === null ? [] : [`  room      ${limit}`]),
      `  sequence  ${sequence === 0 ? 'none' : sequence}`,
    ],
  }
}
