/** A version of a Worker at Cloudflare: its files, its code and its secrets. */

export interface FakeVersion {
  readonly id: string
  readonly tag: string
  readonly message: string
  /** Time in RFC 3339, different for each version. */
  readonly created: string
  /** Maps paths to hashes. A changed secret makes a version with the files of the previous one. */
  readonly files: ReadonlyMap<string, string>
  /** `null` for a version that was seeded without an upload, and for later versions that change only its secrets. */
  readonly code: WorkerCode | null
  readonly secrets: ReadonlyMap<string, Secret>
}

export interface Secret {
  /** `null` if the secret was deleted. */
  readonly text: string | null
  /** Increases with every change of a secret of this Worker, so a higher number means a newer secret. */
  readonly revision: number
}

export interface WorkerCode {
  /** Names that the main module exports. */
  readonly exported: readonly string[]
  readonly bindings: readonly Binding[]
}

export interface Binding {
  readonly type: string
  readonly name: string
  readonly text?: string
  readonly class_name?: string
}

/** One entry of `migrations`: the classes of Durable Objects whose storage it creates or deletes. */
export interface MigrationStep {
  readonly new_classes?: readonly string[]
  readonly new_sqlite_classes?: readonly string[]
  readonly deleted_classes?: readonly string[]
}

/** Returns a version in the format of Cloudflare's API. */
export function describeVersion({ id, tag, message, created, code, secrets }: FakeVersion): object {
  const names = [...secrets].flatMap(([name, { text }]) => (text === null ? [] : [name]))
  return {
    id,
    metadata: {
      created_on: created,
      modified_on: created,
      author_email: 'ana@example.com',
      source: 'wrangler',
    },
    annotations: {
      ...(tag !== '' && { 'workers/tag': tag }),
      ...(message !== '' && { 'workers/message': message }),
    },
    resources: {
      bindings: [...(code?.bindings ?? []), ...names.map((name) => ({ type: 'secret_text', name }))],
      script: { etag: id },
      script_runtime: {},
    },
  }
}
