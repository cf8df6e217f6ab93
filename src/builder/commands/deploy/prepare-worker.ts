/** Writes the generated Worker that is published, into the state folder. */
import { join, resolve } from 'node:path'
import type { DataFacts } from '../../../domain/objects/data-facts.ts'
import type { KeptRenderer } from '../../renderer/compile.ts'
import { readManifest } from '../../state/manifest.ts'
import { PublishError } from '../../publish/publish-error.ts'
import { ROOT, STORE } from '../../state/project-folder.ts'
import type { Configuration } from '../configuration.ts'
import type { PreparedWorker, PublishOptions } from './open-publish-world.ts'

const FOLDER = 'worker'

/** Returns the options with the Worker. Throws a `PublishError` without compiled code. */
export async function prepareWorker(options: PublishOptions): Promise<PublishOptions> {
  const kept = await findCompiled()
  if (kept === null)
    throw new PublishError(
      'The code has changed since the last rebuild: run npm run rebuild, then try again.',
    )
  const { lane } = options.configuration.hosting
  const prepare = lane === 'assets' ? prepareOfAssets : prepareOfObjects
  return { ...options, worker: await prepare(options, kept) }
}

/** Returns the renderer of the present code; `null` if it was not compiled yet. */
export async function findCompiled(): Promise<KeptRenderer | null> {
  const [{ hashInputs }, { findRenderer }] = await Promise.all([
    import('../rebuild/open-renderers.ts'),
    import('../../renderer/compile.ts'),
  ])
  return findRenderer(STORE, hashInputs())
}

async function prepareOfAssets(
  { configuration, state, output }: PublishOptions,
  kept: KeptRenderer,
): Promise<PreparedWorker> {
  const { prepareAssetsWorker } = await import('../../publish/worker/prepare-assets-worker.ts')
  const folder = join(resolve(state), FOLDER)
  const { site } = configuration
  const worker = prepareAssetsWorker({ root: ROOT, folder, output: resolve(output), kept, site })
  return { configuration: worker.configuration, code: null, parts: [worker.pageCode] }
}

async function prepareOfObjects(
  { configuration, state, output }: PublishOptions,
  kept: KeptRenderer,
): Promise<PreparedWorker> {
  // Imported on use: the other lane needs none of it.
  const [{ prepareObjectsWorker }, { readCodeHashes }, { createTrial }, { readHomePicture }] =
    await Promise.all([
      import('../../publish/worker/prepare-objects-worker.ts'),
      import('../rebuild/code-hashes.ts'),
      import('./try-code.ts'),
      import('./open-state-pictures.ts'),
    ])
  const { site, hosting } = configuration
  const facts = readDataFacts(configuration)
  const homePicture = readHomePicture({ site, facts, state })
  const worker = prepareObjectsWorker({
    root: ROOT,
    folder: join(resolve(state), FOLDER),
    output: resolve(output),
    kept,
    site,
    code: await readCodeHashes(),
    data: facts,
    homePicture,
    maxAge: hosting.maxAge,
    variables: hosting.variables,
  })
  const { code, intake } = worker
  return {
    configuration: worker.configuration,
    code,
    parts: [code, intake, kept.kinds.search, homePicture ?? ''],
    tryCode: createTrial({ site, facts, state, server: kept.server }),
  }
}

/** Reads what the data of objects depends on, as a rebuild does. */
export function readDataFacts({
  photos,
  site,
  maxProducts,
}: Pick<Configuration, 'photos' | 'site' | 'maxProducts'>): DataFacts {
  return {
    maxProducts,
    publicFiles: Object.keys(readManifest(join(ROOT, 'public'), '.')),
    pictures: { ...photos, makesPreviews: site.productPages },
  }
}
