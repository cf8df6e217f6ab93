/** The tool's configuration for the Worker of a site of objects: the project's own, with a bucket, queues and other routes. */
import { isRecord } from '../../../domain/documents/json.ts'
import { SEARCH_PATH } from '../../../domain/documents/page-table.ts'
import { CHANGE_RETRIES, nameQueue } from '../../../domain/wire/queues.ts'

/** Paths are relative to the folder of the configuration. */
export interface ConfigurationParts {
  readonly entry: string
  readonly output: string
  readonly module: string
  /** Variables besides those of `wrangler.jsonc`. */
  readonly variables: Readonly<Record<string, string>>
}

/** Messages of changes that the Worker takes together. */
const CHANGES_AT_ONCE = 20

type Settings = Readonly<Record<string, unknown>>

/** The paths that run the Worker. Everything else is answered by the assets without it. */
const WORKER_FIRST = [
  '/',
  '/index',
  '/index.html',
  '/index/*',
  // The assets take several slashes for one.
  '//*',
  '/catalogo/*',
  '/sitemap.xml',
  '/sitemaps/*',
  '/fotos/*',
  '/social/*',
  '/_astro/*',
  '/estado.json',
  SEARCH_PATH,
  '/api/rebuild*',
]

/** Name of the bucket of a Worker. */
export function nameBucket(worker: string): string {
  return `${worker}-pages`
}

/** `project` is the content of `wrangler.jsonc`. */
export function createObjectsConfiguration(project: unknown, parts: ConfigurationParts): Settings {
  const { $schema: _, alias: __, assets, env, ...base } = readRecord(project)
  const name = String(base['name'])
  const stages = Object.entries(readRecord(env)).map(([stage, settings]) => {
    const worker = readRecord(settings)
    const own = createBindings(String(worker['name'] ?? `${name}-${stage}`))
    return [stage, { ...worker, vars: createVariables(worker, parts), ...own }]
  })
  return {
    ...base,
    main: parts.entry,
    alias: { 'vitrina:compiled': parts.module },
    assets: {
      ...readRecord(assets),
      directory: parts.output,
      binding: 'ASSETS',
      run_worker_first: WORKER_FIRST,
    },
    vars: createVariables(base, parts),
    ...createBindings(name),
    env: Object.fromEntries(stages),
  }
}

// Bindings are not inherited by stages.
function createBindings(worker: string): Settings {
  const [changes, dead] = (['changes', 'dead'] as const).map((kind) => nameQueue(worker, kind))
  const atOnce = { max_batch_timeout: 0 }
  return {
    r2_buckets: [{ binding: 'PAGES', bucket_name: nameBucket(worker) }],
    queues: {
      producers: [{ binding: 'CHANGES', queue: changes }],
      consumers: [
        {
          queue: changes,
          max_batch_size: CHANGES_AT_ONCE,
          max_retries: CHANGE_RETRIES,
          dead_letter_queue: dead,
          ...atOnce,
        },
        { queue: dead, max_batch_size: CHANGES_AT_ONCE, max_retries: 10, ...atOnce },
      ],
    },
  }
}

function createVariables({ vars }: Settings, { variables }: ConfigurationParts): Settings {
  return { ...readRecord(vars), ...variables }
}

function readRecord(value: unknown): Settings {
  return isRecord(value) ? value : {}
}
