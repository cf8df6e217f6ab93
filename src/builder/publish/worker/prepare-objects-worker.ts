/**
 * Writes what the tool needs to run or deploy the Worker of a site of objects: its configuration, the compiled renderer
 * with its facts as a module, and nothing else. Equal inputs give equal files, and those that are equal are not touched.
 */
import { join, relative } from 'node:path'
import type { Json } from '../../../domain/documents/json.ts'
import { formatCanonicalJson } from '../../../domain/documents/json.ts'
import type { DataFacts } from '../../../domain/objects/data-facts.ts'
import { formatPictureFacts } from '../../../domain/objects/data-facts.ts'
import type { Site } from '../../../domain/pages/site.ts'
import type { CodeHashes } from '../../rebuild/world.ts'
import type { KeptRenderer } from '../../renderer/compile.ts'
import { hashBytes } from '../../state/manifest.ts'
import { createObjectsConfiguration } from './objects-configuration.ts'
import { readConfiguration } from '../cloudflare/worker-configuration.ts'
import { readAnswerHeaders, SERVER_ENTRY, writeWorker } from './worker-folder.ts'

export interface ObjectsWorkerOptions {
  /** The project's folder. */
  readonly root: string
  /** Where the files are written. */
  readonly folder: string
  /** Folder of the static files. */
  readonly output: string
  readonly kept: KeptRenderer
  readonly site: Site
  readonly code: CodeHashes
  readonly data: DataFacts
  /** Path of the picture for links to the home page; default none. */
  readonly homePicture?: string | null
  /** For how long data centres serve a page without a look at its object, in seconds. */
  readonly maxAge: number
  /** Further variables of the Worker. */
  readonly variables?: Readonly<Record<string, string>>
  /** Another entry than the project's, which may import it. */
  readonly entry?: string
}

export interface ObjectsWorker {
  /** Path of the configuration. */
  readonly configuration: string
  /** Fingerprint of the renderer with its settings; the Worker adds its own order of names. */
  readonly code: string
  /** Hash of all that makes data from documents. */
  readonly intake: string
}

const ENTRY = 'functions/objects-worker.ts'
const MODULE = 'compiled.mjs'

export function prepareObjectsWorker(options: ObjectsWorkerOptions): ObjectsWorker {
  const { root, folder, output, maxAge, variables, entry = join(root, ENTRY) } = options
  const facts = createFacts(options)
  const text = `export { createRenderer } from '${SERVER_ENTRY}'\nexport const facts = ${JSON.stringify(facts, null, 2)}\n`
  const configuration = writeWorker(folder, {
    server: options.kept.server,
    module: [MODULE, text],
    configuration: createObjectsConfiguration(readConfiguration(root), {
      entry: relative(folder, entry),
      output: relative(folder, output),
      module: `./${MODULE}`,
      variables: { EDGE_MAX_AGE: String(maxAge), ...variables },
    }),
  })
  return { configuration, code: facts.code, intake: facts.intake }
}

interface Facts {
  readonly code: string
  readonly intake: string
  readonly site: Site
  readonly policy: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly data: DataFacts
  readonly homePicture: string | null
}

function createFacts({ kept, site, code, data, homePicture = null }: ObjectsWorkerOptions): Facts {
  const { policy, headers } = readAnswerHeaders(kept)
  // No object is a page of the search: objects need not be rendered again for its code.
  const { search: _, ...kinds } = kept.kinds
  const parts = { kinds, rendering: code.rendering, site, policy }
  return {
    code: hashBytes(formatCanonicalJson(parts)).slice(0, 32),
    intake: formatIntake(code, { ...data, pictures: formatPictureFacts(data.pictures) }),
    site,
    policy,
    headers,
    homePicture,
    data: { ...data, publicFiles: data.publicFiles.toSorted() },
  }
}

export interface IntakeParts {
  /** Paths in the public folder, in any order. */
  readonly publicFiles: readonly string[]
  /** The settings of pictures that change data. */
  readonly pictures: Json
  readonly maxProducts: number
}

/** Returns the hash of the code that makes data from documents, and of what else data depends on. */
export function formatIntake(
  { intake, pageData }: CodeHashes,
  { publicFiles, pictures, maxProducts }: IntakeParts,
): string {
  const parts = { intake, pageData, pictures, maxProducts, publicFiles: publicFiles.toSorted() }
  return hashBytes(formatCanonicalJson(parts)).slice(0, 32)
}
