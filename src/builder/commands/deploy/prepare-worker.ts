/** Lane `objects`: writes the generated Worker that is published, into the state folder. */
import { join, resolve } from 'node:path'
import { PublishError } from '../../publish/publish-error.ts'
import { ROOT, STORE } from '../../state/project-folder.ts'
import type { PublishOptions } from './open-publish-world.ts'

const FOLDER = 'worker'

/** Returns the options with the Worker; in lane `assets` as they are. Throws a `PublishError` without compiled code. */
export async function prepareWorker(options: PublishOptions): Promise<PublishOptions> {
  const { site, hosting } = options.configuration
  if (hosting.lane === 'assets') return options
  // Imported on use: the other lane needs none of it.
  const [{ prepareObjectsWorker }, { readCodeHashes }, { hashInputs }, { findRenderer }] = await Promise.all([
    import('../../publish/prepare-objects-worker.ts'),
    import('../rebuild/code-hashes.ts'),
    import('../rebuild/open-renderers.ts'),
    import('../../renderer/compile.ts'),
  ])
  const kept = findRenderer(STORE, hashInputs())
  if (kept === null)
    throw new PublishError(
      'The code has changed since the last rebuild: run npm run rebuild, then try again.',
    )
  const worker = prepareObjectsWorker({
    root: ROOT,
    folder: join(resolve(options.state), FOLDER),
    output: resolve(options.output),
    kept,
    site,
    code: await readCodeHashes(),
    maxAge: hosting.maxAge,
  })
  return { ...options, worker }
}
