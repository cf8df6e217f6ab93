/** A site in a temporary folder, built by the real commands and served by the local edge. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runMeasured } from '../measure/run-measured.ts'
import { VITRINA } from '../../src/builder/commands/run-node.ts'
import { parseConfiguration } from '../../src/builder/commands/configuration.ts'
import { findCompiled } from '../../src/builder/commands/deploy/prepare-worker.ts'
import { cleanAtEnd } from '../../src/builder/commands/local/clean-at-end.ts'
import { fillLocalIndex } from '../../src/builder/commands/local/keep-local-index.ts'
import { createLocalSecret } from '../../src/builder/commands/local/local-search.ts'
import { createCoordinatorClient } from '../../src/builder/publish/coordinator/coordinator-client.ts'
import type { Edge } from '../../src/builder/commands/local/local-edge.ts'
import { startEdge } from '../../src/builder/commands/local/local-edge.ts'
import { generateWorker } from '../../src/builder/publish/worker/prepare-worker.ts'
import { createSearchClient } from '../../src/builder/publish/search/search-client.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'

interface BuiltSite {
  readonly output: string
  /** Folder with the build's state. */
  readonly state: string
  /** Environment variables with which the site was built. */
  readonly environment: Readonly<Record<string, string>>
}

export interface TemporarySite extends Pick<BuiltSite, 'output'> {
  readonly origin: string
  close(): Promise<void>
}

/**
 * Builds a site with the small pictures of its photos, and serves it with its search. `writeSource` may write documents
 * into the empty folder that it gets, and returns the source. Photos on `photoHost` get pictures too.
 */
export async function openTemporarySite(
  writeSource: (folder: string) => string,
  photoHost?: string,
): Promise<TemporarySite> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-site-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const forget = cleanAtEnd(remove)
  const [output, state] = [join(folder, 'dist'), join(folder, 'state')]
  const environment = { PHOTOS: 'files', ...(photoHost !== undefined && { PHOTO_HOSTS: photoHost }) }
  const run = (...args: readonly string[]): Promise<unknown> =>
    runMeasured({ args: [VITRINA, ...args], folder: ROOT, environment })
  try {
    const rebuild = ['rebuild', '--source', writeSource(folder), '--out', output, '--state', state]
    await run(...rebuild)
    await run('photos', '--state', state)
    await run(...rebuild)
    const edge = await serveSite({ output, state, environment })
    const close = async (): Promise<void> => {
      await edge.close()
      remove()
      forget()
    }
    return { output, origin: edge.origin, close }
  } catch (error) {
    remove()
    throw error
  }
}

/** Serves a built site with its search. Throws if the code has changed since the build. */
export async function serveSite({ output, state, environment }: BuiltSite): Promise<Edge> {
  const kept = await findCompiled()
  if (kept === null) throw new Error('the code changed while the site was built: run the command again')
  const settings = parseConfiguration(environment, [])
  const folder = join(state, 'worker')
  const { configuration } = generateWorker({ root: ROOT, folder, output, kept, site: settings.site })
  const secret = createLocalSecret({})
  const edge = await startEdge({
    serve: { configuration },
    variables: secret.added,
  })
  const client = createSearchClient(createCoordinatorClient({ url: edge.origin, secrets: secret.all }))
  await fillLocalIndex({ configuration: settings, state, client }, new AbortController().signal)
  return edge
}
