/** Publishing without a network: a hosting in memory, and the transitions of the real coordinator. */
import type { PublishApproval } from '../../../src/builder/publish/publish-approval.ts'
import type { HostedVersion, Hosting, Upload, Uploaded } from '../../../src/builder/publish/hosting.ts'
import { CoordinatorTwin } from '../../../scripts/prove/coordinator/coordinator-twin.ts'

const START = Date.parse('2026-03-01T12:00:00Z')

export class HostingTwin implements Hosting {
  readonly versions: HostedVersion[] = []
  /** In order of deployment, the oldest first. */
  readonly deployed: string[] = []
  /** Runs instead of the next call of this name; throws to simulate a failure of the API. */
  readonly interfere = new Map<'upload' | 'putLive' | 'findLive', () => void>()

  get live(): string | null {
    return this.deployed.at(-1) ?? null
  }

  upload({ tag, message }: Upload): Promise<Uploaded> {
    this.#meet('upload')
    const version = `version-${this.versions.length + 1}`
    const created = new Date(START + 60_000 * this.versions.length).toISOString()
    this.versions.push({ version, tag, message, created })
    return Promise.resolve({ version, address: null, files: 1 })
  }

  /** Like `wrangler secret put`: creates a version without a tag, live at once. */
  changeSecret(): void {
    const version = `secret-${this.versions.length + 1}`
    const created = new Date(START + 60_000 * this.versions.length).toISOString()
    this.versions.push({ version, tag: '', message: '', created })
    this.deployed.push(version)
  }

  async putLive(version: string): Promise<void> {
    this.#meet('putLive')
    this.deployed.push(version)
  }

  async deployWhole(upload: Upload): Promise<Uploaded> {
    const uploaded = await this.upload(upload)
    await this.putLive(uploaded.version)
    return uploaded
  }

  async findLive(): Promise<string | null> {
    this.#meet('findLive')
    return this.live
  }

  async listDeployed(): Promise<readonly HostedVersion[]> {
    const ids = [...new Set(this.deployed.toReversed())]
    return ids.flatMap((id) => this.versions.filter(({ version }) => version === id))
  }

  #meet(name: 'upload' | 'putLive' | 'findLive'): void {
    const work = this.interfere.get(name)
    this.interfere.delete(name)
    work?.()
  }
}

export class GateTwin implements PublishApproval {
  readonly coordinator = new CoordinatorTwin()
  /** Simulates a coordinator that does not answer. */
  isDown = false

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

  #ask(): CoordinatorTwin {
    if (this.isDown) throw new Error('the coordinator could not be reached')
    return this.coordinator
  }
}
