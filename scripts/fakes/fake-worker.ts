/**
 * Plays one Worker at Cloudflare: its versions, deployments and secrets. Each change of secrets makes a new version.
 * The error codes 10215 and 10220 are defined in wrangler as `VERSION_NOT_DEPLOYED_ERR_CODE` and
 * `CANNOT_ROLLBACK_WITH_MODIFIED_SECERT_CODE`.
 */
import { randomUUID } from 'node:crypto'
import { ApiError, createNotFound } from './api-error.ts'
import type { Migration } from './read-upload.ts'
import type { FakeVersion, MigrationStep, Secret, WorkerCode } from './worker-version.ts'

interface Deployment {
  readonly id: string
  readonly version: string
  readonly message: string
  readonly created: string
}

interface WorkerUpload {
  readonly files: ReadonlyMap<string, string>
  readonly code: WorkerCode | null
  readonly tag: string
  readonly message: string
  readonly keepsSecrets: boolean
}

/** Max deployments in one answer, and default number of versions on a page. */
const PAGE = 10

export class FakeWorker {
  readonly name: string
  /** Oldest first. */
  readonly versions: FakeVersion[] = []
  readonly deployments: Deployment[] = []
  /** Whether the Worker has an address at workers.dev. Only a deploy with wrangler creates this address. */
  isExposed = false
  /** Tag of the last migration that was applied. */
  migration: string | null = null
  /** The classes of Durable Objects that have a storage. */
  classes: ReadonlySet<string> = new Set()
  #revision = 0
  #time = 0

  constructor(name: string) {
    this.name = name
  }

  get live(): FakeVersion | undefined {
    const id = this.deployments.at(-1)?.version
    return this.versions.find((version) => version.id === id)
  }

  /** Returns one page of the versions, newest first. With `count` 0, the page has the default size. */
  listVersions(page: number, count: number): readonly FakeVersion[] {
    return this.versions.toReversed().slice((page - 1) * (count || PAGE), page * (count || PAGE))
  }

  listDeployments(): readonly object[] {
    return this.deployments
      .toReversed()
      .slice(0, PAGE)
      .map(({ id, version, message, created }) => ({
        id,
        source: 'wrangler',
        strategy: 'percentage',
        author_email: 'ana@example.com',
        created_on: created,
        annotations: { 'workers/message': message },
        versions: [{ version_id: version, percentage: 100 }],
      }))
  }

  upload({ keepsSecrets, ...uploaded }: WorkerUpload): FakeVersion {
    const secrets = keepsSecrets ? this.versions.at(-1)?.secrets : undefined
    return this.#add({ ...uploaded, secrets: secrets ?? new Map() })
  }

  /**
   * Applies the migrations of an upload. Throws if they delete a class to which the live version has a binding, or if
   * the uploaded code lacks a class that has a storage.
   * Source: https://developers.cloudflare.com/durable-objects/reference/durable-objects-migrations/
   */
  migrate(migration: Migration | null, { exported }: Pick<WorkerCode, 'exported'>): void {
    const classes = applySteps(this.classes, migration?.steps ?? [])
    const bound = [...this.classes].find((name) => !classes.has(name) && isBound(this.live, name))
    if (bound !== undefined)
      throw new ApiError(
        400,
        10061,
        `Cannot apply --delete-class migration to class '${bound}' without also removing the binding that references it.`,
      )
    const lost = [...classes].find((name) => !exported.includes(name))
    if (lost !== undefined)
      throw new ApiError(
        400,
        10064,
        `New version of script does not export class '${lost}' which is depended on by existing Durable Objects.`,
      )
    this.migration = migration?.new_tag ?? this.migration
    this.classes = classes
  }

  /**
   * Puts a version live. Throws if the version does not exist. Unless forced, also throws if a secret of the live
   * version is newer than in this version, or missing in this version.
   */
  putLive(id: string, message: string, isForced: boolean): void {
    const version = this.versions.find((one) => one.id === id)
    if (version === undefined)
      throw new ApiError(404, 10092, 'The requested Worker version could not be found.')
    const changed = isForced ? [] : findNewer(this.live, version)
    if (changed.length > 0)
      throw new ApiError(
        400,
        10220,
        `A secret has changed since this version was deployed. Use force to proceed. The following secrets have changed: ${changed.join(', ')}`,
      )
    this.deployments.push({ id: randomUUID(), version: id, message, created: this.#tick() })
  }

  /**
   * Sets a secret (`null` deletes it) in a new version, which is live immediately. Throws unless the latest version is
   * live.
   */
  changeSecret(name: string, text: string | null): void {
    const latest = this.versions.at(-1)
    if (latest === undefined) throw createNotFound()
    if (latest.id !== this.live?.id)
      throw new ApiError(
        400,
        10215,
        "Secret edit failed. You attempted to modify a secret, but the latest version of your Worker isn't currently deployed.",
      )
    const { id } = this.changeLatest({ [name]: text }, '', '')
    this.putLive(id, `${text === null ? 'Delete' : 'Update'} secret ${name}`, true)
  }

  /** Changes secrets like `wrangler versions secret put`: the new version is not deployed. */
  changeLatest(changes: Readonly<Record<string, string | null>>, tag: string, message: string): FakeVersion {
    const latest = this.versions.at(-1)
    if (latest === undefined) throw createNotFound()
    const secrets = new Map(latest.secrets)
    for (const [name, text] of Object.entries(changes))
      secrets.set(name, { text, revision: (this.#revision += 1) })
    return this.#add({ files: latest.files, code: latest.code, tag, message, secrets })
  }

  #add(version: Omit<FakeVersion, 'id' | 'created'>): FakeVersion {
    const added = { ...version, id: randomUUID(), created: this.#tick() }
    this.versions.push(added)
    return added
  }

  /** Returns the current time in RFC 3339, or a later one, so that no two results are equal. */
  #tick(): string {
    this.#time = Math.max(Date.now(), this.#time + 1)
    return new Date(this.#time).toISOString()
  }
}

/** Returns the names of the secrets that are newer in `live` than in `version`, or missing in `version`. */
function findNewer(live: FakeVersion | undefined, version: FakeVersion): readonly string[] {
  const known: ReadonlyMap<string, Secret> = version.secrets
  return [...(live?.secrets ?? [])].flatMap(([name, { revision }]) =>
    revision > (known.get(name)?.revision ?? 0) ? [name] : [],
  )
}

function applySteps(classes: ReadonlySet<string>, steps: readonly MigrationStep[]): ReadonlySet<string> {
  const applied = new Set(classes)
  for (const { new_classes = [], new_sqlite_classes = [], deleted_classes = [] } of steps) {
    for (const name of [...new_classes, ...new_sqlite_classes]) applied.add(name)
    for (const name of deleted_classes) applied.delete(name)
  }
  return applied
}

function isBound(version: FakeVersion | undefined, name: string): boolean {
  return version?.code?.bindings.some((binding) => binding.class_name === name) ?? false
}
