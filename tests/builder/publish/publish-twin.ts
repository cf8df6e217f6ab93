/** Publishing without a network: a hosting in memory, and the transitions of the real coordinator. */
import type { Forced } from '../../../src/domain/wire/calls.ts'
import { CallError } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import type { PublishApproval } from '../../../src/builder/publish/coordinator/coordinator-approval.ts'
import type { Hosted, HostedVersion } from '../../../src/builder/publish/cloudflare/hosted-versions.ts'
import type { Hosting, Upload, Uploaded } from '../../../src/builder/publish/cloudflare/hosting.ts'
import { CoordinatorTwin } from '../../../scripts/prove/coordinator/coordinator-twin.ts'

const START = Date.parse('2026-03-01T12:00:00Z')

export class HostingTwin implements Hosting {
  readonly versions: HostedVersion[] = []
  /** In order of deployment, the oldest first. */
  readonly deployed: string[] = []
  /** A version that shares the visitors with the one deployed last, as in a gradual deployment. */
  shared: string | null = null
  /** Runs instead of the next call of this name; throws to simulate a failure of the API. */
  readonly interfere = new Map<'upload' | 'putLive' | 'putBack' | 'findLive' | 'readHosted', () => void>()
  /** A version that was live before the first test; none for a new account. */
  first: HostedVersion | null = {
    version: 'version-0',
    tag: 'vitrina-0',
    message: '',
    created: new Date(START - 60_000).toISOString(),
    trigger: 'upload',
  }
  /** Number of changes of a secret, by version. */
  readonly #secrets = new Map<string, number>()

  get live(): string | null {
    return this.deployed.at(-1) ?? null
  }

  upload({ tag, message }: Upload): Promise<Uploaded> {
    this.#meet('upload')
    const version = `version-${this.versions.length + 1}`
    const created = new Date(START + 60_000 * this.versions.length).toISOString()
    this.versions.push({ version, tag, message, created, trigger: 'upload' })
    this.#secrets.set(version, this.#countSecrets())
    return Promise.resolve({ version, files: 1 })
  }

  /** Like `wrangler secret put`: creates a version without a tag, live at once. */
  changeSecret(): void {
    const version = `secret-${this.versions.length + 1}`
    const created = new Date(START + 60_000 * this.versions.length).toISOString()
    this.versions.push({ version, tag: '', message: '', created, trigger: 'secret' })
    this.#secrets.set(version, this.#countSecrets() + 1)
    this.deployed.push(version)
  }

  /** Like `wrangler deploy` of another program, or an edit in the dashboard. */
  putForeign(): string {
    const version = `foreign-${this.versions.length + 1}`
    const created = new Date(START + 60_000 * this.versions.length).toISOString()
    this.versions.push({ version, tag: '', message: '', created, trigger: 'upload' })
    this.deployed.push(version)
    return version
  }

  async putLive(version: string): Promise<void> {
    this.#meet('putLive')
    this.#deploy(version)
  }

  async deployWhole(upload: Upload): Promise<Uploaded> {
    const uploaded = await this.upload(upload)
    await this.putLive(uploaded.version)
    return uploaded
  }

  /** Domains in other hands. */
  takeovers: readonly string[] = []

  async listTakeovers(): Promise<readonly string[]> {
    return this.takeovers
  }

  async findLive(): Promise<string | null> {
    this.#meet('findLive')
    return this.shared === null ? this.live : null
  }

  /** As at Cloudflare, only ten deployments are known. */
  async readHosted(): Promise<Hosted> {
    this.#meet('readHosted')
    const first = this.first === null ? [] : [this.first]
    const all = [...first.map(({ version }) => version), ...this.deployed].toReversed()
    const deployed = [...new Set(all.slice(0, 10))]
    const live = [...deployed.slice(0, 1), ...(this.shared === null ? [] : [this.shared])]
    return { live, deployed, versions: [...this.versions.toReversed(), ...first] }
  }

  async putBack(version: string): Promise<string | null> {
    this.#meet('putBack')
    this.#deploy(version)
    return this.#secrets.get(version) === this.#countSecrets() ? null : 'REBUILD_SECRET'
  }

  #deploy(version: string): void {
    this.deployed.push(version)
    this.shared = null
  }

  #countSecrets(): number {
    return Math.max(0, ...this.#secrets.values())
  }

  #meet(name: Parameters<HostingTwin['interfere']['get']>[0]): void {
    const work = this.interfere.get(name)
    this.interfere.delete(name)
    work?.()
  }
}

export class GateTwin implements PublishApproval {
  readonly coordinator = new CoordinatorTwin()
  /** Simulates a coordinator that does not answer. */
  isDown = false
  /** Asked before each call: the error that it fails with. */
  refuse: () => CallError | undefined = () => undefined

  async readStatus(): ReturnType<PublishApproval['readStatus']> {
    return this.#ask().status()
  }

  async begin({
    version,
    sequence,
    base,
  }: Parameters<PublishApproval['begin']>[0]): ReturnType<PublishApproval['begin']> {
    return this.#ask().publish(version, sequence, base)
  }

  async end(lease: string, isLive: boolean | null): Promise<boolean> {
    return this.#ask().published(lease, isLive) !== null
  }

  async hold(
    reason: string,
    live: Parameters<PublishApproval['hold']>[1],
  ): ReturnType<PublishApproval['hold']> {
    return this.#ask().hold(live, reason)
  }

  async release(): Promise<void> {
    this.#ask().release()
  }

  async forced(call: Forced): Promise<void> {
    this.#ask().forced(call)
  }

  #ask(): CoordinatorTwin {
    const refusal = this.isDown ? new CallError('the coordinator could not be reached') : this.refuse()
    if (refusal !== undefined) throw refusal
    return this.coordinator
  }
}
