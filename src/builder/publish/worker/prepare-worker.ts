/**
 * Writes the files with which wrangler runs or deploys the Worker: its configuration, and a module with the compiled
 * renderer and its data. Equal inputs give equal files. A file that would not change is not written.
 */
import { join, relative } from 'node:path'
import { formatCanonicalJson } from '../../../domain/documents/json.ts'
import type { Site } from '../../../domain/pages/site.ts'
import type { KeptRenderer } from '../../renderer/compile.ts'
import { hashBytes } from '../../state/manifest.ts'
import { WORKER_ENTRY } from '../../state/project-folder.ts'
import { readConfiguration } from '../cloudflare/worker-configuration.ts'
import { createConfiguration } from './create-configuration.ts'
import { readAnswerHeaders, SERVER_ENTRY, writeWorker } from './worker-folder.ts'

interface GeneratedOptions {
  /** The project's folder. */
  readonly root: string
  /** Folder that the files are written to. */
  readonly folder: string
  /** Folder of the site. */
  readonly output: string
  readonly kept: KeptRenderer
  readonly site: Site
}

export interface GeneratedWorker {
  /** Path of the configuration. */
  readonly configuration: string
  /** Fingerprint of the renderer with its settings. The Worker appends a hash of its runtime's sort order of names. */
  readonly code: string
}

const MODULE = 'compiled.mjs'

export function generateWorker({ root, folder, output, kept, site }: GeneratedOptions): GeneratedWorker {
  const answer = readAnswerHeaders(kept)
  // The Worker renders only the search page.
  const code = hashBytes(formatCanonicalJson({ kind: kept.kinds.search, site, ...answer })).slice(0, 32)
  const facts = { code, site, ...answer }
  const text = `import { createRenderer } from '${SERVER_ENTRY}'\nexport const compiled = { createRenderer, facts: ${JSON.stringify(facts, null, 2)} }\n`
  const configuration = writeWorker(folder, {
    server: kept.server,
    module: [MODULE, text],
    configuration: createConfiguration(readConfiguration(root), {
      entry: relative(folder, join(root, WORKER_ENTRY)),
      output: relative(folder, output),
      module: `./${MODULE}`,
      switches: site,
    }),
  })
  return { configuration, code }
}
