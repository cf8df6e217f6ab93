/**
 * Lane `assets`: writes what the tool needs to run or deploy the Worker with the page of the search: its configuration and
 * the compiled renderer as a module. Equal inputs give equal files.
 */
import { join, relative } from 'node:path'
import { isRecord, formatCanonicalJson } from '../../../domain/documents/json.ts'
import type { Site } from '../../../domain/pages/site.ts'
import type { KeptRenderer } from '../../renderer/compile.ts'
import { hashBytes } from '../../state/manifest.ts'
import { readConfiguration } from '../cloudflare/worker-configuration.ts'
import { readAnswerHeaders, SERVER_ENTRY, writeWorker } from './worker-folder.ts'

export interface AssetsWorkerOptions {
  /** The project's folder. */
  readonly root: string
  /** Where the files are written. */
  readonly folder: string
  /** Folder of the site. */
  readonly output: string
  readonly kept: KeptRenderer
  readonly site: Site
}

export interface AssetsWorker {
  /** Path of the configuration. */
  readonly configuration: string
  /** Fingerprint of the search's page with its settings. */
  readonly pageCode: string
}

const ENTRY = 'functions/worker.ts'
const MODULE = 'search.mjs'

export function prepareAssetsWorker({ root, folder, output, kept, site }: AssetsWorkerOptions): AssetsWorker {
  const answer = readAnswerHeaders(kept)
  const code = hashBytes(formatCanonicalJson({ kind: kept.kinds.search, site, ...answer })).slice(0, 32)
  const facts = { code, site, ...answer }
  const text = `import { createRenderer } from '${SERVER_ENTRY}'\nexport const compiled = { createRenderer, facts: ${JSON.stringify(facts, null, 2)} }\n`
  const configuration = writeWorker(folder, {
    server: kept.server,
    module: [MODULE, text],
    configuration: createConfiguration(readConfiguration(root), {
      main: relative(folder, join(root, ENTRY)),
      directory: relative(folder, output),
    }),
  })
  return { configuration, pageCode: code }
}

interface Places {
  readonly main: string
  readonly directory: string
}

/** The project's own, with other paths. `project` is the content of `wrangler.jsonc`. */
function createConfiguration(
  project: unknown,
  { main, directory }: Places,
): Readonly<Record<string, unknown>> {
  const { $schema: _, ...base } = isRecord(project) ? project : {}
  const assets = isRecord(base['assets']) ? base['assets'] : {}
  return { ...base, main, alias: { 'vitrina:search': `./${MODULE}` }, assets: { ...assets, directory } }
}
