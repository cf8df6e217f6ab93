/** Opens what publishing needs: the state, the record of what was published, the coordinator and Cloudflare. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Configuration } from '../../src/rebuild/configuration.ts'
import { hashBytes, hashManifest, readManifest } from '../../src/rebuild/fingerprint.ts'
import { openRecord } from '../../src/rebuild/open-record.ts'
import { createOutput } from '../../src/rebuild/output.ts'
import { checkState } from '../../src/publishing/check-state.ts'
import { createCloudflare } from '../../src/publishing/cloudflare.ts'
import { lookAtSite } from '../../src/publishing/look-at-site.ts'
import { PublishError } from '../../src/publishing/publish-error.ts'
import { openPublishedState } from '../../src/publishing/published-state.ts'
import type { PublishWorld } from '../../src/publishing/publish-site.ts'
import { verifySite } from '../../src/publishing/verify-site.ts'
import { createWrangler } from '../../src/publishing/wrangler.ts'
import { openSnapshot } from '../../src/snapshot/open.ts'
import { createCoordinatorClient } from '../coordinator/coordinator-client.ts'
import { createGate } from './publish-gate.ts'
import { RECORD, SNAPSHOT } from '../rebuild/open-world.ts'
import { readSampleProducts } from '../support/read-sample.ts'
import { ROOT } from '../support/root.ts'

export interface PublishOptions {
  readonly configuration: Configuration
  /** The folder of the state and the site's own. Whoever calls holds their locks, and no run is under way. */
  readonly state: string
  readonly output: string
  /** Look at every file, not only at what changed since the last publish. */
  readonly isFull: boolean
  readonly progress: (text: string) => void
}

export interface OpenPublishWorld extends PublishWorld {
  close(): void
}

export const PUBLISHED = 'published.sqlite'

/** What the Worker is made from. */
const WORKER_FOLDERS = ['functions', 'src/webhook', 'src/domain']
const WORKER_FILES = ['wrangler.jsonc', 'package-lock.json']

/** The site is there at once, or within seconds; a new address may take longer. In milliseconds. */
const PAUSES = [500, 1_000, 2_000, 4_000, 8_000, 15_000]

/** Throws a `UsageError` or a `PublishError` when what was built must not be published. */
export function openPublishWorld(options: PublishOptions): OpenPublishWorld {
  const { configuration, state, output, progress } = options
  const folder = resolve(output)
  if (!existsSync(join(state, RECORD)))
    throw new PublishError(`Nothing was built yet in ${state}: run npm run rebuild, then try again.`)
  const gate = createGate(createCoordinatorClient(configuration.coordinator))
  const record = openRecord(join(state, RECORD))
  const snapshot = openSnapshot(join(state, SNAPSHOT))
  const published = openPublishedState(join(state, PUBLISHED))
  const close = (): void => {
    for (const one of [record, snapshot, published]) one.close()
  }
  try {
    checkState({
      site: configuration.site,
      snapshot,
      record,
      output: createOutput(folder),
      sample: readSampleProducts(),
    })
  } catch (error) {
    close()
    throw error
  }
  return {
    hosting: createCloudflare(createWrangler({ root: ROOT, environment: process.env })),
    gate,
    published,
    folder,
    // Of a state that no claim led to, nothing says how new it is.
    sequence: snapshot.readClaimed() ?? 0,
    digest: hashBytes(`${record.readDigest()} ${hashWorker()}`),
    verify: () => verifySite({ folder, record, published, isFull: options.isFull }),
    look: (paths) => lookAtSite({ url: configuration.site.url, folder, paths, pauses: PAUSES }),
    progress,
    close,
  }
}

function hashWorker(): string {
  const folders = WORKER_FOLDERS.map((folder) => hashManifest(readManifest(ROOT, folder)))
  const files = WORKER_FILES.map((file) => hashBytes(readFileSync(join(ROOT, file))))
  return hashBytes([...folders, ...files].join(' '))
}
