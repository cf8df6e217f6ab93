/**
 * Writes the files with which wrangler runs or deploys the Worker: its configuration, and a module with the compiled
 * renderer and its data. Equal inputs give equal files. A file that would not change is not written.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Json } from '../../../domain/documents/json.ts'
import { formatCanonicalJson } from '../../../domain/documents/json.ts'
import type { DataFacts } from '../../../domain/objects/data-facts.ts'
import { formatPictureFacts } from '../../../domain/objects/data-facts.ts'
import type { Site } from '../../../domain/pages/site.ts'
import type { CodeHashes } from '../../rebuild/world.ts'
import { HASHED } from '../../rebuild/static/static-files.ts'
import type { KeptRenderer } from '../../renderer/compile.ts'
import { hashBytes } from '../../state/manifest.ts'
import { WORKER_ENTRY } from '../../state/project-folder.ts'
import { readConfiguration } from '../cloudflare/worker-configuration.ts'
import { createConfiguration } from './create-configuration.ts'
import { readAnswerHeaders, SERVER_ENTRY, writeWorker } from './worker-folder.ts'

export interface GeneratedOptions {
  /** The project's folder. */
  readonly root: string
  /** Folder that the files are written to. */
  readonly folder: string
  /** Folder of the site in lane `assets`, or of its static files in lane `objects`. */
  readonly output: string
  readonly kept: KeptRenderer
  readonly site: Site
  /** Path of a Worker entry that replaces the project's entry, and may import it. */
  readonly entry?: string
  /** Set in lane `objects` only. */
  readonly objects?: ObjectOptions
}

export interface ObjectOptions {
  readonly code: CodeHashes
  readonly data: DataFacts
  /** Path of the home page's picture for shared links; none by default. */
  readonly homePicture?: string | null
  /** Max seconds for which a data centre serves a cached page without reading its object. */
  readonly maxAge: number
  /** Variables of the Worker in addition to `EDGE_MAX_AGE`, which has the value of `maxAge`. */
  readonly variables?: Readonly<Record<string, string>>
}

export interface GeneratedWorker {
  /** Path of the configuration. */
  readonly configuration: string
  /** Fingerprint of the renderer with its settings. The Worker appends a hash of its runtime's sort order of names. */
  readonly code: string
  /** Hash of the code and settings that make data from documents; `null` in lane `assets`. */
  readonly intake: string | null
}

const MODULE = 'compiled.mjs'

export function generateWorker(options: GeneratedOptions): GeneratedWorker {
  const { root, folder, output, kept, site, objects, entry = join(root, WORKER_ENTRY) } = options
  const answer = readAnswerHeaders(kept)
  const code = hashBytes(formatCanonicalJson(listCodeParts(options, answer))).slice(0, 32)
  const facts = { code, site, ...answer, objects: objects === undefined ? null : createObjectFacts(objects) }
  const text = `import { createRenderer } from '${SERVER_ENTRY}'\nexport const compiled = { createRenderer, facts: ${JSON.stringify(facts, null, 2)} }\n`
  const configuration = writeWorker(folder, {
    server: kept.server,
    module: [MODULE, text],
    configuration: createConfiguration(readConfiguration(root), {
      entry: relative(folder, entry),
      output: relative(folder, output),
      module: `./${MODULE}`,
      switches: site,
      hashed: listHashed(output),
      variables:
        objects === undefined ? null : { EDGE_MAX_AGE: String(objects.maxAge), ...objects.variables },
    }),
  })
  return { configuration, code, intake: facts.objects?.intake ?? null }
}

function listHashed(output: string): readonly string[] {
  const folder = join(output, HASHED)
  return existsSync(folder) ? readdirSync(folder) : []
}

/**
 * Returns the inputs of the code's fingerprint. In lane `assets`, the Worker renders only the search page. In lane
 * `objects`, the search page is not an input, because no object contains it.
 */
function listCodeParts(
  { kept, site, objects }: GeneratedOptions,
  answer: ReturnType<typeof readAnswerHeaders>,
): Json {
  const { search, ...kinds } = kept.kinds
  if (objects === undefined) return { kind: search, site, ...answer }
  return { kinds, rendering: objects.code.rendering, site, policy: answer.policy }
}

function createObjectFacts({ code, data, homePicture = null }: ObjectOptions) {
  return {
    intake: formatIntake(code, { ...data, pictures: formatPictureFacts(data.pictures) }),
    homePicture,
  }
}

/** `publicFiles` may have any order. */
interface IntakeParts extends Omit<DataFacts, 'pictures'> {
  /** The settings of pictures on which the data of objects depends. */
  readonly pictures: Json
}

/** Returns a hash of the code that makes data from documents, and of everything else that this data depends on. */
export function formatIntake(
  { intake, pageData }: CodeHashes,
  { publicFiles, pictures, maxProducts }: IntakeParts,
): string {
  const parts = { intake, pageData, pictures, maxProducts, publicFiles: publicFiles.toSorted() }
  return hashBytes(formatCanonicalJson(parts)).slice(0, 32)
}
