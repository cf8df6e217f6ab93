/** A storefront in a temporary folder, built by the real commands; on request served by the local edge. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runMeasured } from '../measure/run-measured.ts'
import { parseConfiguration } from '../../src/builder/commands/configuration.ts'
import { findCompiled } from '../../src/builder/commands/deploy/prepare-worker.ts'
import { fillLocalIndex } from '../../src/builder/commands/local/keep-local-index.ts'
import { createLocalSecret } from '../../src/builder/commands/local/local-search.ts'
import { createCoordinatorClient } from '../../src/builder/publish/coordinator/coordinator-client.ts'
import type { Edge } from '../../src/builder/commands/local/local-edge.ts'
import { startEdge } from '../../src/builder/commands/local/local-edge.ts'
import { prepareWorker } from '../../src/builder/publish/worker/prepare-worker.ts'
import { createSearchClient } from '../../src/builder/publish/search/search-client.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'

interface TemporaryFolder {
  /** The built site. */
  readonly output: string
  /** The state of the build. */
  readonly state: string
  /** Its settings. */
  readonly environment: Readonly<Record<string, string>>
  remove(): void
}

export interface TemporarySite extends Pick<TemporaryFolder, 'output'> {
  readonly origin: string
  close(): Promise<void>
}

/**
 * `writeSource` gets an empty folder for documents and returns the source, which may be elsewhere. Pictures of photos
 * are made as well, also of photos from `photoHost`.
 */
async function buildTemporarySite(
  writeSource: (folder: string) => string,
  photoHost?: string,
): Promise<TemporaryFolder> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-site-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const output = join(folder, 'dist')
    const state = join(folder, 'state')
    const environment = { PHOTOS: 'files', ...(photoHost !== undefined && { PHOTO_HOSTS: photoHost }) }
    const run = (...args: readonly string[]): Promise<unknown> =>
      runMeasured({ args: [join(ROOT, 'scripts/vitrina.mjs'), ...args], folder: ROOT, environment })
    const rebuild = ['rebuild', '--source', writeSource(folder), '--out', output, '--state', state]
    await run(...rebuild)
    await run('photos', '--state', state)
    await run(...rebuild)
    return { output, state, environment, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** Builds a site like `buildTemporarySite` and serves it, with its search, until it is closed. */
export async function openTemporarySite(
  writeSource: (folder: string) => string,
  photoHost?: string,
): Promise<TemporarySite> {
  const built = await buildTemporarySite(writeSource, photoHost)
  const { remove } = built
  try {
    const edge = await serveSite(built)
    const close = async (): Promise<void> => {
      await edge.close()
      remove()
    }
    return { output: built.output, origin: edge.origin, close }
  } catch (error) {
    remove()
    throw error
  }
}

/** Serves a site that was built with the present code, with its search. */
export async function serveSite({
  output,
  state,
  environment,
}: Omit<TemporaryFolder, 'remove'>): Promise<Edge> {
  const kept = await findCompiled()
  if (kept === null) throw new Error('the code changed while the site was built')
  const settings = parseConfiguration(environment, [])
  const folder = join(state, 'worker')
  const { configuration } = prepareWorker({ root: ROOT, folder, output, kept, site: settings.site })
  const secret = createLocalSecret({})
  const edge = await startEdge({
    serve: { configuration },
    variables: secret.added,
  })
  const client = createSearchClient(createCoordinatorClient({ url: edge.origin, secrets: secret.all }))
  await fillLocalIndex({ configuration: settings, state, client }, new AbortController().signal)
  return edge
}
