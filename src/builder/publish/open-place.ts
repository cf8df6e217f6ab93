/**
 * Opens the public place that the settings name. A setup hands the terminal to wrangler, for the first publish and for
 * changes that no version contains: addresses, schedule, migrations.
 */
import { join } from 'node:path'
import { ROOT } from '../files/project-folder.ts'
import type { World } from '../rebuild/world.ts'
import { createBucketPlace } from './bucket-place.ts'
import { readLiveMarker } from './live-site.ts'
import type { PublicPlace } from './public-place.ts'
import { createAssetsPlace } from './public-place.ts'
import { PublishError } from './publish-error.ts'
import type { Environment } from './redact.ts'
import type { Wrangler } from './wrangler.ts'
import { createWrangler } from './wrangler.ts'

export interface HostingOptions {
  readonly hosting: keyof typeof CONFIGURATIONS
  readonly environment: Environment
  readonly stage: string | null
}

interface PlaceOptions extends HostingOptions {
  readonly isSetup: boolean
  /** Origin of the site. */
  readonly url: string
  /** Origin of its Worker. */
  readonly origin: string
  /** The output folder. */
  readonly folder: string
  readonly world: Pick<World, 'output' | 'renderers' | 'progress'>
}

const CONFIGURATIONS = { assets: 'wrangler.jsonc', bucket: 'wrangler.bucket.jsonc' }

/** In milliseconds. */
const TIMEOUT = 5 * 60_000

export function openWrangler({ hosting, environment, stage }: HostingOptions): Wrangler {
  return createWrangler({ root: ROOT, environment, stage, configuration: CONFIGURATIONS[hosting] })
}

export function openPlace(options: PlaceOptions): PublicPlace {
  const { hosting, isSetup, url, folder, world } = options
  const wrangler = openWrangler(options)
  const shared = { wrangler, folder, readLive: () => readLiveMarker(url) }
  if (hosting === 'assets')
    return isSetup ? createSetUpPlace(shared) : createAssetsPlace({ ...shared, progress: world.progress })
  const deployWorker = async (): Promise<void> => {
    if (isSetup) return setUpBucket(options, wrangler)
    world.progress('Deploying the Worker')
    await wrangler.run(['deploy'], TIMEOUT)
  }
  return createBucketPlace({ ...options, readLive: shared.readLive, deployWorker })
}

interface SetUpOptions {
  readonly wrangler: Wrangler
  readonly folder: string
  readonly readLive: PublicPlace['readLive']
}

/** Uploads and goes live in one step, so the lease is asked before the upload, and is renewed during it. */
function createSetUpPlace({ wrangler, folder, readLive }: SetUpOptions): PublicPlace {
  return {
    isAtomic: true,
    readLive,
    publish: async ({ marker: { run }, lease }) => {
      await lease.permit(run)
      await wrangler.ask(['deploy', '--assets', folder, '--message', `run ${run}`])
      return `with the addresses, the schedule and the migrations of ${CONFIGURATIONS.assets}`
    },
  }
}

/** Creates the bucket, unless the account has it already, and the Worker. */
async function setUpBucket({ stage }: PlaceOptions, wrangler: Wrangler): Promise<void> {
  const { unstable_readConfig: readConfig } = await import('wrangler')
  const config = join(ROOT, CONFIGURATIONS.bucket)
  const name = readConfig({ config, ...(stage !== null && { env: stage }) }).r2_buckets[0]?.bucket_name
  if (name === undefined) throw new PublishError(`${CONFIGURATIONS.bucket} names no bucket.`)
  try {
    await wrangler.run(['r2', 'bucket', 'create', name], TIMEOUT)
  } catch (error) {
    if (!(error instanceof Error && /already exists/i.test(error.message))) throw error
  }
  await wrangler.ask(['deploy'])
}
