/** Generates the Worker to publish, in a folder of the state. */
import { join, resolve } from 'node:path'
import type { KeptRenderer } from '../../renderer/compile.ts'
import type { GeneratedWorker, ObjectOptions } from '../../publish/worker/prepare-worker.ts'
import { PublishError } from '../../publish/publish-error.ts'
import { ROOT, STORE } from '../../state/project-folder.ts'
import type { PreparedWorker, PublishOptions } from './open-publish-world.ts'

const FOLDER = 'worker'

/** Returns the options with the generated Worker. Throws a `PublishError` if the current code has not been compiled. */
export async function prepareWorker(options: PublishOptions): Promise<PublishOptions> {
  const kept = await findCompiled()
  if (kept === null)
    throw new PublishError('The present code has not been compiled yet: run npm run rebuild, then try again.')
  const { lane } = options.configuration.hosting
  const prepare = lane === 'assets' ? prepareOfAssets : prepareOfObjects
  return { ...options, worker: await prepare(options, kept) }
}

/** Returns the renderer of the current code; `null` if the code has not been compiled. */
export async function findCompiled(): Promise<KeptRenderer | null> {
  const [{ hashInputs }, { findRenderer }] = await Promise.all([
    import('../rebuild/open-renderers.ts'),
    import('../../renderer/compile.ts'),
  ])
  return findRenderer(STORE, hashInputs())
}

async function prepareOfAssets(options: PublishOptions, kept: KeptRenderer): Promise<PreparedWorker> {
  const { configuration, code } = await generate(options, kept)
  return { configuration, code: null, parts: [code] }
}

async function prepareOfObjects(options: PublishOptions, kept: KeptRenderer): Promise<PreparedWorker> {
  // Imported on use, because lane `assets` does not need these modules.
  const [{ readCodeHashes }, { createTrial }, { readDataFacts, readHomePicture }] = await Promise.all([
    import('../rebuild/code-hashes.ts'),
    import('./try-code.ts'),
    import('./open-state-pictures.ts'),
  ])
  const { configuration: settings, state } = options
  const { site, hosting, coordinator } = settings
  const { maxAge, variables } = hosting
  const facts = readDataFacts(settings)
  const homePicture = readHomePicture({ site, facts, state })
  const objects = { code: await readCodeHashes(), data: facts, homePicture, maxAge, variables }
  const { configuration, code, intake } = await generate(options, kept, objects)
  return {
    configuration,
    code,
    parts: [code, intake ?? '', kept.kinds.search, homePicture ?? ''],
    tryCode: createTrial({ site, facts, state, server: kept.server, coordinator }),
  }
}

async function generate(
  { configuration: { site }, state, output }: PublishOptions,
  kept: KeptRenderer,
  objects?: ObjectOptions,
): Promise<GeneratedWorker> {
  const { generateWorker: write } = await import('../../publish/worker/prepare-worker.ts')
  const folder = join(resolve(state), FOLDER)
  return write({
    root: ROOT,
    folder,
    output: resolve(output),
    kept,
    site,
    ...(objects !== undefined && { objects }),
  })
}
