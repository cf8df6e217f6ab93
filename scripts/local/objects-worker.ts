/** The Worker of a site of objects on the local runtime, with its bucket, queue and coordinator. */
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseConfiguration } from '../../src/builder/commands/configuration.ts'
import { readDataFacts } from '../../src/builder/commands/deploy/prepare-worker.ts'
import type { Edge } from '../../src/builder/commands/local/local-edge.ts'
import { findFreePort, startEdge } from '../../src/builder/commands/local/local-edge.ts'
import { readCodeHashes } from '../../src/builder/commands/rebuild/code-hashes.ts'
import { hashInputs } from '../../src/builder/commands/rebuild/open-renderers.ts'
import { generateWorker } from '../../src/builder/publish/worker/prepare-worker.ts'
import { compileRenderer } from '../../src/builder/renderer/compile.ts'
import { ROOT, STORE } from '../../src/builder/state/project-folder.ts'

export type SiteSettings = Readonly<Record<string, string>>

export interface ObjectsWorker {
  /** Contains the Worker's configuration, its static files in `dist`, and its objects, which outlive the Worker. */
  readonly folder: string
  readonly settings: SiteSettings
  /** Variables besides the secret. */
  readonly variables?: SiteSettings
  /** Entry file of another Worker, which calls the project's own; by default that of the project. */
  readonly entry?: string
}

/** Returns settings of a site of objects: a free address, a new secret, and `more`. */
export async function createSiteSettings(more: SiteSettings): Promise<SiteSettings> {
  return {
    HOSTING: 'objects',
    SITE_URL: `http://localhost:${await findFreePort()}`,
    REBUILD_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
    ...more,
  }
}

/**
 * Starts the Worker with the present code. If no rebuild has written `dist`, the Worker serves only compiled assets.
 */
export async function startObjectsWorker({
  folder,
  settings,
  variables = {},
  entry,
}: ObjectsWorker): Promise<Edge> {
  const kept = await compileRenderer({ root: ROOT, store: STORE, code: hashInputs() }, hashInputs)
  const output = join(folder, 'dist')
  if (!existsSync(output)) cpSync(kept.client, output, { recursive: true })
  const configured = parseConfiguration(settings)
  const { site, hosting } = configured
  const { configuration } = generateWorker({
    root: ROOT,
    folder: join(folder, 'worker'),
    output,
    kept,
    site,
    objects: { code: await readCodeHashes(), data: readDataFacts(configured), maxAge: hosting.maxAge },
    ...(entry !== undefined && { entry }),
  })
  return startEdge({
    port: Number(new URL(site.url).port),
    serve: { configuration },
    variables: { REBUILD_SECRET: settings['REBUILD_SECRET'] ?? '', ...variables },
    state: join(folder, 'runtime'),
  })
}
