/** The local edge: wrangler's development server, in this process. It serves a site with the project's Worker. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { readMessage } from '../../../domain/documents/errors.ts'
import { isRecord } from '../../../domain/documents/json.ts'
import { hasCode } from '../../files/has-code.ts'
import { ROOT } from '../../files/project-folder.ts'

/** Closed at the end of the block that declares it with `await using`. */
export interface Edge extends AsyncDisposable {
  readonly origin: string
  /** Serves the files as they are now. */
  renew(): Promise<void>
}

export interface EdgeOptions {
  /** By default the system chooses a free port. */
  readonly port?: number
  /** Folder of the site; `null` if the Worker of `configuration` has its files elsewhere. */
  readonly folder: string | null
  /** Another configuration than `wrangler.jsonc`. */
  readonly configuration?: string
  /** The Worker's variables and secrets, instead of those in `.env`. */
  readonly variables?: Readonly<Record<string, string>>
  /** Folder of what the Worker stores, by default that of the project. */
  readonly state?: string
}

/** The edge did not start, or could not load its files. */
class EdgeError extends Error {
  override readonly name = 'EdgeError'
}

/** Wrangler reads these variables when it is loaded: it prints only errors, and asks Cloudflare for nothing. */
export function loadWrangler(): Promise<typeof import('wrangler')> {
  Object.assign(process.env, { WRANGLER_LOG: 'error', CLOUDFLARE_CF_FETCH_ENABLED: 'false' })
  return import('wrangler')
}

/** Throws an `EdgeError` if it cannot be started. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const { port = 0, folder, configuration = join(ROOT, 'wrangler.jsonc'), variables, state } = options
  const { unstable_DevEnv: Runtime } = await loadWrangler()
  const runtime = new Runtime()
  // An error of the Worker's code is not one of the runtime.
  runtime.on('buildFailed', (event) => runtime.emit('error', event))
  /** Resolves when what `act` changes has been loaded. */
  const load = async (act: () => Promise<unknown>): Promise<void> => {
    try {
      await Promise.all([once(runtime, 'reloadComplete'), act(), runtime.proxy.ready.promise])
    } catch (error) {
      await Promise.allSettled([runtime.teardown()])
      throw new EdgeError(`The edge runtime failed: ${describe(error)}`, { cause: error })
    }
  }
  const texts = Object.entries(variables ?? {}).map(([name, value]) => [name, { type: 'plain_text', value }])
  await load(() =>
    runtime.startWorker({
      config: configuration,
      bindings: Object.fromEntries(texts),
      ...(folder !== null && { assets: folder }),
      ...(variables !== undefined && { envFiles: [devNull] }),
      // Without watching, which fails while many files are removed.
      dev: { server: { hostname: 'localhost', port }, inspector: false, watch: false, persist: state },
    }),
  )
  const { url } = await runtime.proxy.ready.promise
  return {
    origin: url.origin,
    renew: () => load(() => runtime.config.patch({})),
    [Symbol.asyncDispose]: () => runtime.teardown(),
  }
}

/** Wrangler's events of errors, and some of its errors, say what happened in their cause only. */
function describe(error: unknown): string {
  return readMessage((isRecord(error) ? error['cause'] : null) ?? error)
}

/** Returns whether no other program listens on the port. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port), 'listening')
    return true
  } catch (error) {
    if (hasCode(error, ['EADDRINUSE'])) return false
    throw error
  } finally {
    server.close()
  }
}
