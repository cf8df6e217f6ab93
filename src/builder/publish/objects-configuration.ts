/** The tool's configuration for the Worker of a site of objects: the project's own, with a bucket, a queue and other routes. */
import { isRecord } from '../../domain/documents/json.ts'

/** Paths are relative to the folder of the configuration. */
export interface ConfigurationParts {
  readonly entry: string
  readonly output: string
  readonly module: string
  /** For how long data centres serve a page without a look at its object, in seconds. */
  readonly maxAge: number
}

type Settings = Readonly<Record<string, unknown>>

/** The paths that run the Worker. Everything else is answered by the assets without it. */
const WORKER_FIRST = [
  '/',
  '/index',
  '/index.html',
  '/catalogo/*',
  '/sitemap.xml',
  '/sitemaps/*',
  '/fotos/*',
  '/social/*',
  '/_astro/*',
  '/estado.json',
  '/api/rebuild*',
]

/** Names of the bucket and of the queue of a Worker. */
export function nameBucket(worker: string): string {
  return `${worker}-pages`
}

export function nameQueue(worker: string): string {
  return `${worker}-refill`
}

/** `project` is the content of `wrangler.jsonc`. */
export function createObjectsConfiguration(project: unknown, parts: ConfigurationParts): Settings {
  const { $schema: _, assets, env, ...base } = readRecord(project)
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
  const queue = nameQueue(worker)
  return {
    r2_buckets: [{ binding: 'PAGES', bucket_name: nameBucket(worker) }],
    queues: {
      producers: [{ binding: 'REFILL', queue }],
      consumers: [{ queue, max_batch_size: 1, max_batch_timeout: 0, max_retries: 10 }],
    },
  }
}

function createVariables({ vars }: Settings, { maxAge }: ConfigurationParts): Settings {
  return { ...readRecord(vars), EDGE_MAX_AGE: String(maxAge) }
}

function readRecord(value: unknown): Settings {
  return isRecord(value) ? value : {}
}
