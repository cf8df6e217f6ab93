/**
 * Runs rebuilds in this process as the command does, except that the renderer comes from the story's code and stays
 * loaded between runs.
 */
import { findScope, isOn, listSellerKinds } from '../../../src/domain/documents/page-table.ts'
import { formatPageFile } from '../../../src/domain/documents/page-address.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openWorld } from '../../../src/builder/commands/rebuild/open-world.ts'
import { parseCommand } from '../../../src/builder/commands/program.ts'
import type { BuildOptions } from '../../../src/builder/commands/options.ts'
import { command } from '../../../src/builder/commands/rebuild/run-rebuild.ts'
import { hasProductPage } from '../../../src/domain/pages/paths.ts'
import { needsPreviews } from '../../../src/domain/documents/page-switches.ts'
import type { PictureSetup } from '../../../src/builder/pictures/open-pictures.ts'
import { openPictures } from '../../../src/builder/pictures/open-pictures.ts'
import type { Pictures } from '../../../src/builder/pictures/pictures.ts'
import { openPictureStore } from '../../../src/builder/pictures/store/picture-store.ts'
import { createStoredPictures } from '../../../src/builder/pictures/stored-pictures.ts'
import { createPageRenderer } from '../../../src/builder/rebuild/render/render-page.ts'
import { createPool } from '../../../src/builder/rebuild/render/render-pool.ts'
import { PARTIAL } from '../../../src/builder/state/output/output.ts'
import type { KeptRenderer } from '../../../src/builder/renderer/compile.ts'
import type { Renderer } from '../../../src/builder/renderer/load-renderer.ts'
import { loadRenderer } from '../../../src/builder/renderer/load-renderer.ts'
import { createRebuildReport } from '../../../src/builder/commands/rebuild/rebuild-report.ts'
import type { RebuildOutcome } from '../../../src/builder/rebuild/rebuild.ts'
import { rebuild } from '../../../src/builder/rebuild/rebuild.ts'
import { formatOutcome } from '../../../src/builder/commands/rebuild/format-rebuild.ts'
import type { Renderers, PageInputs, World } from '../../../src/builder/rebuild/world.ts'
import type { RetainedFile, SitePlace } from './place.ts'
import { findState, readRetained } from './place.ts'
import type { PublicFolder, RunRequest } from './run-request.ts'
import { changeIntake, changePageData, changeRendering, hashStoryCode } from './story-code.ts'

export interface RunResult {
  readonly outcome: RebuildOutcome
  /** The report of the run in words. */
  readonly words: string
  readonly exit: number
  /** Paths of all pages that the sellers in the snapshot must have after the run. */
  readonly pages: readonly string[]
  readonly retained: readonly RetainedFile[]
}

const WORKER = fileURLToPath(
  new URL('../../../src/builder/commands/rebuild/render-worker.ts', import.meta.url),
)

/** Timeout for pictures, in milliseconds. It is long, because no result may depend on how busy the machine is. */
const PATIENCE = 60_000

export async function runInProcess(request: RunRequest): Promise<RunResult> {
  const { place, inputs } = request
  const options = readOptions(request)
  const pictureSetup = createPictureSetup(request, options)
  const opened = await openWorld(withoutPictures(options), () => {})
  const pictures = openStoryPictures(pictureSetup, inputs.publicFolder)
  try {
    const world: World = {
      ...opened,
      inputs: createInputs(request, opened.inputs),
      state: { ...opened.state, pictures, snapshot: changePageData(opened.state.snapshot, inputs.code) },
      openSource: async () => changeIntake(await opened.openSource(), inputs.code),
      renderers: createRenderers(request, opened, pictureSetup),
      progress: () => {},
    }
    return readResult(world, place, await rebuild(world))
  } finally {
    pictures.close()
    opened.close()
  }
}

export function readOptions({
  place,
  inputs,
  args = [],
}: Pick<RunRequest, 'place' | 'inputs'> & Partial<Pick<RunRequest, 'args'>>): BuildOptions {
  const flags = ['--source', place.source, '--out', place.output, '--state', place.state, ...args]
  const options = parseCommand({ definition: command }, flags, inputs.settings)
  if (options === null) throw new Error('the options contain --help, so there is no rebuild to run')
  return options
}

