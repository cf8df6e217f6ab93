/** Creates wrangler's configuration for the Worker from the project's `wrangler.jsonc`. */
import { isRecord } from '../../../domain/documents/json.ts'
import type { PageSwitches } from '../../../domain/documents/page-switches.ts'
import { SEARCH_PATH } from '../../../domain/documents/page-table.ts'

/** `entry`, `output` and `module` are paths relative to the folder of the configuration file. */
interface ConfigurationParts {
  readonly entry: string
  readonly output: string
  readonly module: string
  readonly switches: PageSwitches
}

type Settings = Readonly<Record<string, unknown>>

/** Names in the configuration that only the search uses. */
const OF_SEARCH = { class: 'SearchShard', limit: 'SEARCH_LIMIT', variable: 'SEARCH_SHARDS' }

/** `project` is the content of `wrangler.jsonc`. */
export function createConfiguration(
  project: unknown,
  { entry, output, module, switches }: ConfigurationParts,
): Settings {
  const { $schema: _, ...whole } = readRecord(project)
  const base = switches.search ? whole : dropSearch(whole)
  const assets = { ...readRecord(base['assets']), directory: output }
  return { ...base, main: entry, alias: { 'vitrina:compiled': module }, assets }
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

function readRecord(value: unknown): Settings {
  return isRecord(value) ? value : {}
}
