/**
 * Writes the files with which wrangler runs or deploys the probe of the command `conform`: a separate configuration and
 * a few static files.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRecord } from '../../../domain/documents/json.ts'
import { createBindings } from '../worker/create-configuration.ts'
import { readConfiguration } from './worker-configuration.ts'

export interface ProbeOptions {
  /** The project's folder. */
  readonly root: string
  /** Folder that the files are written to. */
  readonly folder: string
  /** Name of the Worker. */
  readonly name: string
  /** Secret key that a request to the probe must contain. */
  readonly key: string
  /** Whether the probe has a bucket and queues. */
  readonly hasObjects: boolean
  /** Custom domain of the probe; `null` for an address at workers.dev. */
  readonly domain: string | null
}

/** Number of times that a failed message is redelivered. */
const RETRIES = 1

const CONFIGURATION = 'wrangler.json'

/**
 * Contents by path. The folder `seller` has its own 404 page. `_headers` adds a header to pages of the folders `seller`
 * and `worker`.
 */
const FILES: Readonly<Record<string, string>> = {
  'index.html': 'home',
  '404.html': 'not found',
  'seller/page.html': 'page',
  'seller/404.html': 'not found at this seller',
  'worker/page.html': 'page',
  _headers: '/seller/*\n  x-probe: yes\n/worker/*\n  x-probe: yes\n',
}

/** Returns the path of the configuration. Each value of `version` results in a different version of the Worker. */
export function writeProbe(options: ProbeOptions, version: number): string {
  const { folder, root } = options
  const site = join(folder, 'site')
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(site, path)), { recursive: true })
    writeFileSync(join(site, path), text)
  }
  const file = join(folder, CONFIGURATION)
  writeFileSync(file, JSON.stringify(createConfiguration(options, readConfiguration(root), version), null, 2))
  return file
}

function createConfiguration(
  { root, folder, name, key, hasObjects, domain }: ProbeOptions,
  project: unknown,
  version: number,
): object {
  return {
    name,
    main: join(root, 'functions/probe/worker.ts'),
    compatibility_date: isRecord(project) ? project['compatibility_date'] : undefined,
    workers_dev: domain === null,
    ...(domain !== null && { routes: [{ pattern: domain, custom_domain: true }] }),
    assets: {
      directory: join(folder, 'site'),
      html_handling: 'drop-trailing-slash',
      not_found_handling: '404-page',
      run_worker_first: ['/api/*', '/worker/*', '//*'],
    },
    vars: { PROBE_KEY: key, VERSION: String(version) },
    durable_objects: { bindings: [{ name: 'PROBE', class_name: 'ProbeObject' }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['ProbeObject'] }],
    ...(hasObjects && createBindings(name, { changes: { max_retries: RETRIES }, dead: {} })),
  }
}