function createPictureSetup(
  { place }: RunRequest,
  { configuration: { photos, site } }: BuildOptions,
): PictureSetup {
  const store = findState(place, 'pictures')
  return { ...photos, store, brand: site.name, makesPreviews: needsPreviews(site) }
}

/** Opens pictures whose photos come from the story's current public folder. */
function openStoryPictures(setup: PictureSetup, { folder, files }: PublicFolder): Pictures {
  const readPublicFile = (path: string): Uint8Array | null =>
    path in files ? readFileSync(join(folder, path)) : null
  const surroundings = { readPublicFile, now: Date.now, warn: console.error }
  if (setup.mode !== 'files') return openPictures(setup, surroundings)
  const store = openPictureStore(setup.store, surroundings.warn)
  return createStoredPictures({ ...setup, ...surroundings, store, patience: PATIENCE })
}

// Turns pictures off in the options, because `openStoryPictures` opens them with the photos of the story's public
// folder.
function withoutPictures(options: BuildOptions): BuildOptions {
  const { configuration } = options
  const photos = { ...configuration.photos, mode: 'off' } as const
  return { ...options, configuration: { ...configuration, photos } }
}

function createInputs({ inputs: own }: RunRequest, inputs: PageInputs): PageInputs {
  const { variant, publicFolder, runtime, code } = own
  return {
    ...inputs,
    compiled: variant.code,
    code: hashStoryCode(inputs.code, code),
    runtime,
    publicFiles: publicFolder.files,
    readPublicFile: (path) => readFileSync(join(publicFolder.folder, path)),
  }
}

function createRenderers(
  { place, inputs: own, threads, wrap = (renderer) => renderer }: RunRequest,
  { inputs }: World,
  pictures: PictureSetup,
): Renderers {
  const { variant, publicFolder } = own
  const load = async (kept: KeptRenderer): Promise<Renderer> =>
    wrap(changeRendering(await loadWarm(kept.server, inputs.settings), own.code))
  return {
    find: () => (compiled.has(variant.code) ? variant.kept : null),
    compile: async () => {
      compiled.add(variant.code)
      return variant.kept
    },
    load,
    startWorkers: () => Promise.resolve(),
    openPool: async (kept, generation) => {
      // Threads load the real code of the builder, so they cannot run code that the story has changed.
      const isOther = own.code.pageData + own.code.rendering > 0
      if (threads === 0 || isOther)
        return { ...createPageRenderer(await load(kept), generation), width: 1, close: async () => {} }
      const setup = {
        snapshot: findState(place, 'snapshot'),
        server: kept.server,
        output: place.output,
        partial: join(place.output, PARTIAL),
        settings: inputs.settings,
        publicFiles: Object.keys(publicFolder.files),
        pictures,
      }
      return createPool({ worker: WORKER, setup, generation, threads })
    },
  }
}

function readResult({ inputs, state }: World, place: SitePlace, outcome: RebuildOutcome): RunResult {
  const report = createRebuildReport(outcome, 0)
  return {
    outcome,
    words: formatOutcome(outcome, report),
    exit: report.exit,
    pages: [...state.snapshot.readSellers()].flatMap((seller) => listPages(seller, { inputs, state })),
    retained: readRetained(place),
  }
}

function listPages(
  seller: string,
  { inputs: { settings }, state: { snapshot } }: Pick<World, 'inputs' | 'state'>,
): readonly string[] {
  const products = snapshot.readProductIds(seller).filter((id) => hasProductPage(settings, id))
  const kinds = listSellerKinds().filter((kind) => isOn(kind, settings))
  return kinds.flatMap((kind) =>
    findScope(kind) === 'product'
      ? products.map((product) => formatPageFile({ kind, seller, product }))
      : [formatPageFile({ kind, seller, product: null })],
  )
}

// Hashes of the variants that an earlier run has used. At the first run of a variant, `find` returns `null`, so that
// the rebuild calls `compile`, as it does with new code.
const compiled = new Set<string>()

const renderers = new Map<string, Promise<Renderer>>()

function loadWarm(server: string, settings: PageInputs['settings']): Promise<Renderer> {
  const key = JSON.stringify([server, settings])
  const renderer = renderers.get(key) ?? loadRenderer(server, settings)
  renderers.set(key, renderer)
  return renderer
}
