/** Runs one deploy in an open world, and reports it to programs. */
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { hashBytes } from '../../files/file-hashes.ts'
import { createToken } from '../../publish/coordinator/coordinator-client.ts'
import type { DeployedSite } from '../../publish/deploy-site.ts'
import { deploySite } from '../../publish/deploy-site.ts'
import { formatStep } from '../../publish/format-step.ts'
import { openLease } from '../../publish/lease.ts'
import { lookAtSite } from '../../publish/live-site.ts'
import { deployWithPictures } from '../../publish/make-pictures.ts'
import { openPlace } from '../../publish/open-place.ts'
import { verifySite } from '../../publish/verify-site.ts'
import type { Terminal } from '../command.ts'
import { formatOutcome } from '../rebuild/format-rebuild.ts'
import type { KeptWorld, OpenWorld } from '../rebuild/open-world.ts'
import { createRebuildReport } from '../rebuild/rebuild-report.ts'
import type { DeployAction, DeployOptions } from './deploy-options.ts'

type DeployOutput = Pick<Terminal, 'print' | 'warn'>

const HOME = 'index.html'
/** Pauses between looks at a new address, which takes minutes, in milliseconds. */
const NEW_ADDRESS: readonly number[] = [1_000, 4_000, ...Array.from({ length: 15 }, () => 15_000)]

/** Returns a function that deploys. What only the first deploy is to do, such as a setup, is done once. */
export function createDeploy(
  options: DeployOptions,
  kept: KeptWorld,
  output: DeployOutput,
): () => Promise<DeployedSite> {
  let given = options
  const deploy = async (): Promise<DeployedSite> => {
    // The same lease is used again if the state is found damaged.
    const token = createToken()
    const deployed = await kept.use((world) => deployIn(world, given, { ...output, token }))
    given = { ...options, action: 'deploy', isFull: false, isShrinkAllowed: false }
    return deployed
  }
  return () => deployWithPictures({ use: kept.use, deploy })
}

function deployIn(
  world: OpenWorld,
  options: DeployOptions,
  { token, print, warn }: DeployOutput & { readonly token: string },
): Promise<DeployedSite> {
  const start = performance.now()
  const { environment, stage, isCoordinated, configuration } = options
  const { site, source, hosting, coordinator } = configuration
  const { url } = site
  const folder = resolve(options.output)
  const isSetup = options.action === 'setup'
  const shared = { environment, stage, hosting, isSetup, url, folder, world }
  const place = openPlace({ ...shared, origin: coordinator.url })
  return deploySite({
    world: { ...world, options },
    // A folder has no trigger that would name its changes, and a database has a log.
    isNamed: source === 'firestore',
    place,
    openLease: () => {
      world.progress(`Asking ${coordinator.url}`)
      return openLease({
        ...place,
        coordinator: isCoordinated ? coordinator : null,
        isSetup,
        token,
        builder: nameBuilder(options),
        have: world.state.read('claimed'),
      })
    },
    verify: ({ everything }) => {
      const [isLimited, isWhole] = [hosting === 'assets', everything !== null]
      return verifySite({ ...world, site, folder, isLimited, isWhole, warn })
    },
    look: ({ run }) =>
      lookAtSite({ url, run, home: world.output.read(HOME), ...(isSetup && { pauses: NEW_ADDRESS }) }),
    tell: (step) =>
      print(formatStep(step, (outcome) => formatOutcome(outcome, site, performance.now() - start))),
  })
}

/** All machines of GitHub have the same host name. The state folder is locked on its machine. */
function nameBuilder({ environment: { GITHUB_RUN_ID: run }, state }: DeployOptions): string {
  const machine = run === undefined ? hostname().slice(0, 100) : `GitHub run ${run}`
  return `${machine} ${hashBytes(resolve(state)).slice(0, 8)}`
}

/** The report of an action for programs. `deployed` is `null` if nothing was deployed. */
export function createDeployReport(action: DeployAction, deployed: DeployedSite | null = null) {
  return {
    action,
    /** Run of the site that is live; `null` if that is not known. */
    run: deployed?.marker.run ?? null,
    published: deployed?.isPublished ?? false,
    /** Number of sellers whose changes are not live; `null` if that is not known. */
    waiting: deployed?.waiting ?? null,
    rebuild: deployed === null ? null : createRebuildReport(deployed.outcome, performance.now()),
    error: null,
  }
}
