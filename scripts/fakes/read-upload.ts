/** Reads the form with which wrangler uploads a version of a Worker. */
import { initSync, parse } from 'es-module-lexer'
import type { Binding, MigrationStep, WorkerCode } from './worker-version.ts'

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
  readonly keep_bindings?: readonly string[]
  readonly migrations?: Migration
  readonly assets?: { readonly jwt: string }
  readonly annotations?: { readonly 'workers/tag'?: string; readonly 'workers/message'?: string }
}

export async function readForm(type: string, body: Buffer): Promise<FormData> {
  return new Response(new Blob([Uint8Array.from(body)]), { headers: { 'content-type': type } }).formData()
}

export async function readUpload(type: string, body: Buffer): Promise<UploadForm> {
  const form = await readForm(type, body)
  const metadata = JSON.parse(String(form.get('metadata'))) as Metadata
  const { main_module: main, bindings = [], assets, annotations } = metadata
  const module = form.get(main)
  return {
    code: { exported: listExported(module instanceof File ? await module.text() : ''), bindings },
    tag: annotations?.['workers/tag'] ?? '',
    message: annotations?.['workers/message'] ?? '',
    session: assets?.jwt ?? '',
    keepsSecrets: metadata.keep_bindings?.includes('secret_text') ?? false,
    migration: metadata.migrations ?? null,
  }
}

function listExported(module: string): readonly string[] {
  initSync()
  const [, exported] = parse(module)
  return exported.map(({ n: name }) => name)
}
