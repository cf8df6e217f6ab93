/** Opens the state, the output folder, the coordinator and Cloudflare for publishing. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { SiteMarker } from '../../../domain/wire/site-marker.ts'
import type { Configuration } from '../configuration.ts'
import type { BuildOptions } from '../options.ts'
import { isDamage } from '../../result-codes.ts'
import { hashBytes, hashManifest, readManifest } from '../../files/file-hashes.ts'
import { createOutput } from '../../state/output.ts'
import { openState } from '../../state/site-state.ts'
import { checkState, readSampleProducts } from '../../publish/check-state.ts'
import { openCloudflare } from '../../publish/cloudflare/cloudflare.ts'
import { findActor } from '../../publish/find-actor.ts'
import { openLiveFile } from '../../publish/live-file.ts'
import { lookAtSite } from '../../publish/look-at-site.ts'
import { PublishError } from '../../publish/publish-error.ts'
import type { PublishWorld } from '../../publish/publish-world.ts'
import { verifySite } from '../../publish/verify-site.ts'
import { tryPhoto } from './try-photo.ts'
import { createCoordinatorClient } from '../../publish/coordinator/coordinator-client.ts'
import type { PublishApproval } from '../../publish/coordinator/coordinator-approval.ts'
import { createCoordinatorApproval } from '../../publish/coordinator/coordinator-approval.ts'
import { listSettings } from '../rebuild/page-inputs.ts'
import { STATE } from '../rebuild/state-files.ts'
import { ROOT, WORKER_CODE } from '../../files/project-folder.ts'

/** The options of a publish. The caller must hold the locks of the state and of the output folder. */
export interface PublishOptions extends BuildOptions {
  readonly progress: (text: string) => void
}

export interface OpenPublishWorld extends PublishWorld {
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
  const { configuration, environment, stage, isForced, progress } = options
  const folder = resolve(options.output)
  const by = findActor(environment)
  const output = createOutput(folder)
  const state = openState(join(options.state, STATE))
  let marker: SiteMarker
  try {
    marker = checkState({
      site: configuration.site,
      settings: listSettings(configuration),
      state,
      output,
      sample: readSampleProducts(),
    })
  } catch (error) {
    state.close()
    if (!isDamage(error)) throw error
    throw new PublishError('The state is damaged: run npm run rebuild, then try again.', { cause: error })
  }
  const readGate = createGate(options, by)
  return {
    hosting: openCloudflare({ root: ROOT, environment, stage, assets: folder }),
    get gate() {
      return readGate()
    },
    published: openLiveFile(join(options.state, LIVE)),
    isForced,
    isOlderAllowed: options.isOlderAllowed,
    isTakeoverAllowed: options.isTakeoverAllowed,
    by,
    // 0 before the first claim.
    sequence: state.read('claimed') ?? 0,
    digest: hashBytes([marker.run, hashWorker()].join(' ')),
    verify: () => verifySite({ folder, output }),
    look: createLook(configuration, folder),
    progress,
    tryPhoto: () => tryPhoto(configuration, state),
    close: () => state.close(),
  }
}

function createLook({ site: { url } }: Configuration, folder: string): PublishWorld['look'] {
  return (paths) => lookAtSite({ url, folder, paths, pauses: PAUSES })
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

function hashWorker(): string {
  const code = WORKER_CODE.map((path) => hashManifest(readManifest(ROOT, path)))
  const files = WORKER_FILES.map((file) => hashBytes(readFileSync(join(ROOT, file))))
  return hashBytes([...code, ...files].join(' '))
}
