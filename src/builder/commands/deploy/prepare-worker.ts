/** Generates the Worker to publish, in a folder of the state. */
import { join, resolve } from 'node:path'
import type { KeptRenderer } from '../../renderer/compile.ts'
import { PublishError } from '../../publish/publish-error.ts'
import { ROOT, STORE } from '../../state/project-folder.ts'
import type { PublishOptions } from './open-publish-world.ts'

const FOLDER = 'worker'

/** Returns the options with the generated Worker. Throws a `PublishError` if the current code has not been compiled. */
export async function prepareWorker(options: PublishOptions): Promise<PublishOptions> {
  const kept = await findCompiled()
  if (kept === null)
    throw new PublishError('The present code has not been compiled yet: run npm run rebuild, then try again.')
  const { generateWorker } = await import('../../publish/worker/prepare-worker.ts')
  const { configuration, state, output } = options
  const folder = join(resolve(state), FOLDER)
  const { site } = configuration
  return { ...options, worker: generateWorker({ root: ROOT, folder, output: resolve(output), kept, site }) }
}

/** Returns the renderer of the current code; `null` if the code has not been compiled. */
export async function findCompiled(): Promise<KeptRenderer | null> {
  const [{ hashInputs }, { findRenderer }] = await Promise.all([
    import('../rebuild/open-renderers.ts'),
    import('../../renderer/compile.ts'),
  ])
  return findRenderer(STORE, hashInputs())
}
