/** A storefront in a temporary folder, built by the real commands; on request served by the local edge. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runMeasured } from '../measure/run-measured.ts'
import { findFreePort, startEdge } from '../../src/builder/publish/local-edge.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'

export interface TemporaryFolder {
  /** The built site. */
  readonly output: string
  remove(): void
}

export interface TemporarySite {
  readonly origin: string
  close(): Promise<void>
}

/**
 * `writeSource` gets an empty folder for documents and returns the source, which may be elsewhere. Pictures of photos
 * are made as well, also of photos from `photoHost`.
 */
export async function buildTemporarySite(
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
    return { output, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** Builds a site like `buildTemporarySite` and serves it until it is closed. */
export async function openTemporarySite(
  writeSource: (folder: string) => string,
  photoHost?: string,
): Promise<TemporarySite> {
  const { output, remove } = await buildTemporarySite(writeSource, photoHost)
  try {
    const edge = await startEdge({ port: await findFreePort(), serve: { folder: output } })
    const close = async (): Promise<void> => {
      await edge.close()
      remove()
    }
    return { origin: edge.origin, close }
  } catch (error) {
    remove()
    throw error
  }
}
