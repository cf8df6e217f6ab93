/** Opens all that a deploy needs besides the world of its rebuild: the lease, the public place, and the checks. */
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { hashBytes } from '../../files/file-hashes.ts'
import {
  CallError,
  createCoordinatorClient,
  createToken,
} from '../../publish/coordinator/coordinator-client.ts'
import type { DeployedSite, DeployStep } from '../../publish/deploy-site.ts'
import { deploySite } from '../../publish/deploy-site.ts'
import type { Lease } from '../../publish/lease.ts'
import { claimLease, openUncoordinated } from '../../publish/lease.ts'
import { lookAtSite, readLiveMarker } from '../../publish/live-site.ts'
import { deployWithPictures } from '../../publish/make-pictures.ts'
import { openPlace } from '../../publish/open-place.ts'
import { verifySite } from '../../publish/verify-site.ts'
import type { KeptWorld } from '../rebuild/kept-world.ts'
import type { OpenWorld } from '../rebuild/open-world.ts'
import type { DeployOptions } from './deploy-options.ts'

const HOME = 'index.html'
/** Pauses between looks at a new address, which takes minutes, in milliseconds. */
const NEW_ADDRESS: readonly number[] = [1_000, 4_000, ...Array.from({ length: 15 }, () => 15_000)]

interface Output {
  readonly tell: (step: DeployStep) => void
  readonly warn: (text: string) => void
}

/** Returns a function that deploys once. */
export function openDeployment(
  options: DeployOptions,
  kept: KeptWorld,
  output: Output,
): () => Promise<DeployedSite> {
  const deploy = (): Promise<DeployedSite> => {
    // The same lease is used again if the state is found damaged.
    const token = createToken()
    return kept.use((world) => deployIn(options, { ...output, world, token }))
  }
  return () => deployWithPictures({ use: kept.use, deploy })
}

interface Deployment extends Output {
  readonly world: OpenWorld
  readonly token: string
}

function deployIn(options: DeployOptions, { world, token, tell, warn }: Deployment): Promise<DeployedSite> {
  const { configuration, action, environment, stage } = options
  const { site, source, hosting, coordinator } = configuration
  const { url } = site
  const folder = resolve(options.output)
  const isSetup = action.kind === 'setup'
  const shared = { environment, stage, hosting, isSetup, url, folder, world }
  return deploySite({
    world,
    // A folder has no trigger that would name its changes, and a database has a log.
    isNamed: source === 'firestore',
    place: openPlace({ ...shared, origin: coordinator.url }),
    openLease: () => openLease(options, token, world.state.read('claimed')),
    verify: () => verifySite({ ...world, site, folder, isLimited: hosting === 'assets', warn }),
    look: ({ run }) =>
      lookAtSite({ url, run, home: world.output.read(HOME), ...(isSetup && { pauses: NEW_ADDRESS }) }),
    tell,
  })
}

/** A setup goes on without a coordinator that does not answer, because the first one makes it. */
async function openLease(options: DeployOptions, token: string, have: number | null): Promise<Lease> {
  const { configuration, state, isCoordinated, action, environment } = options
  const { coordinator, site } = configuration
  // A new address does not answer yet.
  const openFree = (): Promise<Lease> => openUncoordinated(() => readLiveMarker(site.url).catch(() => null))
  if (!isCoordinated) return openFree()
  const isSetup = action.kind === 'setup'
  const client = createCoordinatorClient(coordinator, isSetup ? { tries: 2 } : {})
  // All machines of GitHub have the same host name. The state folder is locked on its machine.
  const { GITHUB_RUN_ID: run } = environment
  const machine = run === undefined ? hostname().slice(0, 100) : `GitHub run ${run}`
  const builder = `${machine} ${hashBytes(resolve(state)).slice(0, 8)}`
  try {
    return await claimLease({ client, token, builder, have })
  } catch (error) {
    if (isSetup && error instanceof CallError && error.status !== 401) return openFree()
    throw error
  }
}
