/** A site on the real runtime with its own coordinator, and a stand-in of GitHub that records which workflows start. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { LocalServer } from '../../../scripts/audit/local-server.ts'
import type { CoordinatorClient } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import { createCoordinatorClient } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import { PREFIX } from '../../../src/domain/wire/calls.ts'
import type { CallSecrets } from '../../../src/domain/wire/signature.ts'
import { signMessage } from '../../../src/domain/wire/signature.ts'
import { formatMarker, MARKER } from '../../../src/domain/wire/site-marker.ts'
import type { WorkerRuntime } from './worker-runtime.ts'
import { startRuntime } from './worker-runtime.ts'

const createSecret = (words: string): string =>
  `whsec_${Buffer.from(words.padEnd(27, '!')).toString('base64')}`

export const SECRETS = {
  rebuild: createSecret('a secret of builders'),
  oldRebuild: createSecret('the one before'),
  notice: createSecret('a secret of notices'),
} as const

interface Start {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export class CoordinatedSite {
  readonly #folder = mkdtempSync(join(tmpdir(), 'vitrina-coordinator-'))
  readonly #state = join(this.#folder, 'state')
  readonly #variables: Readonly<Record<string, string>>
  /** The workflows that GitHub was asked to start, and the status that it answers with. */
  readonly starts: Start[] = []
  githubStatus = 204
  readonly #github = new LocalServer(async (request, response) => {
    this.starts.push({ path: request.url ?? '', headers: request.headers, body: await text(request) })
    response.writeHead(this.githubStatus).end()
  })
  #runtime: WorkerRuntime | null = null

  constructor(variables: Readonly<Record<string, string>> = {}) {
    this.#variables = variables
  }

  async start(): Promise<void> {
    await this.#github.start()
    await this.restart('first')
  }

  /**
   * Starts the runtime, anew if it runs, with what it has stored. `run`: the run of the live site. `spoil`: damages what
   * is stored.
   */
  async restart(run: string, spoil: (state: string) => void = () => {}): Promise<void> {
    await this.#runtime?.kill()
    spoil(this.#state)
    const counts = { sellers: 1, products: 1, largest: 1 }
    const marker = { run, state: 'closed', time: new Date().toISOString(), renderer: 'r', ...counts } as const
    const files = mkdtempSync(join(this.#folder, 'dist-'))
    writeFileSync(join(files, MARKER), formatMarker(marker))
    this.#runtime = await startRuntime({
      configuration: join(ROOT, 'wrangler.jsonc'),
      entry: join(ROOT, 'tests/support/edge/workers/coordinator-entry.ts'),
      files,
      variables: {
        REBUILD_SECRET: `${SECRETS.rebuild} ${SECRETS.oldRebuild}`,
        NOTICE_SECRET: SECRETS.notice,
        REBUILD_QUIET_MS: '50',
        DISPATCH_GITHUB_REPOSITORY: 'vitrina/site',
        DISPATCH_GITHUB_TOKEN: 'github-token',
        DISPATCH_GITHUB_API: this.#github.origin,
        ...this.#variables,
      },
      state: this.#state,
    })
  }

  async close(): Promise<void> {
    await this.#runtime?.kill()
    this.#github.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get url(): string {
    return this.#runtime?.origin ?? ''
  }

  /** A client that gives up at the first failure. */
  createClient(secrets: Partial<CallSecrets> = { rebuild: [SECRETS.rebuild] }): CoordinatorClient {
    const all = { notice: [], rebuild: [], ...secrets }
    return createCoordinatorClient({ url: this.url, secrets: all }, { tries: 1 })
  }

  /** Moves the coordinator's clock. Returns the time until its next alarm when what is due by then is done. */
  async pass(time: number): Promise<number> {
    const response = await fetch(`${this.url}/api/test/pass`, { method: 'POST', body: String(time) })
    if (response.status !== 200) throw new Error('the clock could not be moved')
    return Number(await response.text())
  }

  /** Sends a signed call over a connection of its own. Returns its status and body. */
  async send(
    path: string,
    body: string,
    {
      secret = SECRETS.rebuild,
      ...more
    }: { secret?: string; time?: Date; headers?: Record<string, string> } = {},
  ): Promise<readonly [status: number, body: string]> {
    const { time = new Date(), headers = {} } = more
    const response = await fetch(`${this.url}${PREFIX}${path}`, {
      method: 'POST',
      headers: { ...signMessage([secret], { id: 'call', body }, time), ...headers, connection: 'close' },
      body,
    })
    return [response.status, await response.text()]
  }
}
