/** Opens the state, the record of published files, the coordinator and Cloudflare for publishing. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Configuration } from '../configuration.ts'
import type { BuildOptions } from '../options.ts'
import { hashBytes, hashManifest, readManifest } from '../../state/manifest.ts'
import { HASHED } from '../../rebuild/static/static-files.ts'
import { openRecord } from '../../state/record/open-record.ts'
import { readBootId } from '../../state/boot-id.ts'
import { createOutput } from '../../state/output/output.ts'
import { checkState, readSampleProducts } from '../../publish/check-state.ts'
import { openCloudflare } from '../../publish/cloudflare/cloudflare.ts'
import { findActor } from '../../publish/find-actor.ts'
import { openLiveFile } from '../../publish/live-file.ts'
import { lookAtSite } from '../../publish/look-at-site.ts'
import { PublishError } from '../../publish/publish-error.ts'
import { sendAllAgain } from '../../publish/objects/find-loss.ts'
import { openSentFiles } from '../../publish/objects/sent-files.ts'
import { openPublishedState } from '../../publish/published-state.ts'
import type { PublishWorld } from '../../publish/publish-world.ts'
import { verifySite } from '../../publish/verify-site.ts'
import { openSnapshot } from '../../state/snapshot/open-snapshot.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import type { TryCode } from './try-code.ts'
import { tryPhoto } from './try-photo.ts'
import { createCoordinatorClient } from '../../publish/coordinator/coordinator-client.ts'
import type { PublishApproval } from '../../publish/coordinator/coordinator-approval.ts'
import { createCoordinatorApproval } from '../../publish/coordinator/coordinator-approval.ts'
import { PUBLISHED_FILES, RECORD, SENT_FILES, SNAPSHOT } from '../rebuild/state-files.ts'
import { ROOT, WORKER_CODE } from '../../state/project-folder.ts'

/** The options of a publish. The caller must hold the locks of the state and of the output folder. */
export interface PublishOptions extends BuildOptions {
  readonly progress: (text: string) => void
  /** Absent until `prepareWorker` adds it. */
  readonly worker?: PreparedWorker
}

export interface PreparedWorker {
  /** Path of the generated wrangler configuration. */
  readonly configuration: string
  /**
   * Lane `objects`: the fingerprint of the code that renders pages; the Worker names its code by this and a further
   * hash. `null` in lane `assets`.
   */
  readonly code: string | null
  /**
   * Hashes and names of the Worker's generated parts. They are inputs of the digest that shows whether the site has
   * changed.
   */
  readonly parts: readonly string[]
  /** Lane `objects`: renders sellers of the state with the new code before that code is published. */
  readonly tryCode?: TryCode
}

export interface OpenPublishWorld extends PublishWorld {
  /**
   * Records that the live version `version` shows this state. In lane `assets`, also feeds the search index.
   * `isChanged` is true if this publish has put the version live. Returns lines to print.
   */
  feed(version: string, isChanged: boolean): Promise<readonly string[]>
  /** Lane `objects`: makes the next delivery send all objects and files, because the store is a new one. */
  sendAllAgain(): void
  /** Fetches one of the photos that Cloudflare resizes; none if there are none. Returns lines to print. */
  tryPhoto(): Promise<readonly string[]>
  close(): void
}

export const LIVE = 'live.json'

const WORKER_FILES = ['wrangler.jsonc', 'package-lock.json']

/**
 * Pauses between fetches of the live site, in milliseconds. They grow, because a new version is visible within seconds,
 * but a new address takes longer than that.
 */
const PAUSES = [500, 1_000, 2_000, 4_000, 8_000, 15_000]

/** With `--force`: max time of a call to the coordinator, in milliseconds. Without an answer the publish continues. */
const FORCED_PATIENCE = 5_000

