/** Actions on the published site that read neither the built site nor its record, and so can run during a build. */
import { join } from 'node:path'
import { cleanText } from '../../../domain/documents/text.ts'
import { openCloudflare } from '../../publish/cloudflare/cloudflare.ts'
import type { PublishApproval } from '../../publish/coordinator/coordinator-approval.ts'
import { createCoordinatorApproval } from '../../publish/coordinator/coordinator-approval.ts'
import { createCoordinatorClient } from '../../publish/coordinator/coordinator-client.ts'
import { findActor } from '../../publish/find-actor.ts'
import type { Drift } from '../../publish/drift.ts'
import { findDrift } from '../../publish/drift.ts'
import type { Hosted, HostedVersion } from '../../publish/cloudflare/hosted-versions.ts'
import type { Hosting } from '../../publish/cloudflare/hosting.ts'
import { openLiveFile } from '../../publish/live-file.ts'
import { createObjectClient } from '../../publish/objects/object-client.ts'
import { liftHold } from '../../publish/objects/push-batches.ts'
import { rollBack } from '../../publish/roll-back.ts'
import { reportLate } from '../../publish/publish-steps.ts'
import { ROOT } from '../../state/project-folder.ts'
import { alignColumns } from '../terminal/format-lines.ts'
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

export async function listVersions(options: DeployOptions): Promise<Deployed> {
  const hosted = await openHosting(options).readHosted()
  return {
    action: 'versions',
    version: hosted.live[0] ?? null,
    sequence: null,
    lines: formatVersions(hosted),
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
 * Lane `objects`: permits the removals that the site's guard holds back, once and within the next hour. The Worker
 * retries refused removals at once; a builder retries them in its next run.
 */
export async function allowShrink({ configuration: { coordinator } }: DeployOptions): Promise<Deployed> {
  const { push } = createObjectClient(createCoordinatorClient(coordinator))
  await liftHold({ intake: '', isShrinkAllowed: true, push })
  return {
    action: 'allow-shrink',
    version: null,
    sequence: null,
    lines: ['The site may now remove what its guard held back: once, within the next hour.'],
  }
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

function formatVersions(hosted: Hosted): readonly string[] {
  if (hosted.versions.length === 0) return ['No version has been uploaded yet.']
  const mark = ({ version }: HostedVersion): string => {
    if (hosted.live.includes(version)) return 'live'
    return hosted.deployed.includes(version) ? 'was live' : ''
  }
  return alignColumns(
    hosted.versions.map((one) =>
      [mark(one), one.version, one.tag || one.trigger || '-', formatMinute(one.created), one.message].map(
        cleanText,
      ),
    ),
  )
}

/** Returns a time such as `2026-11-22 09:20 UTC`. */
function formatMinute(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`
}
