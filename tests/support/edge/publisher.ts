/** A machine that builds and publishes in this process, with the real deploy tool, a fake Cloudflare and a real coordinator. */
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { command as deploy } from '../../../src/builder/commands/deploy/deploy.ts'
import type { RebuildReport } from '../../../src/builder/commands/rebuild/rebuild-report.ts'
import { createEmbedded } from '../../../src/builder/sources/embedded/embedded-create.ts'
import { openState } from '../../../src/builder/state/site-state.ts'
import type { CoordinatedSite } from '../../served/edge/coordinated-site.ts'
import { SITE_SECRET } from '../../served/edge/coordinated-site.ts'
import { product, user } from '../rebuild/documents.ts'
import type { FakeCloudflare } from '../../../scripts/fakes/fake-cloudflare.ts'
import type { RebuildPlace, RebuildRun } from '../rebuild/rebuild.ts'
import { runRebuild } from '../rebuild/rebuild.ts'
import type { HereRun } from '../rebuild/run-here.ts'
import { rebuildHere, runHere } from '../rebuild/run-here.ts'

export interface DeployRun {
  readonly code: number
  /** Its whole output. */
  readonly said: string
  readonly result: Readonly<Record<string, unknown>>
}

export interface PublisherSetup {
  /** The machine's own folder. */
  readonly folder: string
  /** The database shared by all machines. */
  readonly source: string
  readonly cloudflare: FakeCloudflare
  readonly coordinator: CoordinatedSite
}

export class Publisher {
  readonly #folder: string
  readonly #source: string
  readonly #environment: Readonly<Record<string, string>>

  constructor({ folder, source, cloudflare, coordinator }: PublisherSetup) {
    this.#folder = folder
    this.#source = source
    this.#environment = {
      ...cloudflare.environment,
      CATALOGUE_SOURCE: source,
      SITE_URL: cloudflare.site,
      COORDINATOR_URL: coordinator.origin,
      REBUILD_SECRET: SITE_SECRET,
      PHOTOS: 'off',
      PRODUCT_PAGES: 'on',
    }
    mkdirSync(folder, { recursive: true })
  }

  /** The sequence of its state. */
  get have(): number | null {
    const state = openState(join(this.#folder, 'state/state.sqlite'))
    const have = state.read('claimed')
    state.close()
    return have
  }

  rebuild(...options: readonly string[]): Promise<HereRun<RebuildReport>> {
    return rebuildHere(this.#place, ...options)
  }

  /** Builds and publishes in a process of its own. */
  run(): Promise<RebuildRun> {
    return runRebuild(this.#place, '--pending', '--deploy')
  }

  /** Claims, builds and reports. Returns the sequence. */
  async build(...options: readonly string[]): Promise<number> {
    const { code, stderr } = await this.rebuild('--pending', ...options)
    if (code !== 0) throw new Error(`The rebuild failed: ${stderr}`)
    return this.have ?? 0
  }

  async deploy(...options: readonly string[]): Promise<DeployRun> {
    const args = ['--out', this.#output, '--state', this.#state, ...options]
    const run = await runHere({ name: 'deploy', definition: deploy }, args, this.#environment)
    return { code: run.code, said: run.said, result: run.report as DeployRun['result'] }
  }

  /** Reads the page of a seller that it has built. */
  readPage(seller: string): string {
    return readFileSync(join(this.#output, `catalogo/${seller}.html`), 'utf8')
  }

  /** Copies its state and output. Returns a function that restores them. */
  keep(): () => void {
    const kept = `${this.#folder}-kept`
    cpSync(this.#folder, kept, { recursive: true })
    return () => {
      rmSync(this.#folder, { recursive: true })
      cpSync(kept, this.#folder, { recursive: true })
    }
  }

  get #place(): RebuildPlace {
    return { source: this.#source, output: this.#output, state: this.#state, env: this.#environment }
  }

  get #output(): string {
    return join(this.#folder, 'dist')
  }

  get #state(): string {
    return join(this.#folder, 'state')
  }
}

/** Creates a database of these sellers, each with one product. */
export async function writeSellersOfOne(file: string, sellers: readonly string[]): Promise<void> {
  await createEmbedded(file)
  edit(file, (database) => {
    const insert = database.prepare('INSERT INTO documents (collection, id, data) VALUES (?, ?, ?)')
    for (const { collection, id, data } of sellers.flatMap((seller) => [
      user(seller),
      product(seller, seller),
    ]))
      insert.run(collection, id, JSON.stringify(data))
  })
}

export function renameSeller(file: string, seller: string, name: string): void {
  edit(file, (database) => {
    database
      .prepare(
        "UPDATE documents SET data = json_set(data, '$.fName', ?) WHERE collection = 'users' AND id = ?",
      )
      .run(name, seller)
  })
}

function edit(file: string, work: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(file)
  work(database)
  database.close()
}
