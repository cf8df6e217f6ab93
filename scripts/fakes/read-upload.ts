/** Reads the form with which wrangler uploads a version of a Worker. */
import { initSync, parse } from 'es-module-lexer'
import type { AssetRules, Binding, MigrationStep, WorkerCode } from './worker-version.ts'

const SOURCE_MAP = 'application/source-map'

/** The migrations that the live Worker lacks. */
export interface Migration {
  /** Tag of the last one. */
  readonly new_tag: string
  readonly steps: readonly MigrationStep[]
}

interface UploadForm {
  readonly code: WorkerCode
  readonly tag: string
  readonly message: string
  /** Token of the session in which the files of the version were uploaded; empty if the version has no files. */
  readonly session: string
  readonly keepsSecrets: boolean
  /** `null` without migrations. */
  readonly migration: Migration | null
}

interface Metadata {
  readonly main_module: string
  readonly bindings?: readonly Binding[]
  readonly compatibility_date?: string
  readonly keep_bindings?: readonly string[]
  readonly migrations?: Migration
  readonly assets?: { readonly jwt: string; readonly config: AssetRules }
  readonly annotations?: { readonly 'workers/tag'?: string; readonly 'workers/message'?: string }
}

export async function readForm(type: string, body: Buffer): Promise<FormData> {
  return new Response(new Blob([Uint8Array.from(body)]), { headers: { 'content-type': type } }).formData()
}

export async function readUpload(type: string, body: Buffer): Promise<UploadForm> {
  const form = await readForm(type, body)
  const metadata = JSON.parse(String(form.get('metadata'))) as Metadata
  const modules = new Map<string, Buffer>()
  for (const [name, part] of form)
    if (typeof part !== 'string' && part.type !== SOURCE_MAP)
      modules.set(name, Buffer.from(await part.arrayBuffer()))
  const { main_module: main, bindings = [], compatibility_date: date = null, assets, annotations } = metadata
  return {
    code: {
      main,
      modules,
      exported: listExported(modules.get(main)),
      date,
      bindings,
      assets: assets?.config ?? {},
    },
    tag: annotations?.['workers/tag'] ?? '',
    message: annotations?.['workers/message'] ?? '',
    session: assets?.jwt ?? '',
    keepsSecrets: metadata.keep_bindings?.includes('secret_text') ?? false,
    migration: metadata.migrations ?? null,
  }
}

function listExported(module: Buffer | undefined): readonly string[] {
  initSync()
  const [, exported] = parse(module?.toString() ?? '')
  return exported.map(({ n: name }) => name)
}
