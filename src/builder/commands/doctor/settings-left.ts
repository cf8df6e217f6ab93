/** Lists wrong and missing settings of a machine that publishes. */
import { existsSync, readFileSync } from 'node:fs'
import { isRecord } from '../../../domain/documents/json.ts'
import { isSecret, SECRET_NAMES } from '../../../domain/wire/secrets.ts'
import type { WorkerConfiguration } from '../../publish/cloudflare/worker-configuration.ts'
import { listOrigins } from '../../publish/cloudflare/worker-configuration.ts'
import type { Environment } from '../command.ts'
import { listSettingProblems } from '../configuration.ts'

const KEY_FILE = 'GOOGLE_APPLICATION_CREDENTIALS'

/**
 * Returns a message for each wrong or missing setting, except the secrets of signed calls, which another step judges.
 * `account` is Cloudflare's answer or its error; `null` without a token.
 */
export function listSettingsLeft(
  environment: Environment,
  worker: WorkerConfiguration,
  account: object | null,
): readonly string[] {
  const wrongSecrets = SECRET_NAMES.filter((name) => !isSecret(environment[name] ?? ''))
  const problems = listSettingProblems(environment, ['source', 'address', 'dispatch'])
  const subdomain = account !== null && 'subdomain' in account ? account.subdomain : null
  return [
    ...problems.filter((problem) => !wrongSecrets.some((name) => problem.startsWith(`${name} `))),
    ...findSourceProblems(environment),
    ...['CLOUDFLARE_API_TOKEN', ...(worker.account === null ? ['CLOUDFLARE_ACCOUNT_ID'] : [])]
      .filter((name) => !environment[name])
      .map((name) => `${name} is not set`),
    ...(typeof subdomain === 'string' ? findAddressProblems(environment, worker, subdomain) : []),
  ]
}

function findSourceProblems(environment: Environment): readonly string[] {
  const { CATALOGUE_SOURCE: source, FIRESTORE_EMULATOR_HOST: emulator, [KEY_FILE]: file } = environment
  if (!source) return ['CATALOGUE_SOURCE is not set, and the bundled sample is never published']
  if (source !== 'firestore' || emulator) return []
  if (!file) return [`${KEY_FILE} is not set to the key file of a service account`]
  return isKeyFile(file) ? [] : [`${KEY_FILE} does not name the key file of a service account`]
}

function isKeyFile(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    const key: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isRecord(key) && typeof key['client_email'] === 'string'
  } catch {
    return false
  }
}

/**
 * Returns a problem if `SITE_URL` begins with `https` and is not one of the Worker's addresses. Only tests use an
 * address without `https`.
 */
function findAddressProblems(
  { SITE_URL = '' }: Environment,
  worker: WorkerConfiguration,
  subdomain: string,
): readonly string[] {
  const origins = listOrigins(worker, subdomain)
  const url = URL.parse(SITE_URL)
  if (url?.protocol !== 'https:' || origins.includes(url.origin)) return []
  return [
    `SITE_URL is not an address of this Worker: set it to ${origins.join(' or ')}, or add its domain to routes in wrangler.jsonc`,
  ]
}
