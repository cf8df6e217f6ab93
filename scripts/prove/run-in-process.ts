/**
 * Runs rebuilds in this process: the world is composed as by the command, but with a warm renderer of the chosen code.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openWorld } from '../../src/builder/commands/rebuild/open-world.ts'
import { parseCommand } from '../../src/builder/commands/program.ts'
import { command } from '../../src/builder/commands/rebuild/run-rebuild.ts'
import type { PictureSetup } from '../../src/builder/pictures/open-pictures.ts'
import { createPool } from '../../src/builder/rebuild/render-pool.ts'
import { PARTIAL } from '../../src/builder/state/output/output.ts'
import type { Renderer } from '../../src/builder/renderer/load-renderer.ts'
import { loadRenderer } from '../../src/builder/renderer/load-renderer.ts'
import { createReport } from '../../src/builder/commands/rebuild/rebuild-report.ts'
import type { Outcome } from '../../src/builder/rebuild/rebuild.ts'
import { rebuild } from '../../src/builder/rebuild/rebuild.ts'
import { formatOutcome } from '../../src/builder/commands/rebuild/format-rebuild.ts'
import type { World } from '../../src/builder/rebuild/world.ts'
import { findState } from './place.ts'
import type { Place } from './place.ts'
import type { RetainedFile } from './retained.ts'
import { readRetained } from './retained.ts'
import { createPictureSetup, openStoryPictures } from './story-pictures.ts'
import type { RunRequest } from './run-request.ts'

export interface RunResult {
  readonly outcome: Outcome
  /** The report of the run in words. */
  readonly words: string
  readonly exit: number
  /** The sellers now in the snapshot. */
  readonly sellers: readonly string[]
  readonly retained: readonly RetainedFile[]
}

const WORKER = fileURLToPath(new URL('../../src/builder/commands/rebuild/render-worker.ts', import.meta.url))

/** Throws whatever the rebuild throws. */
export async function runInProcess(request: RunRequest): Promise<RunResult> {
  const { place, inputs, args } = request
  const flags = ['--source', place.source, '--out', place.output, '--state', place.state, ...args]
  // `PHOTOS` is off, since this function opens the pictures, with photos from another public folder.
  const options = parseCommand({ definition: command }, flags, { SITE_NAME: inputs.siteName, PHOTOS: 'off' })
  if (options === null) throw new Error('the options ask for help only')
  const pictureSetup = createPictureSetup(request, options)
  const opened = await openWorld(options, () => {})
  const pictures = openStoryPictures(pictureSetup, inputs.publicFolder)
  try {
    const parts = createParts(request, opened, pictureSetup)
    return readResult(opened, place, await rebuild({ ...opened, ...parts, pictures }))
  } finally {
    pictures.close()
    opened.close()
  }
}

type Parts = Omit<
  World,
  'options' | 'settings' | 'keepsPages' | 'snapshot' | 'record' | 'output' | 'openSource' | 'pictures'
>

function createParts(
  { place, inputs, threads }: RunRequest,
  { settings, record, now }: World,
  pictures: PictureSetup,
): Parts {
  const { variant, publicFolder, runtime } = inputs
  return {
    code: variant.code,
    door: 'door',
    runtime,
    findRenderer: () => (compiled.has(variant.code) ? variant.kept : null),
    compile: async () => {
      compiled.add(variant.code)
      return variant.kept
    },
    loadRenderer: (kept) => loadWarm(kept.server, settings),
    openPool: async (kept, generation, direct) => {
      if (threads === 0) return { ...direct, width: 1, close: async () => {} }
      const setup = {
        snapshot: findState(place, 'snapshot'),
        server: kept.server,
        partial: join(place.output, PARTIAL),
        settings,
        publicFiles: Object.keys(publicFolder.files),
        pictures,
      }
      return createPool({ worker: WORKER, setup, record, generation, direct, threads })
    },
    publicFiles: publicFolder.files,
    readPublicFile: (path) => readFileSync(join(publicFolder.folder, path)),
    now,
    progress: () => {},
  }
}

function readResult({ snapshot }: World, place: Place, outcome: Outcome): RunResult {
  const report = createReport(outcome, 0)
  return {
    outcome,
    words: formatOutcome(outcome, report),
    exit: report.exit,
    sellers: [...snapshot.readSellers()],
    retained: readRetained(place),
  }
}

// The first run of a variant finds no renderer, as the command would.
const compiled = new Set<string>()

const renderers = new Map<string, Promise<Renderer>>()

function loadWarm(server: string, settings: World['settings']): Promise<Renderer> {
  const key = JSON.stringify([server, settings])
  const renderer = renderers.get(key) ?? loadRenderer(server, settings)
  renderers.set(key, renderer)
  return renderer
}
