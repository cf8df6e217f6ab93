/** Collects facts about a site: the settings, the Cloudflare account, the built site, and the coordinator's status. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Status } from '../../../domain/wire/coordinator-status.ts'
import { isSecret, SECRET_NAMES } from '../../../domain/wire/secrets.ts'
import type { AccountFacts } from '../../publish/cloudflare/account-facts.ts'
import { readAccount } from '../../publish/cloudflare/account-facts.ts'
import { CloudflareError } from '../../publish/cloudflare/cloudflare-api.ts'
import { openCloudflare } from '../../publish/cloudflare/cloudflare.ts'
import type { Hosted } from '../../publish/cloudflare/hosted-versions.ts'
import { isSetUp } from '../../publish/cloudflare/hosted-versions.ts'
import type { WorkerConfiguration } from '../../publish/cloudflare/worker-configuration.ts'
import { readWorkerConfiguration } from '../../publish/cloudflare/worker-configuration.ts'
import { createCoordinatorClient } from '../../publish/coordinator/coordinator-client.ts'
import { readSentence } from '../../publish/publish-error.ts'
import { ROOT } from '../../state/project-folder.ts'
import { UsageError } from '../../state/usage-error.ts'
import type { Environment } from '../command.ts'
import type { Configuration } from '../configuration.ts'
import { parseConfiguration } from '../configuration.ts'
import type { Lane } from '../../rebuild/lane.ts'
import { RECORD } from '../rebuild/state-files.ts'
import { findSettingsFile, readStage } from '../stage.ts'
import { listSettingsLeft } from './settings-left.ts'

export interface SetUpFacts {
  readonly stage: string | null
  readonly lane: Lane
  readonly source: string
  readonly worker: WorkerConfiguration
  /**
   * Names of the secrets for signed calls that are set on this machine. `wrongSecrets` lists those whose format is
   * invalid.
   */
  readonly secrets: readonly string[]
  readonly wrongSecrets: readonly string[]
  readonly settingsFile: string
  readonly settingsProblems: readonly string[]
  /** True if the settings say that the site starts no builder. */
  readonly hasNoBuilder: boolean
  readonly state: string
  readonly isBuilt: boolean
  /**
   * `null` without a token. `isRefused` is true if Cloudflare refused a call, so that a person must act; false if it
   * failed or did not answer.
   */
  readonly account: AccountFacts | { readonly problem: string; readonly isRefused: boolean } | null
  /** `null` when Cloudflare was not asked or did not answer. */
  readonly hosted: Hosted | null
  readonly isSetUp: boolean
  /** `null` while an address or a secret of the coordinator is missing, or a setting is wrong. */
  readonly status: { readonly value: Status } | { readonly problem: string } | null
}

export interface DoctorOptions {
  readonly environment: Environment
  readonly state: string
}

/** Max time of a call, in milliseconds. */
const PATIENCE = 5_000

const TOKEN = 'CLOUDFLARE_API_TOKEN'

export async function collectFacts({ environment, state }: DoctorOptions): Promise<SetUpFacts> {
  const stage = readStage(environment)
  const worker = readWorkerConfiguration(ROOT, stage)
  const lane = environment['HOSTING'] === 'objects' ? 'objects' : 'assets'
  const cloudflare = { root: ROOT, environment, stage, patience: PATIENCE }
  const hasToken = isSet(environment, TOKEN)
  const [account, hosted, status] = await Promise.all([
    hasToken ? askAccount({ ...cloudflare, worker, hasObjects: lane === 'objects' }) : null,
    hasToken
      ? openCloudflare(cloudflare)
          .readHosted()
          .catch(() => null)
      : null,
    askCoordinator(environment),
  ])
  const secrets = SECRET_NAMES.filter((name) => isSet(environment, name))
  return {
    stage,
    lane,
    source: environment['CATALOGUE_SOURCE'] ?? '',
    worker,
    secrets,
    wrongSecrets: secrets.filter((name) => !isSecret(environment[name] ?? '')),
    settingsFile: findSettingsFile(environment),
    settingsProblems: listSettingsLeft(environment, worker, account),
    hasNoBuilder: findBuilder(environment) === 'none',
    state,
    isBuilt: existsSync(join(state, RECORD)),
    account,
    hosted,
    isSetUp: hosted !== null && isSetUp(hosted),
    status,
  }
}

function isSet(environment: Environment, name: string): boolean {
  return (environment[name] ?? '') !== ''
}

function findBuilder({ DISPATCH, DISPATCH_FULL }: Environment): string | undefined {
  return DISPATCH === 'queue' ? DISPATCH_FULL : DISPATCH
}

async function askAccount(options: Parameters<typeof readAccount>[0]): Promise<SetUpFacts['account']> {
  try {
    return await readAccount(options)
  } catch (error) {
    const isRefused = error instanceof CloudflareError && error.code !== null
    return { problem: readSentence(error), isRefused }
  }
}

/** Returns `null` without a call if the address or the secret is missing, or a setting is wrong. */
async function askCoordinator(environment: Environment): Promise<SetUpFacts['status']> {
  const configuration = tryParse(environment)
  if (typeof configuration === 'string' || configuration.coordinator.isDefault) return null
  try {
    const client = createCoordinatorClient(configuration.coordinator, { tries: 2, patience: PATIENCE })
    return { value: await client.status(true) }
  } catch (error) {
    return { problem: readSentence(error) }
  }
}

/** Returns a message, instead of throwing it, if settings are wrong or missing. */
function tryParse(environment: Environment): Configuration | string {
  try {
    return parseConfiguration(environment, ['builder secret'])
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
}
