/**
 * Creates wrangler's configuration for the Worker from the project's `wrangler.jsonc`. In lane `objects`, adds
 * variables, an R2 bucket, and the paths that run the Worker.
 */
import { isRecord } from '../../../domain/documents/json.ts'
import { listLivePaths } from '../../../domain/documents/page-address.ts'
import type { PageSwitches } from '../../../domain/documents/page-switches.ts'
import { SEARCH_PATH } from '../../../domain/documents/page-table.ts'

/** `entry`, `output` and `module` are paths relative to the folder of the configuration file. */
interface ConfigurationParts {
  readonly entry: string
  readonly output: string
  readonly module: string
  /** Variables to add to those of `wrangler.jsonc` in lane `objects`; `null` in lane `assets`. */
  readonly variables: Readonly<Record<string, string>> | null
  readonly switches: PageSwitches
  /** Names of the hashed files in the output folder. */
  readonly hashed: readonly string[]
}

type Settings = Readonly<Record<string, unknown>>

/**
 * Lane `objects`: the paths that run the Worker, in addition to the paths of pages. All other requests are answered
 * from the static assets, without running the Worker.
 */
const WORKER_FIRST = [
  '/index',
  '/index.html',
  '/index/*',
  // Without this rule, static assets would answer a path that begins with `//`, because they treat several slashes as
  // one.
  '//*',
  '/fotos/*',
  '/social/*',
  '/_astro/*',
  '/api/rebuild*',
]

/**
 * Limits of the setting `run_worker_first`: max rules, and max characters of one rule.
 * Source: https://developers.cloudflare.com/workers/static-assets/binding/#run_worker_first
 */
const MOST_RULES = { rules: 100, characters: 100 }

/** Names in the configuration that only the search uses. */
const OF_SEARCH = { class: 'SearchShard', limit: 'SEARCH_LIMIT', variable: 'SEARCH_SHARDS' }

export function nameBucket(worker: string): string {
  return `${worker}-pages`
}

/** `project` is the content of `wrangler.jsonc`. */
export function createConfiguration(
  project: unknown,
  { entry, output, module, variables, switches, hashed }: ConfigurationParts,
): Settings {
  const { $schema: _, ...whole } = readRecord(project)
  const base = switches.search ? whole : dropSearch(whole)
  const assets = { ...readRecord(base['assets']), directory: output }
  const own = { ...base, main: entry, alias: { 'vitrina:compiled': module }, assets }
  return variables === null ? own : addObjects(own, variables, listRules(switches, hashed))
}

/**
 * Returns the paths that run the Worker. Hashed files of the deployment are excluded, as far as `MOST_RULES` permits,
 * because a request that does not run the Worker is free. Hashed files of earlier deployments run it, because static
 * assets would answer with a 404.
 */
function listRules(switches: PageSwitches, hashed: readonly string[]): readonly string[] {
  const woken = [...WORKER_FIRST, ...listLivePaths(switches)]
  const free = hashed
    .map((name) => `!/_astro/${name}`)
    .filter((rule) => rule.length < MOST_RULES.characters)
    .toSorted()
  return [...woken, ...free.slice(0, MOST_RULES.rules - woken.length)]
}

/**
 * Removes the settings that only the search uses. The stored data of the search remains, because Cloudflare does not
 * delete the data of a Durable Object class together with its binding.
 */
function dropSearch(project: Settings): Settings {
  const drop = (worker: Settings): Settings => {
    const { [OF_SEARCH.variable]: _, ...vars } = readRecord(worker['vars'])
    const { bindings } = readRecord(worker['durable_objects'])
    return {
      ...worker,
      vars,
      durable_objects: { bindings: without(bindings, 'class_name', OF_SEARCH.class) },
      ratelimits: without(worker['ratelimits'], 'name', OF_SEARCH.limit),
    }
  }
  const stages = Object.entries(readRecord(project['env'])).map(([stage, worker]) => [
    stage,
    drop(readRecord(worker)),
  ])
  const { run_worker_first: paths, ...assets } = readRecord(project['assets'])
  const woken = Array.isArray(paths) ? paths.filter((path) => path !== SEARCH_PATH) : paths
  return {
    ...drop(project),
    env: Object.fromEntries(stages),
    assets: { ...assets, run_worker_first: woken },
  }
}

function without(list: unknown, field: string, value: string): readonly unknown[] {
  return Array.isArray(list) ? list.filter((one) => readRecord(one)[field] !== value) : []
}

function addObjects(
  base: Settings,
  variables: Readonly<Record<string, string>>,
  woken: readonly string[],
): Settings {
  const name = String(base['name'])
  const add = (worker: Settings, called: string): Settings => ({
    ...worker,
    vars: { ...readRecord(worker['vars']), ...variables },
    // Each stage (an environment of wrangler) gets its own bindings, because environments do not inherit them.
    r2_buckets: [{ binding: 'PAGES', bucket_name: nameBucket(called) }],
  })
  const stages = Object.entries(readRecord(base['env'])).map(([stage, settings]) => {
    const worker = readRecord(settings)
    return [stage, add(worker, String(worker['name'] ?? `${name}-${stage}`))]
  })
  const assets = { ...readRecord(base['assets']), binding: 'ASSETS', run_worker_first: woken }
  return { ...add(base, name), assets, env: Object.fromEntries(stages) }
}

function readRecord(value: unknown): Settings {
  return isRecord(value) ? value : {}
}
