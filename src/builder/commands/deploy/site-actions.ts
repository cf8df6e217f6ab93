/** Actions on the published site that read neither the built site nor its record, and so can run during a build. */
import { join } from 'node:path'
import { openCloudflare } from '../../publish/cloudflare/cloudflare.ts'
import type { PublishApproval } from '../../publish/coordinator/coordinator-approval.ts'
import { createCoordinatorApproval } from '../../publish/coordinator/coordinator-approval.ts'
import { createCoordinatorClient } from '../../publish/coordinator/coordinator-client.ts'
import { findActor } from '../../publish/find-actor.ts'
import type { Drift } from '../../publish/drift.ts'
import { findDrift } from '../../publish/drift.ts'
import type { Hosting } from '../../publish/cloudflare/hosting.ts'
import { openLiveFile } from '../../publish/live-file.ts'
import { rollBack } from '../../publish/roll-back.ts'
import { reportLate } from '../../publish/publish-steps.ts'
import { ROOT } from '../../files/project-folder.ts'
import type { Deployed, DeployOptions } from './deploy-options.ts'
import { LIVE } from './open-publish-world.ts'

/** Max time of each call to the coordinator during a rollback, in milliseconds. */
const ROLLBACK_PATIENCE = 2_500

export async function rollBackSite(
  options: DeployOptions,
  progress: (text: string) => void,
): Promise<Deployed> {
  const { state, environment, to: wanted } = options
  const { from, to, notes } = await rollBack(
    {
      hosting: openHosting(options),
      gate: openGateOfRollBack(options),
      live: openLiveFile(join(state, LIVE)),
      by: findActor(environment),
      progress,
    },
    wanted,
  )
  return {
    action: 'rollback',
    version: to.version,
    sequence: null,
    lines: [
      `Version ${to.version} of ${to.created} is live again${from === null ? '' : `, instead of ${from}`}.`,
      'Publishing is held: npm run deploy -- --release ends that and starts a build.',
      ...notes,
    ],
  }
}

/**
 * Holds publishing. If Cloudflare serves one version, and the coordinator has recorded another as live, reports the
 * served version to the coordinator.
 */
export async function holdSite(options: DeployOptions): Promise<Deployed> {
  const gate = openGate(options)
  await reportLate(openLiveFile(join(options.state, LIVE)), gate)
  const drift = await readDrift(options, gate)
  const { busyUntil } = await gate.hold('held by hand', drift?.live ?? null)
  return createDeployed('hold', drift, [
    'Publishing is held: npm run deploy -- --release ends that and starts a build.',
    ...(busyUntil === null
      ? []
      : [
          `Another machine may still put its version live until ${busyUntil}: run npm run status after that time to see which version is live.`,
        ]),
  ])
}

/** Ends the hold. The next build replaces the live version, even one that was put live at Cloudflare by hand. */
export async function releaseSite(options: DeployOptions): Promise<Deployed> {
  const gate = openGate(options)
  await reportLate(openLiveFile(join(options.state, LIVE)), gate)
  const drift = await readDrift(options, gate)
  if (drift !== null && drift.live !== null) await gate.hold('to record the live version', drift.live)
  await gate.release()
  const isRefused = drift !== null && drift.live === null
  return createDeployed('release', drift, [
    `Publishing is released${isRefused ? '' : ': the next build goes live'}.`,
  ])
}

/**
 * Compares the live version at Cloudflare with the coordinator's record. Returns `null` if `findDrift` finds no
 * difference, or if Cloudflare does not answer.
 */
async function readDrift(options: DeployOptions, gate: PublishApproval): Promise<Drift | null> {
  const hosted = await openHosting(options)
    .readHosted()
    .catch(() => null)
  return hosted === null ? null : findDrift(hosted, (await gate.readStatus()).publishing)
}

function createDeployed(action: 'hold' | 'release', drift: Drift | null, lines: readonly string[]): Deployed {
  const told =
    drift === null
      ? []
      : [
          `Found: ${drift.what}${drift.live === null ? `: ${drift.advice}` : '. The coordinator has now recorded the live version'}.`,
        ]
  return { action, version: drift?.live?.version ?? null, sequence: null, lines: [...lines, ...told] }
}

/**
 * Returns the call with which a rollback holds publishing. Without a secret, the call rejects like a call to a site
 * that is down, because a rollback continues after a rejected call.
 */
function openGateOfRollBack(options: DeployOptions): Pick<PublishApproval, 'hold'> {
  if (options.configuration.coordinator.secrets.length > 0) return openGate(options, ROLLBACK_PATIENCE)
  return { hold: () => Promise.reject(new Error('REBUILD_SECRET is not set here')) }
}

function openHosting({ environment, stage }: DeployOptions): Hosting {
  return openCloudflare({ root: ROOT, environment, stage })
}

function openGate({ configuration, environment }: DeployOptions, patience = Infinity): PublishApproval {
  return createCoordinatorApproval(
    createCoordinatorClient(configuration.coordinator, { patience }),
    findActor(environment),
  )
}
