/** A site in a temporary folder, built by the real commands and served by the local edge. */
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { runMeasured } from '../measure/run-measured.ts'
import { VITRINA } from '../measure/run-tool.ts'
import { startEdge } from '../../src/builder/commands/local/local-edge.ts'
import { ROOT } from '../../src/builder/files/project-folder.ts'

export interface TemporarySite {
  readonly output: string
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
    const folders = ['--out', output, '--state', state]
    const rebuild = ['rebuild', '--source', writeSource(folder), ...folders]
    await run(...rebuild)
    // With those that the rebuild had no time for.
    await run('photos', ...folders, '--all')
    await run(...rebuild)
    const edge = await startEdge({ folder: output, variables: {} })
    const close = async (): Promise<void> => {
      await edge[Symbol.asyncDispose]()
      remove()
      forget()
    }
    return { output, origin: edge.origin, close }
  } catch (error) {
    remove()
    throw error
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs `clean` when this process ends, also by a signal. Returns a function that withdraws it. */
function cleanAtEnd(clean: () => void): () => void {
  process.once('exit', clean)
  for (const signal of SIGNALS) process.once(signal, endBySignal)
  return () => {
    process.off('exit', clean)
    for (const signal of SIGNALS) process.off(signal, endBySignal)
  }
}

/** Does nothing in a command that handles the signal itself. */
function endBySignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) === 0) process.exit(128 + constants.signals[signal])
}
