/** What the sites of the demo have in common: a folder, an end, and the Worker of a site of objects. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCodeHashes } from '../../../src/builder/commands/rebuild/code-hashes.ts'
import { readDataFacts } from '../../../src/builder/commands/deploy/prepare-worker.ts'
import { parseConfiguration } from '../../../src/builder/commands/configuration.ts'
import type { Edge } from '../../../src/builder/commands/local/local-edge.ts'
import { startEdge } from '../../../src/builder/commands/local/local-edge.ts'
import { prepareObjectsWorker } from '../../../src/builder/publish/worker/prepare-objects-worker.ts'
import type { KeptRenderer } from '../../../src/builder/renderer/compile.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'

export interface Place {
  readonly folder: string
  /** Registers a cleanup; the last one registered runs first. */
  readonly later: (close: () => unknown) => void
  readonly progress: (text: string) => void
}

export type Settings = Readonly<Record<string, string>>

export const SAMPLE = join(ROOT, 'src/builder/sources/sample')
/** A product of the sample, and its seller. */
export const PRODUCT = '9YxJMS9pdOzfiqQ8iOr6'
export const SELLER = '1'

/** If opening fails, stops what was started before. */
export async function openPlace<Site>(
  progress: (text: string) => void,
  open: (place: Place) => Promise<Site>,
): Promise<Site & { close(): Promise<void> }> {
  const closing: (() => unknown)[] = []
  const close = async (): Promise<void> => {
    for (let one = closing.pop(); one !== undefined; one = closing.pop()) await one()
  }
  try {
    const folder = mkdtempSync(join(tmpdir(), 'vitrina-edge-'))
    closing.push(() => rmSync(folder, { recursive: true, force: true }))
    const site = await open({ folder, later: (one) => void closing.push(one), progress })
    return { ...site, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Runs the Worker of the site whose static files are in `dist`, with these variables besides the secret. */
export async function startWorker(
  { folder, later }: Place,
  { kept, settings, variables = {} }: { kept: KeptRenderer; settings: Settings; variables?: Settings },
): Promise<Edge> {
  const configured = parseConfiguration(settings)
  const { site, hosting } = configured
  const { configuration } = prepareObjectsWorker({
    root: ROOT,
    folder: join(folder, 'worker'),
    output: join(folder, 'dist'),
    kept,
    site,
    code: await readCodeHashes(),
    data: readDataFacts(configured),
    maxAge: hosting.maxAge,
  })
  const edge = await startEdge({
    port: Number(new URL(site.url).port),
    serve: { configuration },
    variables: { REBUILD_SECRET: settings['REBUILD_SECRET'] ?? '', ...variables },
    state: join(folder, 'runtime'),
  })
  later(() => edge.close())
  return edge
}
