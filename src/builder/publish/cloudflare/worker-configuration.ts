/** Reads `wrangler.jsonc`: the settings that the builder needs, or the whole file. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  array,
  boolean,
  getDotPath,
  object,
  optional,
  record,
  safeParse,
  string,
  union,
  unknown,
} from 'valibot'
import { readMessage } from '../../../domain/documents/errors.ts'
import { UsageError } from '../../files/usage-error.ts'

export interface WorkerConfiguration {
  readonly name: string
  /** Id of the account; `null` if the file does not set it. */
  readonly account: string | null
  /** Settings of Cloudflare's logs, which apply to the Worker, not to a version. `null` if they are not set. */
  readonly observability: Readonly<Record<string, unknown>> | null
  /** The Worker's custom domains, in the format of the API. */
  readonly domains: readonly Domain[]
}

interface Domain {
  readonly hostname: string
  readonly zone_id?: string | undefined
  readonly zone_name?: string | undefined
}

const FILE = 'wrangler.jsonc'
const ROUTE = union([
  string(),
  object({
    pattern: string(),
    custom_domain: optional(boolean(), false),
    zone_id: optional(string()),
    zone_name: optional(string()),
  }),
])
const SETTINGS = {
  name: optional(string()),
  routes: optional(array(ROUTE)),
  account_id: optional(string()),
  observability: optional(record(string(), unknown())),
}
const CONFIGURATION = object({
  ...SETTINGS,
  name: string(),
  env: optional(record(string(), object(SETTINGS)), {}),
})

// Each expression matches text to remove. Group 1 matches text in quotes, which is kept.
const COMMENTS = /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[^]*?\*\//g
const LAST_COMMAS = /("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g

/**
 * `stage` is the name of an environment of the configuration, or `null` for the top level. Throws a `UsageError` for an
 * invalid file.
 */
export function readWorkerConfiguration(root: string, stage: string | null): WorkerConfiguration {
  const result = safeParse(CONFIGURATION, readConfiguration(root))
  if (!result.success) {
    const [issue] = result.issues
    throw new UsageError(`${FILE} is wrong at ${getDotPath(issue) ?? 'its beginning'}: ${issue.message}`)
  }
  const { env, ...base } = result.output
  const chosen = stage === null ? base : { ...base, name: `${base.name}-${stage}`, ...env[stage] }
  return {
    // The default name of a stage is `<name>-<stage>`, as in wrangler.
    name: chosen.name,
    account: chosen.account_id ?? null,
    observability: chosen.observability ?? null,
    domains: (chosen.routes ?? []).flatMap((route) => {
      if (typeof route === 'string' || !route.custom_domain) return []
      const { pattern: hostname, zone_id, zone_name } = route
      return [{ hostname, zone_id, zone_name }]
    }),
  }
}

/** Returns the whole configuration, parsed but not validated. Throws a `UsageError` if the file is not valid JSON. */
export function readConfiguration(root: string): unknown {
  const text = readFileSync(join(root, FILE), 'utf8')
  const keep = (_: string, quoted: string | undefined): string => quoted ?? ''
  try {
    return JSON.parse(text.replace(COMMENTS, keep).replace(LAST_COMMAS, keep))
  } catch (error) {
    throw new UsageError(`${FILE} is not valid JSON: ${readMessage(error)}`, { cause: error })
  }
}
