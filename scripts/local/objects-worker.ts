/** Starts the Worker of a site of objects on the local runtime, with its bucket, queue and coordinator. */
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseConfiguration } from '../../src/builder/commands/configuration.ts'
import { readDataFacts } from '../../src/builder/commands/deploy/open-state-pictures.ts'
import type { Edge } from '../../src/builder/commands/local/local-edge.ts'
import { findFreePort, startEdge } from '../../src/builder/commands/local/local-edge.ts'
import { readCodeHashes } from '../../src/builder/commands/rebuild/code-hashes.ts'
import { hashInputs } from '../../src/builder/commands/rebuild/open-renderers.ts'
import { generateWorker } from '../../src/builder/publish/worker/prepare-worker.ts'
import { compileRenderer } from '../../src/builder/renderer/compile.ts'
import { ROOT, STORE } from '../../src/builder/state/project-folder.ts'

export type SiteSettings = Readonly<Record<string, string>>

interface ObjectsWorker {
  /** Contains the Worker's configuration, its static files in `dist`, and its objects, which outlive the Worker. */
  readonly folder: string
  readonly settings: SiteSettings
  /** Variables of the Worker other than `REBUILD_SECRET`. */
  readonly variables?: SiteSettings
  /** Path of an entry module that replaces the one of the project. */
  readonly entry?: string
}

/** Returns settings of a site of objects, with a free local address and a new secret. `more` overrides them. */
export async function createSiteSettings(more: SiteSettings): Promise<SiteSettings> {
  return {
    HOSTING: 'objects',
    SITE_URL: `http://localhost:${await findFreePort()}`,
    REBUILD_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
    ...more,
  }
}

/**
 * Starts the Worker with the current code. If no rebuild has written `dist`, its only static files are the compiled
 * assets.
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