/** Throws a `UsageError` or a `PublishError` if the built site must not be published. */
export function openPublishWorld(options: PublishOptions): OpenPublishWorld {
  const { configuration, environment, stage, state, output, worker, isForced, progress } = options
  const folder = resolve(output)
  const { lane } = configuration.hosting
  if (!existsSync(join(state, RECORD)))
    throw new PublishError(`Nothing has been built in ${state} yet: run npm run rebuild, then try again.`)
  const by = findActor(environment)
  const record = openRecord(join(state, RECORD))
  const snapshot = openSnapshot(join(state, SNAPSHOT))
  const published = openPublishedState(join(state, PUBLISHED_FILES), openLiveFile(join(state, LIVE)))
  const close = (): void => {
    for (const one of [record, snapshot, published]) one.close()
  }
  try {
    checkState({
      site: configuration.site,
      snapshot,
      record,
      output: createOutput(folder),
      boot: readBootId(),
      sample: readSampleProducts(),
    })
  } catch (error) {
    close()
    throw error
  }
  const readGate = createGate(options, by)
  const digest = hashBytes([record.readDigest(), hashWorker(), ...listWorkerParts(options)].join(' '))
  return {
    hosting: openCloudflare({ root: ROOT, environment, stage, configuration: worker?.configuration ?? null }),
    code: worker?.code ?? null,
    get gate() {
      return readGate()
    },
    published,
    isForced,
    isOlderAllowed: options.isOlderAllowed,
    isTakeoverAllowed: options.isTakeoverAllowed,
    by,
    // 0 before the first claim.
    sequence: snapshot.readClaimed() ?? 0,
    digest,
    verify: async () => ({
      ...(await verifySite({ folder, record, snapshot, published, isFull: options.isVerify, lane })),
      notes:
        published.readLive()?.digest === digest ? [] : ((await worker?.tryCode?.(snapshot, options)) ?? []),
    }),
    look: createLook(configuration, folder),
    progress,
    feed: async (version, isChanged) => {
      snapshot.writePublished({ id: version, run: snapshot.waits.readRun() })
      if (lane === 'objects') return []
      // Imported on use, because lane `objects` does not need this module.
      const { feedSite } = await import('../search/feed-site.ts')
      return feedSite(options, { snapshot, gate: readGate() }, isChanged)
    },
    sendAllAgain: () => forgetStore(options, snapshot),
    tryPhoto: () => tryPhoto(configuration, snapshot),
    close,
  }
}

function forgetStore({ configuration, state }: PublishOptions, snapshot: Snapshot): void {
  const site = configuration.coordinator.url
  const sent = openSentFiles(join(state, SENT_FILES), site)
  sendAllAgain({ snapshot, sent, site })
  sent.close()
}

function createLook({ hosting, site: { url } }: Configuration, folder: string): PublishWorld['look'] {
  return (paths) =>
    lookAtSite({
      url,
      folder,
      paths: hosting.lane === 'objects' ? listCompared(folder) : paths,
      pauses: PAUSES,
    })
}

/**
 * Lane `objects`: returns one hashed file, because no page is served unchanged from a file, and Cloudflare can change
 * other files, such as `robots.txt`, on the way to visitors.
 */
function listCompared(folder: string): readonly string[] {
  const [first] = readdirSync(join(folder, HASHED)).sort()
  return first === undefined ? [] : [`${HASHED}${first}`]
}

/**
 * Returns a function that creates the coordinator's client at its first call, because verifying and previewing need
 * neither a coordinator nor a secret.
 */
function createGate({ configuration, isForced }: PublishOptions, by: string): () => PublishApproval {
  let gate: PublishApproval | null = null
  const open = (): PublishApproval => {
    const patience = isForced ? FORCED_PATIENCE : Infinity
    return createCoordinatorApproval(createCoordinatorClient(configuration.coordinator, { patience }), by)
  }
  return () => (gate ??= open())
}

function listWorkerParts({ worker }: PublishOptions): readonly string[] {
  if (worker === undefined) return []
  return [...worker.parts, readFileSync(worker.configuration, 'utf8')]
}

function hashWorker(): string {
  const code = WORKER_CODE.map((path) => hashManifest(readManifest(ROOT, path)))
  const files = WORKER_FILES.map((file) => hashBytes(readFileSync(join(ROOT, file))))
  return hashBytes([...code, ...files].join(' '))
}
