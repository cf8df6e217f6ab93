/** Runs rebuilds in this process: the world is composed as the command composes it, with a warm renderer of chosen code. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openWorld } from '../../scripts/rebuild/open-world.ts'
import { parseOptions } from '../../scripts/rebuild/rebuild-options.ts'
import type { PictureSetup } from '../../src/photos/open-pictures.ts'
import type { Manifest } from '../../src/rebuild/fingerprint.ts'
import { createPool } from '../../src/rebuild/pool.ts'
import { PARTIAL } from '../../src/rebuild/output.ts'
import type { Renderer } from '../../src/rebuild/renderer.ts'
import { loadRenderer } from '../../src/rebuild/renderer.ts'
import { createReport } from '../../src/rebuild/report.ts'
import type { Outcome } from '../../src/rebuild/run.ts'
import { rebuild } from '../../src/rebuild/run.ts'
import { formatOutcome } from '../../src/rebuild/words.ts'
import type { World } from '../../src/rebuild/world.ts'
import type { PhotoMode } from './photos.ts'
import { findState } from './place.ts'
import type { Place } from './place.ts'
import type { RetainedFile } from './retained.ts'
import { readRetained } from './retained.ts'
import { createPictureSetup, openStoryPictures } from './story-pictures.ts'
import type { Variant } from './variants.ts'

/** The code and the settings of a site. */
export interface Make {
  readonly variant: Variant
  readonly siteName: string
  readonly runtime: string
  readonly publicFolder: PublicFolder
  readonly photos: PhotoMode
}

export interface PublicFolder {
  readonly name: string
  readonly folder: string
  readonly files: Manifest
}

export interface RunRequest {
  readonly place: Place
  readonly make: Make
  /** Options of the command. */
  readonly args: readonly string[]
  /** Of the render pool; 0: pages are rendered one after the other. */
  readonly threads: number
}

export interface RunResult {
  readonly outcome: Outcome
  /** What the run says of itself. */
  readonly words: string
  readonly exit: number
  /** The sellers that the snapshot now has. */
  readonly sellers: readonly string[]
  readonly retained: readonly RetainedFile[]
}

const WORKER = fileURLToPath(new URL('../../scripts/rebuild/render-worker.ts', import.meta.url))

/** Throws what the rebuild throws. */
export async function runInProcess(request: RunRequest): Promise<RunResult> {
  const { place, make, args } = request
  const flags = ['--source', place.source, '--out', place.output, '--state', place.state, ...args]
  // Its pictures are opened here: they are made of photos in another public folder.
  const options = parseOptions(flags, { SITE_NAME: make.siteName, PHOTOS: 'off' })
  if (options === null) throw new Error('the options ask for help only')
  const pictureSetup = createPictureSetup(request, options)
  const opened = await openWorld(options, () => {})
  const pictures = openStoryPictures(pictureSetup, make.publicFolder)
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
  { place, make, threads }: RunRequest,
  { settings, record, now }: World,
  pictures: PictureSetup,
): Parts {
  const { variant, publicFolder, runtime } = make
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

// The first run of a code finds no renderer, as in real life.
const compiled = new Set<string>()

const renderers = new Map<string, Promise<Renderer>>()

function loadWarm(server: string, settings: World['settings']): Promise<Renderer> {
  const key = JSON.stringify([server, settings])
  const renderer = renderers.get(key) ?? loadRenderer(server, settings)
  renderers.set(key, renderer)
  return renderer
}
