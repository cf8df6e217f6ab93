/**
 * Writes what the tool needs to run or deploy the Worker of a site of objects: its configuration, the compiled renderer
 * with its facts as a module, and nothing else. Equal inputs give equal files, and those that are equal are not touched.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { formatCanonicalJson } from '../../domain/documents/json.ts'
import type { Site } from '../../domain/pages/site.ts'
import type { CodeHashes } from '../rebuild/world.ts'
import { listSecurityHeaders } from '../rebuild/security-headers.ts'
import type { KeptRenderer } from '../renderer/compile.ts'
import { hashBytes } from '../state/manifest.ts'
import { createObjectsConfiguration } from './objects-configuration.ts'
import { readConfiguration } from './worker-configuration.ts'

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
  /** For how long data centres serve a page without a look at its object, in seconds. */
  readonly maxAge: number
  /** Another entry than the project's, which may import it. */
  readonly entry?: string
}

export interface ObjectsWorker {
  /** Path of the configuration. */
  readonly configuration: string
  /** Fingerprint of the renderer with its settings; the Worker adds its own order of names. */
  readonly code: string
  /** Hash of the code that makes data from documents. */
  readonly intake: string
}

const ENTRY = 'functions/objects-worker.ts'
const MODULE = 'compiled.mjs'
const SERVER = 'server'
const CONFIGURATION = 'wrangler.json'
/** Which renderer the folder `server` is. */
const MARK = 'server.txt'

export function prepareObjectsWorker(options: ObjectsWorkerOptions): ObjectsWorker {
  const { root, folder, output, maxAge, entry = join(root, ENTRY) } = options
  mkdirSync(folder, { recursive: true })
  const facts = createFacts(options)
  copyServer(options.kept.server, folder)
  const module = `export { createApp } from './${SERVER}/entry.mjs'\nexport const facts = ${JSON.stringify(facts, null, 2)}\n`
  writeIfOther(join(folder, MODULE), module)
  const configuration = join(folder, CONFIGURATION)
  const content = createObjectsConfiguration(readConfiguration(root), {
    entry: relative(folder, entry),
    output: relative(folder, output),
    module: `./${MODULE}`,
    maxAge,
  })
  writeIfOther(configuration, `${JSON.stringify(content, null, 2)}\n`)
  return { configuration, code: facts.code, intake: facts.intake }
}

interface Facts {
  readonly code: string
  readonly intake: string
  readonly site: Site
  readonly policy: string
  readonly headers: readonly (readonly [name: string, value: string])[]
}

function createFacts({ kept, site, code }: ObjectsWorkerOptions): Facts {
  const [policy, ...headers] = listSecurityHeaders(kept.inline).map(splitHeader)
  const parts = { kinds: kept.kinds, rendering: code.rendering, site, policy: policy?.[1] ?? '' }
  return {
    code: hashBytes(formatCanonicalJson(parts)).slice(0, 32),
    intake: formatIntake(code),
    site,
    policy: parts.policy,
    headers,
  }
}

/** Returns the hash of the code that makes data from documents. */
export function formatIntake({ intake, pageData }: CodeHashes): string {
  return hashBytes(`${intake} ${pageData}`).slice(0, 32)
}

function splitHeader(line: string): readonly [name: string, value: string] {
  const [name = '', ...value] = line.split(': ')
  return [name, value.join(': ')]
}

// A tool that runs the Worker reads the folder when another file changes, so it is never incomplete then.
function copyServer(server: string, folder: string): void {
  const [copy, mark] = [join(folder, SERVER), join(folder, MARK)]
  if (existsSync(mark) && readFileSync(mark, 'utf8') === server) return
  const partial = `${copy}.partial`
  rmSync(mark, { force: true })
  rmSync(partial, { recursive: true, force: true })
  cpSync(server, partial, { recursive: true })
  rmSync(copy, { recursive: true, force: true })
  renameSync(partial, copy)
  writeFileSync(mark, server)
}

function writeIfOther(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}
